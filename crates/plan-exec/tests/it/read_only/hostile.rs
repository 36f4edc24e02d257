//! Scripts that nobody means well with: they are read to their end, in time that grows with their length.

use std::time::Duration;

use proptest::prelude::*;

use super::{Place, verdict};

/// What a script is made of, so that random ones come across every rule of the grammar.
const PARTS: &[&str] = &[
    "rm ",
    "tests/a",
    "src/a",
    " ",
    "\n",
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "{ ",
    "[[ ",
    " ]]",
    "if ",
    "then ",
    "else ",
    "elif ",
    "fi ",
    "while ",
    "do ",
    "done ",
    "for x in ",
    "case x in ",
    "esac ",
    "function f ",
    "f()",
    "'",
    "\"",
    "\\",
    "$",
    "$(",
    "${",
    "${x:-",
    "`",
    "$'",
    "<",
    ">",
    ">>",
    ">&",
    "<<",
    "<<-EOF\n",
    "<<<",
    "\nEOF\n",
    "2>",
    "{fd}>",
    "#",
    "*",
    "?",
    "[",
    "]",
    "{a,b}",
    "{1..9}",
    "~",
    "=",
    "x=",
    "x=(",
    "cd ",
    "eval ",
    "sh -c ",
    "xargs ",
    "env -S ",
    "find . -exec ",
    "git checkout ",
    "tar xf ",
    "!",
    "é",
    "\0",
    "\r",
    "\t",
    ",",
    "..",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// spec: What a plan may reach.
    #[test]
    fn any_text_is_judged(text in any::<String>(), parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..40)) {
        let place = place();
        let _judged = place.script(&text);
        let _judged = place.script(&parts.concat());
        let _judged = place.tool("t", &text);
        let _judged = place.tool("t", &parts.concat());
    }

    /// spec: What a plan may reach.
    #[test]
    fn what_stands_in_front_of_a_line_hides_nothing_of_it(
        parts in proptest::collection::vec(proptest::sample::select(&["true", "echo x", "(ls)", "{ ls; }", "x=1", "ls | cat", "if a; then b; fi", "case a in b) c;; esac", "cat <<E\nx\nE", "cat <<'E'\n' \" $( `\nE", "# ' \" (", "echo 'a\"b'", "echo $((1<<2))", "echo \"$(ls)\"", "f() { ls; }", "for i in a; do ls; done", "[[ a > b ]]", "echo {a,b}"][..]), 0..8)
    ) {
        let place = place();
        let script = format!("{}\nrm tests/a", parts.join("\n"));
        prop_assert_eq!(verdict(place.script(&script)), "tests/a (argument of `rm`)", "{}", script);
    }

    /// spec: What a plan may reach.
    #[test]
    fn a_path_is_judged_alike_however_it_is_quoted(spelling in spelled("tests/a"), other in spelled("src/a")) {
        let place = place();
        prop_assert_eq!(verdict(place.script(&format!("rm {spelling}"))), "tests/a (argument of `rm`)");
        prop_assert_eq!(verdict(place.script(&format!("echo x >{spelling}"))), "tests/a (redirection `>`)");
        prop_assert_eq!(verdict(place.script(&format!("rm {other}; cat {spelling}"))), "passes");
    }
}

/// Returns spellings of a path, each of its characters quoted in one of the ways a shell has.
fn spelled(path: &'static str) -> impl Strategy<Value = String> {
    proptest::collection::vec(0..9_u8, path.len()).prop_map(move |ways| {
        let quoted = path.chars().zip(ways).map(|(c, way)| match way {
            0 => c.to_string(),
            1 => format!("'{c}'"),
            2 => format!("\"{c}\""),
            3 => format!("\\{c}"),
            4 => format!("$'\\x{:x}'", c as u32),
            5 => format!("$'\\{:03o}'", c as u32),
            6 => format!("\\\n{c}"),
            7 => format!("''{c}\"\""),
            _ => format!("$\"{c}\""),
        });
        quoted.collect()
    })
}

