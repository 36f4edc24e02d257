//! Walking, renaming and writing a tree.

use plan_cond::{Cond, Field, Spelled, parse};

const TEXT: &str =
    "$a.status == $b.output || ('x' != $c.status && $a.output < 'y') || $d.e.status > $f.g";

fn read(text: &str) -> Cond<Spelled<'_>> {
    let cond = parse(text).expect("the condition parses");
    cond.expect("the condition is not blank")
}

/// spec: References; ruling 15: every reference is checked before anything runs.
#[test]
fn every_reference_is_visited_left_to_right_with_its_bytes() {
    let mut seen = Vec::new();
    read(TEXT).each_reference(&mut |reference, span| {
        let bytes = &TEXT[span.start as usize..span.end as usize];
        assert_eq!(reference.to_string(), bytes);
        seen.push(bytes);
    });
    let expected = [
        "$a.status",
        "$b.output",
        "$c.status",
        "$a.output",
        "$d.e.status",
        "$f.g",
    ];
    assert_eq!(seen, expected);
}

/// spec: References; ruling 6: names become steps once, before anything runs.
#[test]
fn renaming_goes_left_to_right_and_keeps_everything_else() {
    let mut numbers = 0..;
    let renamed = read(TEXT)
        .try_map(&mut |_| numbers.next().ok_or(()))
        .unwrap();
    insta::assert_snapshot!(renamed, @r"0 == 1 || 'x' != 2 && 3 < 'y' || 4 > 5");
    let spans = |cond: &Cond<i32>| {
        let mut spans = Vec::new();
        cond.each_reference(&mut |_, span| spans.push(span.clone()));
        spans
    };
    assert_eq!(spans(&renamed)[1], 13..22);
}

/// ruling 6: a field other than the two is the caller's to refuse.
#[test]
fn the_first_name_that_cannot_be_resolved_ends_the_renaming() {
    let mut asked = Vec::new();
    let failed = read(TEXT).try_map(&mut |Spelled { step, field }| {
        asked.push(step.to_owned());
        match (step, Field::from_name(field)) {
            ("c", _) | (_, None) => Err(format!("no {step}")),
            (_, Some(field)) => Ok(field),
        }
    });
    assert_eq!(failed, Err("no c".to_owned()));
    assert_eq!(asked, ["a", "b", "c"]);
}

/// ruling 12: a condition is written back with the parentheses it needs.
#[test]
fn a_tree_is_written_with_no_more_parentheses_than_it_needs() {
    let written: String = [
        "(('a'=='b'))",
        "('a'=='b'&&'c'=='d')||('e'=='f')",
        "('a'=='b'||'c'=='d')&&'e'=='f'",
        "'a'=='b'||('c'=='d'||'e'=='f')",
        "'a'=='b'&&('c'=='d'&&'e'=='f')",
        "\"it's\"==\"so\"",
        "'say \"so\"'!=$a.output",
    ]
    .map(|text| format!("{}\n", read(text)))
    .concat();
    insta::assert_snapshot!(written, @r#"
    'a' == 'b'
    'a' == 'b' && 'c' == 'd' || 'e' == 'f'
    ('a' == 'b' || 'c' == 'd') && 'e' == 'f'
    'a' == 'b' || ('c' == 'd' || 'e' == 'f')
    'a' == 'b' && ('c' == 'd' && 'e' == 'f')
    "it's" == 'so'
    'say "so"' != $a.output
    "#);
}
