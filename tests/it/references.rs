//! References and conditions of plans that run.

use crate::space::Space;

/// rulings 5 to 8: what is a reference is replaced by text, everything else reaches the tool as written.
#[test]
fn only_whole_references_are_replaced() {
    let space = Space::new().tool("show", "cat");
    let ended = space
        .steps(
            r#"{"id": "a.b", "shell": "printf {\"x\":1}"},
               {"id": "use", "tool": "show", "depends_on": ["a.b"], "input": {
                 "whole": "$a.b.output", "deep": [{"s": "$a.b.status"}], "within": "x $a.b.output",
                 "$a.b.output": "key", "escaped": "$$a.b.output", "twice": "$$$a.b.output", "id": "$$a.b",
                 "price": "$5.00", "not": "$$5", "home": "$HOME", "$$": "$", "n": 1.00, "field": "$a.b.out put"}}"#,
        )
        .run();
    let input = ended.trace().step("plan_step", "use")["input"].clone();
    let shown: Vec<_> = input
        .as_object()
        .expect("an object")
        .iter()
        .map(|(key, value)| format!("{key}: {value}"))
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    $$: "$"
    $a.b.output: "key"
    deep: [{"s":"success"}]
    escaped: "$a.b.output"
    field: "$a.b.out put"
    home: "$HOME"
    id: "$a.b"
    n: 1.0
    not: "$$5"
    price: "$5.00"
    twice: "$$a.b.output"
    whole: "{x:1}"
    within: "x $a.b.output"
    "#);
    // As written: key order and numbers.
    let output = ended.output("use");
    assert!(output.contains(r#"\"n\":1.00"#), "{output}");
    let said = ended.said();
    assert_eq!(said.matches("warning[").count(), 1, "{said}");
}

/// rulings 12 to 15: each condition decides as the language says.
#[test]
fn conditions_decide_what_runs() {
    let cases = [
        ("$a.output == 'x == y && z'", true),
        ("$a.output==\"x == y && z\"", true),
        ("'10' < '9'", true),
        ("'a' > 'B' && 'é' > 'z'", true),
        ("'a' == 'b' && 'a' == 'b' || 'c' == 'c'", true),
        ("'c' == 'c' || 'a' == 'b' && 'a' == 'b'", true),
        ("('c' == 'c' || 'a' == 'b') && 'a' == 'b'", false),
        ("$a.status != 'success'", false),
        ("   ", true),
        ("''<'a'", true),
    ];
    let space = Space::new();
    let mut steps = vec![r#"{"id": "a", "shell": "printf 'x == y && z'"}"#.to_owned()];
    for (n, (condition, _)) in cases.iter().enumerate() {
        let step = serde_json::json!({"id": format!("s{n}"), "shell": "true", "depends_on": ["a"], "if": condition});
        steps.push(step.to_string());
    }
    let ended = space.steps(&steps.join(",")).run();
    for (n, (condition, runs)) in cases.iter().enumerate() {
        let status = if *runs { "success" } else { "skipped" };
        assert_eq!(
            ended.step(&format!("s{n}"))["status"],
            status,
            "{condition}"
        );
    }
}

/// ruling 10: a reference to what has not settled fails its step and says what to declare; it orders nothing.
#[test]
fn an_unsettled_reference_names_what_to_declare() {
    let space = Space::new().tool("show", "cat");
    let mut go = space.fifo("go");
    let mut running = space
        .steps(
            r#"{"id": "slow", "shell": "sh -c 'read x < go'"},
               {"id": "a", "tool": "show", "input": "$slow.output", "on_error": "continue"},
               {"id": "b", "tool": "show", "if": "$slow.status == 'x'", "on_error": "continue"}"#,
        )
        .start();
    running.wait_for("failed  a");
    go.tell();
    let ended = running.wait();
    assert_eq!(ended.status, Some(0));
    insta::assert_snapshot!(ended.error("a"), @r#"cannot resolve `$slow.output`: step `slow` has not settled; add `slow` to the `depends_on` of this step"#);
    insta::assert_snapshot!(ended.error("b"), @r#"cannot resolve `$slow.status`: step `slow` has not settled; add `slow` to the `depends_on` of this step"#);
    assert_eq!(
        ended.said().matches("warning[").count(),
        2,
        "{}",
        ended.said()
    );
}

/// ruling 2: unknown keys are warnings with the nearest known key, and stop nothing.
#[test]
fn unknown_keys_are_warnings() {
    let ended = Space::new()
        .steps(r#"{"id": "a", "shell": "true", "dependsOn": ["x"], "timeout": 5}"#)
        .run();
    assert_eq!(ended.status, Some(0));
    insta::assert_snapshot!(ended.said(), @r#"
    warning[unknown-key]: key `dependsOn` is not part of the format and is ignored
     --> plan.json:1:52
      |
    1 | {"id": "p", "steps": [{"id": "a", "shell": "true", "dependsOn": ["x"], "timeout": 5}]}
      |                                                    ^^^^^^^^^^^
      |
      = hint: did you mean `depends_on`?

    warning[unknown-key]: key `timeout` is not part of the format and is ignored
     --> plan.json:1:72
      |
    1 | {"id": "p", "steps": [{"id": "a", "shell": "true", "dependsOn": ["x"], "timeout": 5}]}
      |                                                                        ^^^^^^^^^
      |
      = hint: the keys here are `id`, `tool`, `shell`, `capsule`, `input`, `depends_on`, `if`, `on_error`, `retries`

    start   a (shell)
    success a (shell) in [..] s
    "#);
}
