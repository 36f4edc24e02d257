//! The spelling of a reference.

use plan_cond::{Field, Spelled};

/// ruling 5.
#[test]
fn a_whole_text_is_a_reference_by_its_shape() {
    let cases = [
        ("$a.output", Some(("a", "output"))),
        ("$a.status", Some(("a", "status"))),
        ("$a.b.output", Some(("a.b", "output"))),
        ("$a.length", Some(("a", "length"))),
        ("$a._", Some(("a", "_"))),
        ("$a.X9_", Some(("a", "X9_"))),
        ("$a b.output", Some(("a b", "output"))),
        ("$ .x", Some((" ", "x"))),
        ("$..x", Some((".", "x"))),
        ("$日本.output", Some(("日本", "output"))),
        ("$line\nbreak.output", Some(("line\nbreak", "output"))),
        ("$$a.output", Some(("$a", "output"))),
        ("$a==b.output", Some(("a==b", "output"))),
        ("", None),
        ("$", None),
        ("$.", None),
        ("$a", None),
        ("$a.", None),
        ("$.output", None),
        ("$5.00", None),
        ("$a.5", None),
        ("$a.out-put", None),
        ("$a.output ", None),
        (" $a.output", None),
        ("$a.é", None),
        ("a.output", None),
        ("see $a.output", None),
        ("$a.output!", None),
    ];
    for (text, expected) in cases {
        let expected = expected.map(|(step, field)| Spelled { step, field });
        assert_eq!(Spelled::whole(text), expected, "{text:?}");
        if let Some(spelled) = expected {
            assert_eq!(spelled.to_string(), text);
        }
    }
}

/// ruling 13.
#[test]
fn in_a_condition_a_reference_ends_at_the_first_character_of_something_else() {
    for end in [
        " ", "\t", "\u{a0}", "'", "\"", "(", ")", "=", "!", "<", ">", "&", "|",
    ] {
        let text = format!("$a.b.status{end}c.output");
        let expected = Spelled {
            step: "a.b",
            field: "status",
        };
        assert_eq!(Spelled::in_condition(&text), Some(expected), "{end:?}");
    }
    assert_eq!(Spelled::in_condition("$a b.status"), None);
    assert_eq!(Spelled::in_condition(" $a.status"), None);
    assert_eq!(Spelled::in_condition(""), None);
}

/// ruling 9: a reference in a command line is warned about, wherever it stands in it.
#[test]
fn mentions_are_found_inside_a_running_text() {
    let cases: [(&str, &[&str]); 10] = [
        ("echo $a.output", &["$a.output"]),
        ("echo \"$a.output;$b.status\"", &["$a.output", "$b.status"]),
        ("bash -c 'test $a.status = success'", &["$a.status"]),
        ("cp $a.output/$b.output.txt .", &["$a.output", "$b.output"]),
        ("$a.b.output.", &["$a.b.output"]),
        ("$$a.output", &["$a.output"]),
        ("echo $HOME $5.00 $.output a.output", &[]),
        ("$a.outputs $b.status_x $c.length", &[]),
        ("$a.", &[]),
        ("$", &[]),
    ];
    for (text, expected) in cases {
        let found: Vec<_> = Spelled::mentioned_in(text).map(|s| s.to_string()).collect();
        assert_eq!(found, expected, "{text:?}");
    }
}

/// decision: nothing is quadratic in the length of a text.
#[test]
fn mentions_are_found_in_linear_time() {
    let texts =
        ["$", "$a.", ".output", "$a.output", "$a.outputs."].map(|part| part.repeat(200_000));
    let count = |text: &String| Spelled::mentioned_in(text).count();
    assert_eq!(texts.each_ref().map(count), [0, 0, 0, 200_000, 0]);
    assert_eq!(Spelled::mentioned_in(&format!("$a{}", texts[2])).count(), 1);
}

/// spec: References.
#[test]
fn the_two_fields_are_output_and_status() {
    for field in [Field::Output, Field::Status] {
        assert_eq!(Field::from_name(field.name()), Some(field));
        assert_eq!(field.to_string(), field.name());
    }
    for other in ["", "Output", "STATUS", "error", "output ", "outputs"] {
        assert_eq!(Field::from_name(other), None, "{other:?}");
    }
}
