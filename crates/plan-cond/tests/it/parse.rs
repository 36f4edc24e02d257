//! Which conditions parse, and to which tree.

use plan_cond::{CmpOp, Cond, MAX_DEPTH, Spelled, Value, parse};

/// Writes the tree with every group in brackets, so that precedence shows, and every operand with its span.
fn tree(text: &str) -> String {
    match parse(text) {
        Ok(Some(cond)) => branch(&cond),
        Ok(None) => "blank".to_owned(),
        Err(error) => format!("error at {}: {error}", error.column(text)),
    }
}

fn branch(cond: &Cond<Spelled<'_>>) -> String {
    let sides =
        |sides: &[Cond<Spelled<'_>>]| sides.iter().map(branch).collect::<Vec<_>>().join(" ");
    match cond {
        Cond::Or(all) => format!("or[{}]", sides(all)),
        Cond::And(all) => format!("and[{}]", sides(all)),
        Cond::Compare(comparison) => {
            let [left, right] = [&comparison.left, &comparison.right].map(|operand| {
                let value = match &operand.value {
                    Value::Reference(Spelled { step, field }) => format!("{step}#{field}"),
                    Value::Literal(text) => format!("{text:?}"),
                };
                format!("{value}@{:?}", operand.span)
            });
            let op = match comparison.op {
                CmpOp::Equal => "eq",
                CmpOp::NotEqual => "ne",
                CmpOp::Greater => "gt",
                CmpOp::Less => "lt",
            };
            format!("{op}({left} {right})")
        }
    }
}

fn trees(texts: &[&str]) -> String {
    let each = texts
        .iter()
        .map(|text| format!("{}\n  {}\n", visible(text), tree(text)));
    each.collect()
}

/// Escapes what a snapshot would not show.
fn visible(text: &str) -> String {
    let hides = |c: char| c.is_control() || (c.is_whitespace() && c != ' ');
    let each = text.chars().map(|c| {
        if hides(c) {
            c.escape_default().to_string()
        } else {
            c.to_string()
        }
    });
    each.collect()
}

/// spec: Conditions; ruling 12.
#[test]
fn every_operator_and_both_kinds_of_quotes_are_read() {
    insta::assert_snapshot!(trees(&[
        "$a.status == 'failed'",
        "$a.output != \"ok\"",
        "'a' > $b.output",
        "$a.output < $b.output",
        "'' == \"\"",
        "'it is \"so\"' == \"it's\"",
    ]), @r#"
    $a.status == 'failed'
      eq(a#status@0..9 "failed"@13..21)
    $a.output != "ok"
      ne(a#output@0..9 "ok"@13..17)
    'a' > $b.output
      gt("a"@0..3 b#output@6..15)
    $a.output < $b.output
      lt(a#output@0..9 b#output@12..21)
    '' == ""
      eq(""@0..2 ""@6..8)
    'it is "so"' == "it's"
      eq("it is \"so\""@0..12 "it's"@16..22)
    "#);
}

/// ruling 12: `&&` binds tighter than `||`; parentheses are this project's addition.
#[test]
fn and_binds_tighter_than_or_and_parentheses_override_it() {
    insta::assert_snapshot!(trees(&[
        "'a'=='b' || 'c'=='d' && 'e'=='f'",
        "'a'=='b' && 'c'=='d' || 'e'=='f'",
        "('a'=='b' || 'c'=='d') && 'e'=='f'",
        "'a'=='b' || 'c'=='d' || 'e'=='f'",
        "'a'=='b' || ('c'=='d' || 'e'=='f')",
        "'a'=='b' && ('c'=='d' && 'e'=='f')",
        "((('a'=='b')))",
    ]), @r#"
    'a'=='b' || 'c'=='d' && 'e'=='f'
      or[eq("a"@0..3 "b"@5..8) and[eq("c"@12..15 "d"@17..20) eq("e"@24..27 "f"@29..32)]]
    'a'=='b' && 'c'=='d' || 'e'=='f'
      or[and[eq("a"@0..3 "b"@5..8) eq("c"@12..15 "d"@17..20)] eq("e"@24..27 "f"@29..32)]
    ('a'=='b' || 'c'=='d') && 'e'=='f'
      and[or[eq("a"@1..4 "b"@6..9) eq("c"@13..16 "d"@18..21)] eq("e"@26..29 "f"@31..34)]
    'a'=='b' || 'c'=='d' || 'e'=='f'
      or[eq("a"@0..3 "b"@5..8) eq("c"@12..15 "d"@17..20) eq("e"@24..27 "f"@29..32)]
    'a'=='b' || ('c'=='d' || 'e'=='f')
      or[eq("a"@0..3 "b"@5..8) or[eq("c"@13..16 "d"@18..21) eq("e"@25..28 "f"@30..33)]]
    'a'=='b' && ('c'=='d' && 'e'=='f')
      and[eq("a"@0..3 "b"@5..8) and[eq("c"@13..16 "d"@18..21) eq("e"@25..28 "f"@30..33)]]
    ((('a'=='b')))
      eq("a"@3..6 "b"@8..11)
    "#);
}

/// ruling 12: white space is free, and not needed.
#[test]
fn white_space_is_free_and_not_needed() {
    insta::assert_snapshot!(trees(&[
        "$a.status=='failed'",
        "'a'<'b'&&$a.status!=$b.status||('c'>'d')",
        " \t\r\n$a.status\n==\n'failed'\t",
        "\u{a0}$a.status\u{2003}==\u{3000}'failed'\u{a0}",
    ]), @r#"
    $a.status=='failed'
      eq(a#status@0..9 "failed"@11..19)
    'a'<'b'&&$a.status!=$b.status||('c'>'d')
      or[and[lt("a"@0..3 "b"@4..7) ne(a#status@9..18 b#status@20..29)] gt("c"@32..35 "d"@36..39)]
     \t\r\n$a.status\n==\n'failed'\t
      eq(a#status@4..13 "failed"@17..25)
    \u{a0}$a.status\u{2003}==\u{3000}'failed'\u{a0}
      eq(a#status@2..11 "failed"@19..27)
    "#);
}

/// spec: Conditions ("An operator inside quotes is part of the literal"); ruling 12: no escapes.
#[test]
fn a_literal_runs_to_the_next_quote_of_its_own_kind() {
    insta::assert_snapshot!(trees(&[
        "$a.output == 'x == y && z'",
        "$a.output == \"it's || (no)\"",
        r"$a.output == 'C:\'",
        r"$a.output == 'a\nb'",
        "$a.output == '$b.output'",
        "$a.output == 'two\nlines'",
    ]), @r#"
    $a.output == 'x == y && z'
      eq(a#output@0..9 "x == y && z"@13..26)
    $a.output == "it's || (no)"
      eq(a#output@0..9 "it's || (no)"@13..27)
    $a.output == 'C:\'
      eq(a#output@0..9 "C:\\"@13..18)
    $a.output == 'a\nb'
      eq(a#output@0..9 "a\\nb"@13..19)
    $a.output == '$b.output'
      eq(a#output@0..9 "$b.output"@13..24)
    $a.output == 'two\nlines'
      eq(a#output@0..9 "two\nlines"@13..24)
    "#);
}

/// rulings 5 and 13.
#[test]
fn a_reference_ends_where_ruling_13_says_and_splits_at_its_last_dot() {
    insta::assert_snapshot!(trees(&[
        "$a.b.c.output == 'x'",
        "$build-1:é.output == 'x'",
        "$$a.output == 'x'",
        "$a.length == 'x'",
        "$a._x9 == 'x'",
        "($a.status=='x')",
        "$a.status\"x\"",
        "'x'==$a.status&&'x'!=$a.status||'x'<$a.status",
        "$..status == $a$b.status",
    ]), @r#"
    $a.b.c.output == 'x'
      eq(a.b.c#output@0..13 "x"@17..20)
    $build-1:é.output == 'x'
      eq(build-1:é#output@0..18 "x"@22..25)
    $$a.output == 'x'
      eq($a#output@0..10 "x"@14..17)
    $a.length == 'x'
      eq(a#length@0..9 "x"@13..16)
    $a._x9 == 'x'
      eq(a#_x9@0..6 "x"@10..13)
    ($a.status=='x')
      eq(a#status@1..10 "x"@12..15)
    $a.status"x"
      error at 10: expected `==`, `!=`, `>` or `<` after `$a.status`, found `"x"`
    'x'==$a.status&&'x'!=$a.status||'x'<$a.status
      or[and[eq("x"@0..3 a#status@5..14) ne("x"@16..19 a#status@21..30)] lt("x"@32..35 a#status@36..45)]
    $..status == $a$b.status
      eq(.#status@0..9 a$b#status@13..24)
    "#);
}

/// ruling 15: a blank condition is as if absent.
#[test]
fn a_blank_condition_is_absent() {
    for text in ["", " ", "\t\r\n", "\u{a0}\u{2003}\u{3000}"] {
        assert_eq!(parse(text), Ok(None), "{text:?}");
    }
    // A zero-width space is not white space.
    assert!(parse("\u{200b}").is_err());
}

/// ruling 15: a condition that does not parse is refused.
#[test]
fn what_is_no_condition_is_refused() {
    insta::assert_snapshot!(trees(&[
        "x", "''", "$", "=", "!", "&&", "(", ")", "(((", ")))", "()", "'", "\"", "''''", "\0",
        "'a' 'b'", "'a' = 'b'", "'a' == 'b' 'c'", "'a' == 'b' &&", "'a' == 'b' || || 'c' == 'd'",
        "'a' == 'b') && ('c' == 'd'", "(('a' == 'b')", "'a' = = 'b'", "'a' ! = 'b'", "'a' & & 'b'",
    ]), @r#"
    x
      error at 1: `x` is no comparison
    ''
      error at 1: '' is compared with nothing
    $
      error at 1: `$` names no step
    =
      error at 1: expected a reference or a quoted literal before `=`
    !
      error at 1: `!` negates, and conditions have no negation
    &&
      error at 1: expected a comparison, found `&&`
    (
      error at 2: expected a comparison after `(`, found the end of the condition
    )
      error at 1: `)` closes nothing
    (((
      error at 4: expected a comparison after `(`, found the end of the condition
    )))
      error at 1: `)` closes nothing
    ()
      error at 1: the parentheses are empty
    '
      error at 1: the literal is never closed: a second ' is missing
    "
      error at 1: the literal is never closed: a second " is missing
    ''''
      error at 2: the literal ends at ', right before `''`
    \u{0}
      error at 1: `\u{0}` is neither quoted nor a reference
    'a' 'b'
      error at 5: expected `==`, `!=`, `>` or `<` after 'a', found `'b'`
    'a' = 'b'
      error at 5: found `=` where `==` was expected
    'a' == 'b' 'c'
      error at 12: expected `&&`, `||` or the end after a whole comparison, found `'c'`
    'a' == 'b' &&
      error at 14: expected a comparison after `&&`, found the end of the condition
    'a' == 'b' || || 'c' == 'd'
      error at 15: expected a comparison after `||`, found `||`
    'a' == 'b') && ('c' == 'd'
      error at 11: `)` closes nothing
    (('a' == 'b')
      error at 1: the parenthesis is never closed
    'a' = = 'b'
      error at 5: found `=` where `==` was expected
    'a' ! = 'b'
      error at 5: `!` is not an operator
    'a' & & 'b'
      error at 1: 'a' is compared with nothing
    "#);
}

/// decision: nesting of conditions.
#[test]
fn parentheses_nest_to_the_limit_and_no_deeper() {
    let nested = |depth| format!("{}'a' == 'a'{}", "(".repeat(depth), ")".repeat(depth));
    assert!(parse(&nested(MAX_DEPTH)).is_ok());
    let text = nested(MAX_DEPTH + 1);
    let error = parse(&text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "parentheses are nested more than 128 deep"
    );
    assert_eq!(error.span, MAX_DEPTH..MAX_DEPTH + 1);
    // Beside each other is not within each other.
    let beside = vec!["('a' == 'a')"; 1_000].join(" && ");
    assert!(parse(&beside).is_ok());
}

/// decision: nothing is recursive over the length of a condition.
#[test]
fn long_chains_and_deep_groups_fit_a_small_stack() {
    let check = || {
        for joint in [" && ", " || "] {
            let text = vec!["$a.status == 'success'"; 100_000].join(joint);
            let cond = parse(&text).unwrap().unwrap();
            let renamed = cond.clone().try_map(&mut |_| Ok::<_, ()>(7)).unwrap();
            assert_eq!(renamed.eval(&mut |_| Ok::<_, ()>("success")), Ok(true));
            assert_eq!(parse(&cond.to_string()).unwrap().unwrap().to_string(), text);
        }
        let deep = format!("{}'a' == 'a'", "(".repeat(1_000_000));
        assert!(parse(&deep).is_err());
        // Groups that change something at every level, so that none is left out of the tree.
        let open = "'a' == 'b' || (".repeat(MAX_DEPTH);
        let deep = format!("{open}'a' == 'a' || 'c' == 'd'{}", ")".repeat(MAX_DEPTH));
        let cond = parse(&deep).unwrap().unwrap();
        assert_eq!(cond.to_string(), deep);
        assert_eq!(cond.eval(&mut |_| Err(())), Ok(true));
    };
    let small = std::thread::Builder::new().stack_size(256 * 1024);
    small.spawn(check).unwrap().join().unwrap();
}
