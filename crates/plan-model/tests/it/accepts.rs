//! What a plan may be.

use insta::assert_snapshot;

use crate::page::{check, plan, steps, tree, warnings};

/// spec: Shape; ruling 10 has what is wrong with it.
const DOCUMENTED: &str = r#"{
  "id": "refresh-fixtures",
  "steps": [
    {"id": "list", "tool": "repo-files", "input": {"glob": "tests/**"}},
    {"id": "check", "shell": "bash -c 'cargo test --quiet'", "depends_on": ["list"]},
    {"id": "note", "tool": "notes", "if": "$check.status == 'failed'", "input": {"body": "$check.output"}}
  ]
}"#;

/// spec: Shape.
#[test]
fn the_documented_example_is_accepted() {
    assert_snapshot!(tree(&plan(DOCUMENTED)), @r#"
    "refresh-fixtures"
    "list" tool "repo-files" after [] before [check] fail x0
      {"glob":"tests/**"}
    "check" shell "bash -c 'cargo test --quiet'" after [list] before [] fail x0
      
    "note" tool "notes" after [] before [] fail x0 if
      {"body":"<check.output>"}
    "#);
}

/// ruling 10: the example's `note` reads `$check` and depends on nothing.
#[test]
fn the_documented_example_is_warned_about() {
    assert_snapshot!(warnings(DOCUMENTED), @r#"
    warning unordered-reference at '/steps/2/if' of note, 6:44 [$check.status]
      if reads step `check`, but nothing makes this step wait for it, so it may not have settled
      hint: add "check" to this step's `depends_on`
    warning unordered-reference at '/steps/2/input/body' of note, 6:90 ["$check.output"]
      input reads step `check`, but nothing makes this step wait for it, so it may not have settled
      hint: add "check" to this step's `depends_on`
    "#);
}

/// spec: Shape, an empty list completes having done nothing.
#[test]
fn an_empty_list_of_steps_is_a_plan() {
    let plan = plan(&steps(""));
    assert!(plan.is_empty());
    assert_eq!(plan.indices().len(), 0);
}

/// ruling 1: ids may be any string, in any spelling that JSON has.
#[test]
fn ids_may_be_any_string() {
    let text = r#"{"\u0069d": "", "steps": [
        {"id": "", "tool": "notes"},
        {"id": "a.b c", "tool": "notes", "depends_on": [""]},
        {"id": "\u00e9\ud83d\ude00\n", "shell": "tru\u0065", "depends_on": ["a\u002eb c"]}]}"#;
    assert_snapshot!(tree(&plan(text)), @r#"
    ""
    "" tool "notes" after [] before [a.b c] fail x0
      null
    "a.b c" tool "notes" after [] before [é😀
    ] fail x0
      null
    "é😀\n" shell "true" after [a.b c] before [] fail x0
    "#);
}

/// ruling 1: a leading byte-order mark is skipped; spans count it, columns do not.
#[test]
fn a_byte_order_mark_is_skipped() {
    let text = format!("\u{feff}{}", steps(r#"{"id": "a", "tool": "nope"}"#));
    let refused = check(&text).plan.unwrap_err();
    let fault = &refused.faults[0];
    assert_eq!(&text[fault.span.clone()], "\"nope\"");
    assert_eq!((fault.line, fault.column), (1, 43));
    assert_eq!(fault.column, text[..fault.span.start].chars().count());
}

/// spec: Step, defaults; ruling 18: duplicate entries of `depends_on` count once.
#[test]
fn a_dependency_named_twice_counts_once() {
    let text = steps(
        r#"{"id": "a", "shell": "true"}, {"id": "b", "shell": "true"},
        {"id": "c", "shell": "true", "depends_on": ["b", "a", "b", "a"], "retries": 2, "on_error": "skip"},
        {"id": "d", "shell": "true", "depends_on": ["c", "a"], "on_error": "continue", "retries": 4294967295}"#,
    );
    assert_snapshot!(tree(&plan(&text)), @r#"
    "p"
    "a" shell "true" after [] before [c,d] fail x0
      
    "b" shell "true" after [] before [c] fail x0
      
    "c" shell "true" after [b,a] before [d] skip x2
      
    "d" shell "true" after [c,a] before [] continue x4294967295
    "#);
}

/// ruling 15: a blank condition is as if absent.
#[test]
fn a_blank_condition_is_no_condition() {
    let text = steps(
        r#"{"id": "a", "shell": "true", "if": " \t\n "}, {"id": "b", "shell": "true", "if": ""}"#,
    );
    let plan = plan(&text);
    assert!(
        plan.indices()
            .all(|step| plan.step(step).condition().is_none())
    );
}

/// ruling 35: a tool's input may be any JSON; absent it is `null`. A capsule's task is text either way.
#[test]
fn every_kind_has_its_input() {
    let text = steps(
        r#"{"id": "none", "tool": "notes"},
        {"id": "text", "tool": "notes", "input": "x"},
        {"id": "object", "tool": "notes", "input": { "b" : [ 1.50 , -0 , 1e999 ] , "a" : { } }},
        {"id": "list", "tool": "notes", "input": [ ]},
        {"id": "null", "tool": "notes", "input": null},
        {"id": "cap", "capsule": "worker", "input": "do\n\"it\""},
        {"id": "objective", "capsule": "worker", "input": {"\u006fbjective" : "do it"}},
        {"id": "sh", "shell": "true", "input": {"ignored": true}}"#,
    );
    assert_snapshot!(tree(&plan(&text)), @r#"
    "p"
    "none" tool "notes" after [] before [] fail x0
      null
    "text" tool "notes" after [] before [] fail x0
      "x"
    "object" tool "notes" after [] before [] fail x0
      {"b":[1.50,-0,1e999],"a":{}}
    "list" tool "notes" after [] before [] fail x0
      []
    "null" tool "notes" after [] before [] fail x0
      null
    "cap" capsule "worker" after [] before [] fail x0
      do
    "it"
    "objective" capsule "worker" after [] before [] fail x0
      do it
    "sh" shell "true" after [] before [] fail x0
    "#);
}

/// decision: without grants only the faults that need them are left out.
#[test]
fn without_grants_any_tool_and_any_binary_pass() {
    let read = |steps_text: &str| plan_model::PlanDoc::read(steps(steps_text).into_bytes());
    let text =
        r#"{"id": "a", "tool": "anything"}, {"id": "b", "shell": "/usr/bin/anything at all"}"#;
    assert!(read(text).check(None).plan.is_ok());
    let text = r#"{"id": "a", "tool": "submit-plan"}, {"id": "b", "shell": "'"}, {"id": "c", "shell": ""}"#;
    let refused = read(text).check(None).plan.unwrap_err();
    let codes: Vec<&str> = refused.faults.iter().map(|fault| fault.code).collect();
    assert_eq!(
        codes,
        [
            "nested-plan",
            "unsplittable-command",
            "unsplittable-command"
        ]
    );
}

/// ruling 1: 128 levels are accepted, the plan's own object being the first.
#[test]
fn a_hundred_and_twenty_eight_levels_are_accepted() {
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        let input = format!("{{\"x\": {open}{close}}}");
        steps(&format!(
            r#"{{"id": "a", "tool": "notes", "input": {input}}}"#
        ))
    };
    // Plan, list of steps, step and input are four.
    assert!(check(&nested(124)).plan.is_ok());
    let refused = check(&nested(125)).plan.unwrap_err();
    assert_eq!(refused.faults[0].code, "too-deep");
    assert_eq!(
        refused.faults[0].pointer,
        format!("/steps/0/input/x{}", "/0".repeat(124))
    );
}

/// spec: In the trace; the outline is what `plan_start` lists.
#[test]
fn the_outline_shows_what_is_declared() {
    let text = steps(
        r#"{"id": "a", "tool": "notes", "shell": "true", "depends_on": ["b", "b", "ghost"]}, {"id": "b"},
        {"id": "b", "capsule": "w", "if": " "}, {"id": "c", "shell": "curl", "if": "nonsense"}"#,
    );
    let doc = plan_model::PlanDoc::read(text.into_bytes());
    assert!(doc.has_shape());
    assert_eq!((doc.plan_id(), doc.declared()), (Some("p"), 4));
    let lines: Vec<String> = doc
        .outline()
        .map(|step| {
            let kind = step.kind.map_or("unknown", plan_model::Kind::name);
            format!(
                "{} {kind} {:?} {}",
                step.id, step.depends_on, step.has_condition
            )
        })
        .collect();
    assert_snapshot!(lines.join("\n"), @r#"
    a unknown ["b", "b", "ghost"] false
    b unknown [] false
    b capsule [] false
    c shell [] true
    "#);
}
