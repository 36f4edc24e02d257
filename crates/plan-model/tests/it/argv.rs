//! Splitting command lines (ruling 31).

use std::process::Command;

use plan_model::argv::{SplitReason, split};
use proptest::prelude::*;

fn words(line: &str) -> Vec<String> {
    split(line).expect("the line can be split")
}

/// ruling 31: quoting rules and nothing else.
#[test]
fn words_are_split_by_quoting_alone() {
    assert_eq!(
        words("bash -c 'cargo test --quiet'"),
        ["bash", "-c", "cargo test --quiet"]
    );
    assert_eq!(words(" a  b\tc\nd "), ["a", "b", "c", "d"]);
    assert_eq!(
        words("a && b | c > d # e"),
        ["a", "&&", "b", "|", "c", ">", "d", "#", "e"]
    );
    assert_eq!(
        words("$HOME ~ *.rs `x` $(y)"),
        ["$HOME", "~", "*.rs", "`x`", "$(y)"]
    );
    assert_eq!(words(r#"'' "" a''b"#), ["", "", "ab"]);
    assert_eq!(words(r"'a\b'\''c'"), [r"a\b'c"]);
    assert_eq!(words(r#""a\\b\"c\$d\`e\f""#), [r#"a\b"c$d`e\f"#]);
    assert_eq!(
        words("a\\\nb \\\n c \"d\\\ne\" \\ x"),
        ["ab", "c", "de", " x"]
    );
    assert_eq!(words("é\\é'é'\"é\""), ["éééé"]);
    assert_eq!(words("a\rb\u{a0}c"), ["a\rb\u{a0}c"]);
}

/// ruling 31: an unclosed quote, a trailing backslash or an empty line cannot be split.
#[test]
fn what_cannot_be_split_is_told_with_its_place() {
    let refused = |line| split(line).map_err(|error| (error.span, error.reason));
    assert_eq!(refused("a 'b c"), Err((2..6, SplitReason::SingleQuote)));
    assert_eq!(refused("a \"b\\\""), Err((2..6, SplitReason::DoubleQuote)));
    assert_eq!(refused("a \"b\\"), Err((2..5, SplitReason::DoubleQuote)));
    assert_eq!(refused("a b\\"), Err((3..4, SplitReason::Backslash)));
    assert_eq!(refused(""), Err((0..0, SplitReason::Empty)));
    assert_eq!(refused(" \t\n"), Err((0..3, SplitReason::Empty)));
    assert_eq!(refused("\\\n"), Err((0..2, SplitReason::Empty)));
}

/// A second splitter: one character at a time, one state, no slices.
fn plain(line: &str) -> Option<Vec<String>> {
    #[derive(Clone, Copy, PartialEq)]
    enum In {
        Plain,
        Single,
        Double,
    }
    let (mut words, mut word, mut state) = (Vec::new(), None::<String>, In::Plain);
    let mut chars = line.chars();
    while let Some(char) = chars.next() {
        match (state, char) {
            (In::Plain, ' ' | '\t' | '\n') => words.extend(word.take()),
            (In::Plain, '\'') => {
                state = In::Single;
                word.get_or_insert_default();
            }
            (In::Plain, '"') => {
                state = In::Double;
                word.get_or_insert_default();
            }
            (In::Plain, '\\') => match chars.next()? {
                '\n' => {}
                kept => word.get_or_insert_default().push(kept),
            },
            (In::Single, '\'') | (In::Double, '"') => state = In::Plain,
            (In::Double, '\\') => match chars.next()? {
                '\n' => {}
                kept @ ('\\' | '"' | '$' | '`') => word.get_or_insert_default().push(kept),
                other => word.get_or_insert_default().extend(['\\', other]),
            },
            (In::Plain | In::Single | In::Double, other) => {
                word.get_or_insert_default().push(other)
            }
        }
    }
    words.extend(word);
    (state == In::Plain && !words.is_empty()).then_some(words)
}

fn line() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "é", " ", "\t", "\n", "'", "\"", "\\", "$", "`", "#", "\\\n", "''",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// ruling 31.
    #[test]
    fn a_line_splits_as_a_plain_splitter_says(line in line()) {
        prop_assert_eq!(split(&line).ok(), plain(&line));
    }

    /// ruling 31: the reading is the one shells have.
    #[test]
    fn single_quoted_words_come_back(words in prop::collection::vec("[^\0]{0,6}", 1..5)) {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
        prop_assert_eq!(split(&quoted.join(" ")).unwrap(), words);
    }
}

/// ruling 31: words without expansions are what a shell makes of them.
#[test]
fn a_line_splits_as_bash_splits_it() {
    let lines = [
        r#"a 'b c' "d e" f\ g"#,
        r#"'' "" a''b""c"#,
        r#""a\\b\"c\$d\`e\f\'" 'a\b'"#,
        "a\\\nb \"c\\\nd\" 'e\\\nf'",
        "é\\é \\'x\\' \\\"y\\\"",
        r"a\b\\c",
        "\\\n a",
    ];
    for line in lines {
        let output = Command::new("bash")
            .args(["-c", &format!("printf '%s\\0' {line}")])
            .output();
        let Ok(output) = output else {
            println!("no bash here: skipped");
            return;
        };
        let printed = String::from_utf8(output.stdout).unwrap();
        let bash: Vec<&str> = printed.split_terminator('\0').collect();
        assert_eq!(words(line), bash, "{line}");
    }
}
