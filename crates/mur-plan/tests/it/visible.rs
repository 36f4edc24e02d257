//! Text made fit for a terminal.

use mur_plan::cli::visible::{elapsed, first_line, fit, fit_end, visible, visible_lines};

/// decision: terminal escapes from a plan, a tool or a command never reach the terminal.
#[test]
fn what_steers_a_terminal_is_replaced_one_for_one() {
    assert_eq!(visible("a\x1b[31mb\0\x7f"), "a␛[31mb␀␡");
    assert_eq!(visible("a\tb\r\nc"), "a b␍␊c");
    assert_eq!(visible_lines("a\r\nb"), "a␍\nb");
    assert_eq!(
        visible("a\u{202e}b\u{9b}31m\u{2066}"),
        "a\u{fffd}b\u{fffd}31m\u{fffd}"
    );
    for code in (0..0xa0).chain(0x2000..0x2070) {
        let Some(character) = char::from_u32(code) else {
            continue;
        };
        let text = visible(&character.to_string()).into_owned();
        assert_eq!(text.chars().count(), 1);
        assert!(
            !text.chars().any(char::is_control),
            "U+{code:04X} stays {text:?}"
        );
    }
}

/// decision: a line fits its window by columns, not by characters.
#[test]
fn a_text_is_cut_by_columns_and_says_so() {
    assert_eq!(fit("abcdef", 6), "abcdef");
    assert_eq!(fit("abcdef", 5), "abcd…");
    assert_eq!(fit("数数数", 6), "数数数");
    assert_eq!(fit("数数数", 5), "数数…");
    assert_eq!(fit("数数数", 4), "数…");
    assert_eq!(fit("abc", 1), "…");
    assert_eq!(fit("abc", 0), "");
    assert_eq!(fit_end("abcdef", 5), "…cdef");
    assert_eq!(fit_end("数数数", 4), "…数");
    assert_eq!(fit_end("abc", 0), "");
}

/// decision: a table shows the first line that says something.
#[test]
fn the_first_line_says_when_more_follows() {
    assert_eq!(first_line(""), "");
    assert_eq!(first_line("one\n"), "one");
    assert_eq!(first_line("\n\none\r\ntwo"), "one …");
    assert_eq!(
        first_line(&"x".repeat(5000)),
        format!("{} …", "x".repeat(500))
    );
}

/// decision: times read at a glance.
#[test]
fn a_time_has_two_units_at_most() {
    let times = [0, 49, 950, 59_999, 60_000, 3_599_000, 3_600_000, 90_061_000];
    let shown = times.map(elapsed).join("\n");
    insta::assert_snapshot!(shown, @r"
    0.0 s
    0.0 s
    0.9 s
    59.9 s
    1 min 00 s
    59 min 59 s
    1 h 00 min
    25 h 01 min
    ");
}
