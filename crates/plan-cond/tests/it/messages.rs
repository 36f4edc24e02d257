//! Every mistake, as the author of a condition sees it.

use std::collections::BTreeSet;

use plan_cond::{ErrorKind, ParseError, parse};

fn refused(text: &str) -> ParseError {
    parse(text).expect_err(text)
}

fn drawn(texts: &[&str]) -> String {
    let each = texts
        .iter()
        .map(|text| refused(text).caret(text).to_string());
    each.collect::<Vec<_>>().join("\n\n")
}

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

/// ruling 15: a bare `$a.status`.
#[test]
fn a_reference_alone_is_no_comparison() {
    insta::assert_snapshot!(drawn(&[
        "$a.status",
        "$a.output && $b.status == 'failed'",
        "($a.status)",
        "$a.status or $b.status",
    ]), @r"
    error: `$a.status` is compared with nothing
     --> column 1
      |
    1 | $a.status
      | ^^^^^^^^^
      = hint: write `$a.status == 'success'`

    error: `$a.output` is compared with nothing
     --> column 1
      |
    1 | $a.output && $b.status == 'failed'
      | ^^^^^^^^^
      = hint: write `$a.output == 'some text'`

    error: `$a.status` is compared with nothing
     --> column 2
      |
    1 | ($a.status)
      |  ^^^^^^^^^
      = hint: write `$a.status == 'success'`

    error: `$a.status` is compared with nothing
     --> column 1
      |
    1 | $a.status or $b.status
      | ^^^^^^^^^
      = hint: write `$a.status == 'success'`
    ");
}

/// ruling 15.
#[test]
fn a_literal_or_a_word_alone_is_no_comparison() {
    insta::assert_snapshot!(drawn(&[
        "'x'",
        "true",
        "'a' == 'b' && always",
    ]), @r"
    error: 'x' is compared with nothing
     --> column 1
      |
    1 | 'x'
      | ^^^
      = hint: compare it with a reference, such as `$build.output == 'x'`

    error: `true` is no comparison
     --> column 1
      |
    1 | true
      | ^^^^
      = hint: write a comparison such as `$build.status == 'success'`, or leave the condition out of a step that always runs

    error: `always` is no comparison
     --> column 15
      |
    1 | 'a' == 'b' && always
      |               ^^^^^^
      = hint: write a comparison such as `$build.status == 'success'`, or leave the condition out of a step that always runs
    ");
}

/// ruling 15: an unclosed quote.
#[test]
fn a_literal_has_two_quotes_of_one_kind() {
    insta::assert_snapshot!(drawn(&[
        "$a.status == 'failed",
        "$a.status == \"failed'",
        "'",
        "'a' == 'b' && 'c",
        "$a.output 'x",
        "$a.status == “failed”",
        "`a` == 'b'",
    ]), @r#"
    error: the literal is never closed: a second ' is missing
     --> column 14
      |
    1 | $a.status == 'failed
      |              ^^^^^^^
      = hint: write ' where the literal ends

    error: the literal is never closed: a second " is missing
     --> column 14
      |
    1 | $a.status == "failed'
      |              ^^^^^^^^
      = hint: write " where the literal ends

    error: the literal is never closed: a second ' is missing
     --> column 1
      |
    1 | '
      | ^
      = hint: write ' where the literal ends

    error: the literal is never closed: a second ' is missing
     --> column 15
      |
    1 | 'a' == 'b' && 'c
      |               ^^
      = hint: write ' where the literal ends

    error: the literal is never closed: a second ' is missing
     --> column 11
      |
    1 | $a.output 'x
      |           ^^
      = hint: write ' where the literal ends

    error: “ does not quote a literal
     --> column 14
      |
    1 | $a.status == “failed”
      |              ^
      = hint: quote with ' or "

    error: ` does not quote a literal
     --> column 1
      |
    1 | `a` == 'b'
      | ^
      = hint: quote with ' or "
    "#);
}

/// ruling 12: literals have no escapes.
#[test]
fn a_literal_cannot_hold_its_own_quote() {
    insta::assert_snapshot!(drawn(&[
        r#"$a.output == 'it\'s'"#,
        r#"$a.output == "say \"hi\"""#,
        "$a.output == 'it's'",
        "$a.output == 'it''s'",
    ]), @r#"
    error: a backslash escapes nothing: the literal ends at ', before `s`
     --> column 17
      |
    1 | $a.output == 'it\'s'
      |                 ^^
      = hint: quote a literal that holds ' with ", and leave the backslash out

    error: a backslash escapes nothing: the literal ends at ", before `hi\`
     --> column 19
      |
    1 | $a.output == "say \"hi\""
      |                   ^^
      = hint: quote a literal that holds " with ', and leave the backslash out

    error: the literal ends at ', right before `s`
     --> column 17
      |
    1 | $a.output == 'it's'
      |                 ^
      = hint: quote a literal that holds ' with "

    error: the literal ends at ', right before `'s'`
     --> column 17
      |
    1 | $a.output == 'it''s'
      |                 ^
      = hint: quote a literal that holds ' with "
    "#);
}

/// ruling 15.
#[test]
fn a_word_or_a_number_needs_quotes() {
    insta::assert_snapshot!(drawn(&[
        "$a.status == failed",
        "$a.output > 5",
        "a.status == 'success'",
        "-1 < '5'",
    ]), @r"
    error: `failed` is neither quoted nor a reference
     --> column 14
      |
    1 | $a.status == failed
      |              ^^^^^^
      = hint: quote it: 'failed'

    error: `5` is neither quoted nor a reference
     --> column 13
      |
    1 | $a.output > 5
      |             ^
      = hint: quote it: '5'; it is compared as text, so '10' < '9'

    error: `a.status` is neither quoted nor a reference
     --> column 1
      |
    1 | a.status == 'success'
      | ^^^^^^^^
      = hint: write `$a.status` for the step's result, or 'a.status' for the text

    error: `-1` is neither quoted nor a reference
     --> column 1
      |
    1 | -1 < '5'
      | ^^
      = hint: quote it: '-1'; it is compared as text, so '10' < '9'
    ");
}

/// ruling 15.
#[test]
fn a_reference_has_a_step_and_a_field() {
    insta::assert_snapshot!(drawn(&[
        "$a == 'x'",
        "$.output == 'x'",
        "$ == 'x'",
        "$a.5 == 'x'",
        "$a.out-put == 'x'",
        "$a.output[0] == 'x'",
    ]), @r"
    error: `$a` names a step without a field
     --> column 1
      |
    1 | $a == 'x'
      | ^^
      = hint: write `$a.status` or `$a.output`

    error: `$.output` names no step
     --> column 1
      |
    1 | $.output == 'x'
      | ^^^^^^^^
      = hint: write `$<step id>.status` or `$<step id>.output`

    error: `$` names no step
     --> column 1
      |
    1 | $ == 'x'
      | ^
      = hint: write `$<step id>.status` or `$<step id>.output`

    error: `$a.5` does not end in the name of a field
     --> column 1
      |
    1 | $a.5 == 'x'
      | ^^^^
      = hint: write `$a.status` or `$a.output`

    error: `$a.out-put` does not end in the name of a field
     --> column 1
      |
    1 | $a.out-put == 'x'
      | ^^^^^^^^^^
      = hint: write `$a.status` or `$a.output`

    error: `$a.output[0]` does not end in the name of a field
     --> column 1
      |
    1 | $a.output[0] == 'x'
      | ^^^^^^^^^^^^
      = hint: write `$a.status` or `$a.output`
    ");
}

/// ruling 15.
#[test]
fn a_reference_has_no_braces() {
    insta::assert_snapshot!(drawn(&[
        "${a.status} == 'x'",
        "${{ a.status }} == 'x'",
        "'x' == {{a.status}}",
        "${a} == 'x'",
    ]), @r"
    error: `${a.status}` has braces, and references have none
     --> column 1
      |
    1 | ${a.status} == 'x'
      | ^^^^^^^^^^^
      = hint: write `$a.status`

    error: `${{` has braces, and references have none
     --> column 1
      |
    1 | ${{ a.status }} == 'x'
      | ^^^
      = hint: write `$<step id>.status`

    error: `{{a.status}}` has braces, and references have none
     --> column 8
      |
    1 | 'x' == {{a.status}}
      |        ^^^^^^^^^^^^
      = hint: write `$a.status`

    error: `${a}` has braces, and references have none
     --> column 1
      |
    1 | ${a} == 'x'
      | ^^^^
      = hint: write `$a.status`
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
fn conditions_have_no_functions() {
    insta::assert_snapshot!(drawn(&[
        "success()",
        "contains($a.output, 'x')",
    ]), @r"
    error: `success(` calls a function, and conditions have none
     --> column 1
      |
    1 | success()
      | ^^^^^^^^
      = hint: write a comparison such as `$build.status == 'success'`

    error: `contains(` calls a function, and conditions have none
     --> column 1
      |
    1 | contains($a.output, 'x')
      | ^^^^^^^^^
      = hint: write a comparison such as `$build.status == 'success'`
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

/// ruling 15: each kind of mistake has an error of its own.
#[test]
fn every_kind_of_mistake_has_its_error() {
    let too_deep = "(".repeat(200);
    let mistakes = [
        ("BackslashQuote", r"'it\'s' == 'x'"),
        ("BareLiteral", "'x'"),
        ("BareReference", "$a.status"),
        ("BareWord", "true"),
        ("Braces", "${a.status} == 'x'"),
        ("ChainedComparison", "'a' == 'b' == 'c'"),
        ("EmptyParentheses", "()"),
        ("ForeignQuote", "“x” == 'x'"),
        ("FunctionCall", "success()"),
        ("GroupCompared", "('a' == 'b') == 'c'"),
        ("MissingComparison", "'a' == 'b' &&"),
        ("MissingLeft", "== 'x'"),
        ("MissingOperator", "'a' 'b'"),
        ("MissingRight", "'a' =="),
        ("Negation", "!$a.status"),
        ("OrEqual", "'a' >= 'b'"),
        ("QuoteInLiteral", "'a' == 'it's'"),
        ("ReferenceField", "$a.5 == 'x'"),
        ("ReferenceWithoutField", "$a == 'x'"),
        ("ReferenceWithoutStep", "$.output == 'x'"),
        ("SingleAmpersand", "'a' == 'b' & 'c' == 'd'"),
        ("SingleEquals", "'a' = 'b'"),
        ("SinglePipe", "'a' == 'b' | 'c' == 'd'"),
        ("TrailingText", "'a' == 'b' 'c'"),
        ("TripleEquals", "'a' === 'b'"),
        ("UnclosedParenthesis", "('a' == 'b'"),
        ("UnclosedQuote", "'a' == 'b"),
        ("UnknownOperator", "'a' <> 'b'"),
        ("UnopenedParenthesis", "'a' == 'b')"),
        ("UnquotedWord", "'a' == b"),
        ("WordOperator", "'a' == 'b' and 'c' == 'd'"),
        ("TooDeep", too_deep.as_str()),
    ];
    for (kind, text) in mistakes {
        assert_eq!(name(&refused(text).kind), kind, "{text}");
    }
    // A text over 4 GiB is left out: it would take as much memory to see.
    let kinds: BTreeSet<_> = mistakes.map(|(kind, _)| kind).into();
    assert_eq!(kinds.len() + 1, KINDS);
    let too_long = ParseError {
        span: 0..0,
        kind: ErrorKind::TooLong,
    };
    insta::assert_snapshot!(format!("{too_long}; hint: {}", too_long.hint()), @r"the condition is longer than 4 GiB; hint: let a step decide and compare its output");
}

/// How many kinds [`name`] names.
const KINDS: usize = 33;

/// Names a kind. A new one does not compile until it is counted and shown.
fn name(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::BackslashQuote { .. } => "BackslashQuote",
        ErrorKind::BareLiteral { .. } => "BareLiteral",
        ErrorKind::BareReference { .. } => "BareReference",
        ErrorKind::BareWord { .. } => "BareWord",
        ErrorKind::Braces { .. } => "Braces",
        ErrorKind::ChainedComparison { .. } => "ChainedComparison",
        ErrorKind::EmptyParentheses => "EmptyParentheses",
        ErrorKind::ForeignQuote { .. } => "ForeignQuote",
        ErrorKind::FunctionCall { .. } => "FunctionCall",
        ErrorKind::GroupCompared { .. } => "GroupCompared",
        ErrorKind::MissingComparison { .. } => "MissingComparison",
        ErrorKind::MissingLeft { .. } => "MissingLeft",
        ErrorKind::MissingOperator { .. } => "MissingOperator",
        ErrorKind::MissingRight { .. } => "MissingRight",
        ErrorKind::Negation { .. } => "Negation",
        ErrorKind::OrEqual { .. } => "OrEqual",
        ErrorKind::QuoteInLiteral { .. } => "QuoteInLiteral",
        ErrorKind::ReferenceField { .. } => "ReferenceField",
        ErrorKind::ReferenceWithoutField { .. } => "ReferenceWithoutField",
        ErrorKind::ReferenceWithoutStep { .. } => "ReferenceWithoutStep",
        ErrorKind::SingleAmpersand => "SingleAmpersand",
        ErrorKind::SingleEquals => "SingleEquals",
        ErrorKind::SinglePipe => "SinglePipe",
        ErrorKind::TooDeep { .. } => "TooDeep",
        ErrorKind::TooLong => "TooLong",
        ErrorKind::TrailingText { .. } => "TrailingText",
        ErrorKind::TripleEquals { .. } => "TripleEquals",
        ErrorKind::UnclosedParenthesis => "UnclosedParenthesis",
        ErrorKind::UnclosedQuote { .. } => "UnclosedQuote",
        ErrorKind::UnknownOperator { .. } => "UnknownOperator",
        ErrorKind::UnopenedParenthesis => "UnopenedParenthesis",
        ErrorKind::UnquotedWord { .. } => "UnquotedWord",
        ErrorKind::WordOperator { .. } => "WordOperator",
    }
}
