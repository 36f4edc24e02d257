//! What stands for an operator and is none.

use super::drawn;

/// ruling 15: `>=`.
#[test]
fn or_equal_is_two_comparisons() {
    insta::assert_snapshot!(drawn(&[
        "$a.status >= 'x'",
        "$a.output<=\"9\" && 'a' == 'b'",
        "$a.output >=",
    ]), @r#"
    error: `>=` is not an operator
     --> column 11
      |
    1 | $a.status >= 'x'
      |           ^^
      = hint: write `($a.status > 'x' || $a.status == 'x')`

    error: `<=` is not an operator
     --> column 10
      |
    1 | $a.output<="9" && 'a' == 'b'
      |          ^^
      = hint: write `($a.output < "9" || $a.output == "9")`

    error: `>=` is not an operator
     --> column 11
      |
    1 | $a.output >=
      |           ^^
      = hint: write `($a.output > '…' || $a.output == '…')`
    "#);
}

/// ruling 15: `=`.
#[test]
fn one_equals_sign_is_too_few_and_three_are_too_many() {
    insta::assert_snapshot!(drawn(&[
        "$a.status = 'failed'",
        "$a.status === 'failed'",
        "$a.status!=='failed'",
    ]), @r"
    error: found `=` where `==` was expected
     --> column 11
      |
    1 | $a.status = 'failed'
      |           ^
      = hint: write `==`

    error: `===` has one `=` too many
     --> column 11
      |
    1 | $a.status === 'failed'
      |           ^^^
      = hint: write `==`

    error: `!==` has one `=` too many
     --> column 10
      |
    1 | $a.status!=='failed'
      |          ^^^
      = hint: write `!=`
    ");
}

/// ruling 15: `!x`.
#[test]
fn nothing_is_negated() {
    insta::assert_snapshot!(drawn(&[
        "!$a.status",
        "! $a.output == 'x'",
        "not $a.status != 'failed'",
        "!($a.status == 'x')",
        "$a.status == !'x'",
        "NOT $a.output > 'x'",
    ]), @r"
    error: `!` negates, and conditions have no negation
     --> column 1
      |
    1 | !$a.status
      | ^
      = hint: write `$a.status != 'success'`

    error: `!` negates, and conditions have no negation
     --> column 1
      |
    1 | ! $a.output == 'x'
      | ^
      = hint: write `$a.output != 'x'`

    error: `not` negates, and conditions have no negation
     --> column 1
      |
    1 | not $a.status != 'failed'
      | ^^^
      = hint: write `$a.status == 'failed'`

    error: `!` negates, and conditions have no negation
     --> column 1
      |
    1 | !($a.status == 'x')
      | ^
      = hint: turn each comparison round: `!=` for `==`, `==` for `!=`

    error: `!` negates, and conditions have no negation
     --> column 14
      |
    1 | $a.status == !'x'
      |              ^
      = hint: turn each comparison round: `!=` for `==`, `==` for `!=`

    error: `NOT` negates, and conditions have no negation
     --> column 1
      |
    1 | NOT $a.output > 'x'
      | ^^^
      = hint: turn each comparison round: `!=` for `==`, `==` for `!=`
    ");
}

/// ruling 15: `and`.
#[test]
fn words_are_no_operators() {
    insta::assert_snapshot!(drawn(&[
        "$a.status == 'x' and $b.status == 'y'",
        "$a.status=='x'OR $b.status == 'y'",
        "$a.status is 'failed'",
        "$a.output gt '5'",
        "and 'a' == 'b'",
    ]), @r"
    error: `and` is not an operator
     --> column 18
      |
    1 | $a.status == 'x' and $b.status == 'y'
      |                  ^^^
      = hint: write `&&`

    error: `OR` is not an operator
     --> column 15
      |
    1 | $a.status=='x'OR $b.status == 'y'
      |               ^^
      = hint: write `||`

    error: `is` is not an operator
     --> column 11
      |
    1 | $a.status is 'failed'
      |           ^^
      = hint: write `==`

    error: `gt` is not an operator
     --> column 11
      |
    1 | $a.output gt '5'
      |           ^^
      = hint: write `>`

    error: expected a comparison, found `and`
     --> column 1
      |
    1 | and 'a' == 'b'
      | ^^^
      = hint: write a comparison such as `$build.status == 'success'`
    ");
}

/// ruling 15.
#[test]
fn one_sign_is_half_a_joint() {
    insta::assert_snapshot!(drawn(&[
        "$a.status == 'x' & 'a' == 'b'",
        "$a.status == 'x' | 'a' == 'b'",
        "| 'a' == 'b'",
    ]), @r"
    error: found `&` where `&&` was expected
     --> column 18
      |
    1 | $a.status == 'x' & 'a' == 'b'
      |                  ^
      = hint: write `&&`

    error: found `|` where `||` was expected
     --> column 18
      |
    1 | $a.status == 'x' | 'a' == 'b'
      |                  ^
      = hint: write `||`

    error: expected a comparison, found `|`
     --> column 1
      |
    1 | | 'a' == 'b'
      | ^
      = hint: write a comparison such as `$build.status == 'success'`
    ");
}

/// ruling 15.
#[test]
fn comparisons_do_not_chain() {
    insta::assert_snapshot!(drawn(&[
        "'a' == 'b' == 'c'",
        "$a.output < $b.output<$c.output",
        "'a' == 'b' >= 'c'",
    ]), @r"
    error: `==` follows a comparison that is already whole
     --> column 12
      |
    1 | 'a' == 'b' == 'c'
      |            ^^
      = hint: compare two texts at a time, joined by `&&`: write `&& 'b' ==`

    error: `<` follows a comparison that is already whole
     --> column 22
      |
    1 | $a.output < $b.output<$c.output
      |                      ^
      = hint: compare two texts at a time, joined by `&&`: write `&& $b.output <`

    error: `>=` follows a comparison that is already whole
     --> column 12
      |
    1 | 'a' == 'b' >= 'c'
      |            ^^
      = hint: compare with `==`, `!=`, `>` or `<`, and join comparisons with `&&` or `||`
    ");
}

/// ruling 15.
#[test]
fn other_signs_are_no_operators() {
    insta::assert_snapshot!(drawn(&[
        "$a.status <> 'x'",
        "$a.status ! 'x'",
        "$a.status => 'x'",
        "'a' == 'b' &&& 'c' == 'd'",
        "$a.status ==! 'x'",
    ]), @r"
    error: `<>` is not an operator
     --> column 11
      |
    1 | $a.status <> 'x'
      |           ^^
      = hint: write `!=`

    error: `!` is not an operator
     --> column 11
      |
    1 | $a.status ! 'x'
      |           ^
      = hint: write `!=`

    error: `=>` is not an operator
     --> column 11
      |
    1 | $a.status => 'x'
      |           ^^
      = hint: compare with `==`, `!=`, `>` or `<`, and join comparisons with `&&` or `||`

    error: `&&&` is not an operator
     --> column 12
      |
    1 | 'a' == 'b' &&& 'c' == 'd'
      |            ^^^
      = hint: write `&&`

    error: `==!` is not an operator
     --> column 11
      |
    1 | $a.status ==! 'x'
      |           ^^^
      = hint: compare with `==`, `!=`, `>` or `<`, and join comparisons with `&&` or `||`
    ");
}
