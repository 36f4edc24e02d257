//! What is missing, left over or in the wrong place.

use super::drawn;

/// ruling 15.
#[test]
fn parentheses_come_in_pairs_and_hold_something() {
    insta::assert_snapshot!(drawn(&[
        "($a.status == 'failed'",
        "('a' == 'b' && ('c' == 'd')",
        "$a.status == 'failed')",
        ")",
        "()",
        "'a' == 'b' && ( )",
    ]), @r"
    error: the parenthesis is never closed
     --> column 1
      |
    1 | ($a.status == 'failed'
      | ^
      = hint: write `)` after the last comparison that belongs to it

    error: the parenthesis is never closed
     --> column 1
      |
    1 | ('a' == 'b' && ('c' == 'd')
      | ^
      = hint: write `)` after the last comparison that belongs to it

    error: `)` closes nothing
     --> column 22
      |
    1 | $a.status == 'failed')
      |                      ^
      = hint: take it away, or write `(` before the first comparison that belongs to it

    error: `)` closes nothing
     --> column 1
      |
    1 | )
      | ^
      = hint: take it away, or write `(` before the first comparison that belongs to it

    error: the parentheses are empty
     --> column 1
      |
    1 | ()
      | ^^
      = hint: put a comparison between them, or take them away

    error: the parentheses are empty
     --> column 15
      |
    1 | 'a' == 'b' && ( )
      |               ^^^
      = hint: put a comparison between them, or take them away
    ");
}

/// ruling 12.
#[test]
fn parentheses_hold_whole_comparisons() {
    insta::assert_snapshot!(drawn(&[
        "('a' == 'b') == 'c'",
        "'a' == ('b')",
        "('a') == 'b'",
        "('a' == 'b') == ('c' == 'd')",
    ]), @r"
    error: `==` compares two texts, not what is in parentheses
     --> column 14
      |
    1 | ('a' == 'b') == 'c'
      |              ^^
      = hint: put parentheses around whole comparisons only, and join those with `&&` or `||`

    error: `==` compares two texts, not what is in parentheses
     --> column 5
      |
    1 | 'a' == ('b')
      |     ^^
      = hint: put parentheses around whole comparisons only, and join those with `&&` or `||`

    error: `==` compares two texts, not what is in parentheses
     --> column 7
      |
    1 | ('a') == 'b'
      |       ^^
      = hint: put parentheses around whole comparisons only, and join those with `&&` or `||`

    error: `==` compares two texts, not what is in parentheses
     --> column 14
      |
    1 | ('a' == 'b') == ('c' == 'd')
      |              ^^
      = hint: put parentheses around whole comparisons only, and join those with `&&` or `||`
    ");
}

/// ruling 15.
#[test]
fn a_comparison_has_two_sides() {
    insta::assert_snapshot!(drawn(&[
        "$a.status ==",
        "== 'x'",
        "'a' == && 'b' == 'c'",
        "('a' ==)",
        "'a' == == 'b'",
    ]), @r"
    error: expected a reference or a quoted literal after `==`, found the end of the condition
     --> column 13
      |
    1 | $a.status ==
      |             ^
      = hint: write a reference such as `$build.status`, or a quoted literal such as 'failed'

    error: expected a reference or a quoted literal before `==`
     --> column 1
      |
    1 | == 'x'
      | ^^
      = hint: write a reference such as `$build.status`, or a quoted literal such as 'failed'

    error: expected a reference or a quoted literal after `==`, found `&&`
     --> column 8
      |
    1 | 'a' == && 'b' == 'c'
      |        ^^
      = hint: write a reference such as `$build.status`, or a quoted literal such as 'failed'

    error: expected a reference or a quoted literal after `==`, found `)`
     --> column 8
      |
    1 | ('a' ==)
      |        ^
      = hint: write a reference such as `$build.status`, or a quoted literal such as 'failed'

    error: expected a reference or a quoted literal after `==`, found `==`
     --> column 8
      |
    1 | 'a' == == 'b'
      |        ^^
      = hint: write a reference such as `$build.status`, or a quoted literal such as 'failed'
    ");
}

/// ruling 15.
#[test]
fn a_joint_has_two_comparisons() {
    insta::assert_snapshot!(drawn(&[
        "$a.status == 'x' &&",
        "&& 'x' == 'x'",
        "'a' == 'b' || && 'c' == 'd'",
        "('a' == 'b' ||)",
    ]), @r"
    error: expected a comparison after `&&`, found the end of the condition
     --> column 20
      |
    1 | $a.status == 'x' &&
      |                    ^
      = hint: write a comparison such as `$build.status == 'success'`

    error: expected a comparison, found `&&`
     --> column 1
      |
    1 | && 'x' == 'x'
      | ^^
      = hint: write a comparison such as `$build.status == 'success'`

    error: expected a comparison after `||`, found `&&`
     --> column 15
      |
    1 | 'a' == 'b' || && 'c' == 'd'
      |               ^^
      = hint: write a comparison such as `$build.status == 'success'`

    error: expected a comparison after `||`, found `)`
     --> column 15
      |
    1 | ('a' == 'b' ||)
      |               ^
      = hint: write a comparison such as `$build.status == 'success'`
    ");
}

/// ruling 15.
#[test]
fn two_sides_need_an_operator_between_them() {
    insta::assert_snapshot!(drawn(&[
        "$a.status 'failed'",
        "'x' $a.output",
        "$a.output contains 'x'",
        "$a.status ('x')",
    ]), @r"
    error: expected `==`, `!=`, `>` or `<` after `$a.status`, found `'failed'`
     --> column 11
      |
    1 | $a.status 'failed'
      |           ^^^^^^^^
      = hint: write `$a.status == 'failed'`

    error: expected `==`, `!=`, `>` or `<` after 'x', found `$a.output`
     --> column 5
      |
    1 | 'x' $a.output
      |     ^^^^^^^^^
      = hint: write `'x' == $a.output`

    error: expected `==`, `!=`, `>` or `<` after `$a.output`, found `contains`
     --> column 11
      |
    1 | $a.output contains 'x'
      |           ^^^^^^^^
      = hint: compare with `==`, `!=`, `>` or `<`, and join comparisons with `&&` or `||`

    error: expected `==`, `!=`, `>` or `<` after `$a.status`, found `(`
     --> column 11
      |
    1 | $a.status ('x')
      |           ^
      = hint: compare with `==`, `!=`, `>` or `<`, and join comparisons with `&&` or `||`
    ");
}

/// ruling 15: trailing text.
#[test]
fn two_comparisons_need_a_joint_between_them() {
    insta::assert_snapshot!(drawn(&[
        "$a.status == 'x' $b.status == 'y'",
        "('a' == 'b' 'c' == 'd')",
        "'a' == 'b';",
        "'a' == 'b' ! 'c'",
        "'a' == 'b' ('c' == 'd')",
    ]), @r"
    error: expected `&&`, `||` or the end after a whole comparison, found `$b.status`
     --> column 18
      |
    1 | $a.status == 'x' $b.status == 'y'
      |                  ^^^^^^^^^
      = hint: join two comparisons with `&&` or `||`, or take the rest away

    error: expected `&&`, `||` or `)` after a whole comparison, found `'c'`
     --> column 13
      |
    1 | ('a' == 'b' 'c' == 'd')
      |             ^^^
      = hint: join two comparisons with `&&` or `||`, or take the rest away

    error: expected `&&`, `||` or the end after a whole comparison, found `;`
     --> column 11
      |
    1 | 'a' == 'b';
      |           ^
      = hint: join two comparisons with `&&` or `||`, or take the rest away

    error: expected `&&`, `||` or the end after a whole comparison, found `!`
     --> column 12
      |
    1 | 'a' == 'b' ! 'c'
      |            ^
      = hint: join two comparisons with `&&` or `||`, or take the rest away

    error: expected `&&`, `||` or the end after a whole comparison, found `(`
     --> column 12
      |
    1 | 'a' == 'b' ('c' == 'd')
      |            ^
      = hint: join two comparisons with `&&` or `||`, or take the rest away
    ");
}
