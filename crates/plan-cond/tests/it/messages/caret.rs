//! How a mistake is drawn under its line.

use super::{drawn, refused};

/// ruling 15: the whole of a long condition would bury the mistake.
#[test]
fn a_long_line_is_cut_around_the_mistake() {
    let long = "a".repeat(300);
    insta::assert_snapshot!(drawn(&[
        &format!("'{long}' == 'b' & '{long}' == 'c'"),
        &format!("'x' == {long} || '{long}' == 'c'"),
        &format!("$a.output == '{long}' 'x'"),
        &format!("'{long}' = '{long}'"),
    ]), @r"
    error: found `&` where `&&` was expected
     --> column 311
      |
    1 | …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' == 'b' & 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…
      |                                          ^
      = hint: write `&&`

    error: `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…` is neither quoted nor a reference
     --> column 8
      |
    1 | 'x' == aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…
      |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = hint: quote it: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'

    error: expected `&&`, `||` or the end after a whole comparison, found `'x'`
     --> column 317
      |
    1 | …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' 'x'
      |                                          ^^^
      = hint: join two comparisons with `&&` or `||`, or take the rest away

    error: found `=` where `==` was expected
     --> column 304
      |
    1 | …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…
      |                                          ^
      = hint: write `==`
    ");
}

/// ruling 15: the caret stands under the mistake whatever stands before it.
#[test]
fn wide_combining_and_invisible_characters_keep_the_caret_in_place() {
    insta::assert_snapshot!(drawn(&[
        "'日本語' == '本' & 'x' == 'y'",
        "'😀é' == 'e\u{301}' & 'x' == 'y'",
        "\t'a'\t== 'b' & 'x' == 'y'",
        "'\u{1b}[31m' == '\u{202e}x' & 'x' == 'y'",
        "'x' == 語",
        "\u{200b}",
    ]), @r"
    error: found `&` where `&&` was expected
     --> column 14
      |
    1 | '日本語' == '本' & 'x' == 'y'
      |                  ^
      = hint: write `&&`

    error: found `&` where `&&` was expected
     --> column 14
      |
    1 | '😀é' == 'é' & 'x' == 'y'
      |              ^
      = hint: write `&&`

    error: found `&` where `&&` was expected
     --> column 13
      |
    1 |     'a'    == 'b' & 'x' == 'y'
      |                   ^
      = hint: write `&&`

    error: found `&` where `&&` was expected
     --> column 17
      |
    1 | '\u{1b}[31m' == '\u{202e}x' & 'x' == 'y'
      |                             ^
      = hint: write `&&`

    error: `語` is neither quoted nor a reference
     --> column 8
      |
    1 | 'x' == 語
      |        ^^
      = hint: quote it: '語'

    error: `\u{200b}` is neither quoted nor a reference
     --> column 1
      |
    1 | \u{200b}
      | ^^^^^^^^
      = hint: quote it: '\u{200b}'
    ");
}

/// ruling 15: only the line with the mistake is shown.
#[test]
fn of_many_lines_the_one_with_the_mistake_is_shown() {
    insta::assert_snapshot!(drawn(&[
        "$a.status == 'x'\n  && $b.status = 'y'\n  && 'a' == 'b'",
        "$a.status == 'x'\r\n||\r\n",
        "'a' ==\n'never\nclosed",
        &format!("{}'a' = 'b'", "'a' == 'b' ||\n".repeat(11)),
    ]), @r"
    error: found `=` where `==` was expected
     --> column 33
      |
    2 |   && $b.status = 'y'
      |                ^
      = hint: write `==`

    error: expected a comparison after `||`, found the end of the condition
     --> column 21
      |
    2 | ||
      |   ^
      = hint: write a comparison such as `$build.status == 'success'`

    error: the literal is never closed: a second ' is missing
     --> column 8
      |
    2 | 'never
      | ^^^^^^
      = hint: write ' where the literal ends

    error: found `=` where `==` was expected
      --> column 159
       |
    12 | 'a' = 'b'
       |     ^
       = hint: write `==`
    ");
}

/// ruling 15: a column counts characters, from 1, from the beginning of the condition.
#[test]
fn a_column_counts_characters() {
    for (text, column) in [
        ("=", 1),
        ("'é' = 'x'", 5),
        ("'😀' = 'x'", 5),
        ("'a' ==", 7),
        ("'a'\n= 'b'", 5),
    ] {
        assert_eq!(refused(text).column(text), column, "{text:?}");
    }
}