/// The workdir is only looked at, so one serves every case.
fn place() -> &'static Place {
    static PLACE: std::sync::OnceLock<Place> = std::sync::OnceLock::new();
    PLACE.get_or_init(Place::new)
}

/// spec: What a plan may reach.
#[test]
fn a_long_script_of_anything_is_read_in_a_bounded_time() {
    /// Each takes well under a second; what is quadratic with a file system behind it takes minutes.
    const TIME_MAX: Duration = Duration::from_secs(10);
    let place = Place::new();
    /// The bytes of each script.
    const LENGTH: usize = 1 << 15;
    let long = |part: &str| part.repeat(LENGTH / part.len());
    for part in PARTS.iter().copied().chain([
        "(((",
        "$((",
        "\"$(",
        "\"${x:-",
        "${",
        "if (",
        "case x in (",
        "{a,",
        "{{a,b},",
        "*(",
        "a@(x",
        "<<A ",
        "<<A\n",
        "cat <<A\n$(",
        "sh -c 'a' ; ",
        "eval a; ",
        "x=a$x; ",
        "$x ",
        "rm $x$y$z ",
        "rm src/a$x; ",
        "cd src; ",
        "cd x; ",
        "cd ..; ",
        "env ",
        "env -S ",
        "xargs ",
        "find . -exec ",
        "rm x ",
        "rm x; ",
        "> x ",
        "a[1<",
        "f() ",
        "} ",
        ") ",
        "if ) ",
        "ln -s a b; ",
        "ln -s b a; rm a; ",
        "`a` ",
        "\\`",
        "rm *x; ",
        "for i in a b; do ",
        "x+=(a b) ",
        "[[ a > b ",
        "!(",
        "sudo ",
        "../",
        "a/",
        "tests2/../",
        "trap \"",
        "{1..64}",
        "$'\\''",
        "<(",
        "x=",
    ]) {
        for script in [
            long(part),
            format!("rm {}", long(part)),
            format!("x=({}", long(part)),
            format!("\"{}", long(part)),
        ] {
            let begun = std::time::Instant::now();
            let _judged = place.script(&script);
            assert!(
                begun.elapsed() < TIME_MAX,
                "{part:?} took {:?}",
                begun.elapsed()
            );
        }
    }
}

/// spec: What a plan may reach.
#[test]
fn depth_is_no_way_around() {
    let place = Place::new();
    for (open, close) in [
        ("(", ")"),
        ("{ ", "; }"),
        ("echo $(", ")"),
        ("echo \"$(", ")\""),
        ("if ", "; then :; fi"),
        ("while ", "; do :; done"),
    ] {
        for depth in [1, 10, 1000] {
            let script = format!("{}rm tests/a{}", open.repeat(depth), close.repeat(depth));
            assert_eq!(
                verdict(place.script(&script)),
                "tests/a (argument of `rm`)",
                "{open} {depth}"
            );
        }
        let script = format!(
            "{}true{}; rm tests/a",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        assert_eq!(
            verdict(place.script(&script)),
            "tests/a (argument of `rm`)",
            "after {open}"
        );
    }
    let mut script = "rm tests/a".to_owned();
    for _ in 0..6 {
        script = format!("sh -c '{}'", script.replace('\'', r"'\''"));
    }
    assert_eq!(verdict(place.script(&script)), "tests/a (argument of `rm`)");
}

/// spec: What a plan may reach.
#[test]
fn a_tool_input_as_deep_as_a_plan_may_be_is_judged() {
    let place = Place::new();
    let nested = |depth: usize, inner: &str| {
        format!("{}{inner}{}", r#"{"a":["#.repeat(depth), "]}".repeat(depth))
    };
    assert_eq!(
        verdict(place.tool("t", &nested(60, r#"{"to":"tests/a"}"#))),
        "tests/a (key `to`)"
    );
    assert_eq!(
        verdict(place.tool("t", &nested(100_000, r#"{"to":"src/a"}"#))),
        "passes"
    );
}
