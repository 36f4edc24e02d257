//! What stands for a reference or a literal and is none.

use super::drawn;

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
