//! One behaviour a test, told as the log of what was polled (`>` marks what was handled).

use crate::{
    sim::{play, play_with_gate},
    world::{default_limits, limits},
};
use insta::assert_snapshot;

/// ruling 17: an event-driven order, no waves.
#[test]
fn a_step_goes_the_moment_its_last_dependency_settles() {
    let steps = r#"[
        {"id": "slow", "shell": "x"},
        {"id": "quick", "shell": "x"},
        {"id": "after", "shell": "x", "depends_on": ["quick"]}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "pass quick\npass after\npass slow"), @r"
    run slow #1
    run quick #1
    > pass quick
    settled quick success
    run after #1
    > pass after
    settled after success
    > pass slow
    settled slow success
    report completed=true canceled=false failed_step=null steps=3
    ");
}

/// ruling 17: ready steps are dispatched in file order; ruling 19: shell steps share a limit.
#[test]
fn a_freed_slot_goes_to_the_lowest_ready_step() {
    let steps = r#"[
        {"id": "late", "shell": "x", "depends_on": ["b"]},
        {"id": "a", "shell": "x"},
        {"id": "b", "shell": "x"},
        {"id": "c", "shell": "x"}
    ]"#;
    assert_snapshot!(play(steps, limits(2, 1), "pass b\npass a\npass c\npass late"), @r"
    run a #1
    run b #1
    > pass b
    settled b success
    run late #1
    > pass a
    settled a success
    run c #1
    > pass c
    settled c success
    > pass late
    settled late success
    report completed=true canceled=false failed_step=null steps=4
    ");
}

/// ruling 19: at most one tool step is in flight, whatever the plan says.
#[test]
fn tool_steps_go_one_at_a_time_beside_the_others() {
    let steps = r#"[
        {"id": "t1", "tool": "x"},
        {"id": "t2", "tool": "x", "input": {"n": 1.0}},
        {"id": "s", "shell": "x"},
        {"id": "c", "capsule": "x", "input": "do it"}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "pass s\npass t1\npass t2\npass c"), @r#"
    run t1 #1 null
    run s #1
    run c #1 do it
    > pass s
    settled s success
    > pass t1
    settled t1 success
    run t2 #1 {"n":1.0}
    > pass t2
    settled t2 success
    > pass c
    settled c success
    report completed=true canceled=false failed_step=null steps=4
    "#);
}

/// ruling 18: a dependency that was skipped or failed has settled as well.
#[test]
fn a_step_runs_after_a_skipped_and_a_continued_dependency() {
    let steps = r#"[
        {"id": "a", "shell": "x", "on_error": "skip"},
        {"id": "b", "shell": "x", "on_error": "continue"},
        {"id": "c", "shell": "x", "if": "'a' == 'b'"},
        {"id": "d", "tool": "x", "depends_on": ["a", "b", "c"], "input": ["$a.status", "$b.status", "$c.status"]}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "fail b\nfail a\npass d: done"), @r#"
    run a #1
    run b #1
    settled c skipped attempts=0
    > fail b
    settled b failed error="bad"
    > fail a
    settled a skipped error="bad"
    run d #1 ["skipped","failed","skipped"]
    > pass d: done
    settled d success output="done"
    report completed=true canceled=false failed_step=null steps=4
    "#);
}

/// ruling 22: at once, ahead of other waiting steps of its kind.
#[test]
fn a_retry_goes_ahead_of_waiting_steps() {
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "shell": "x"},
        {"id": "c", "shell": "x", "retries": 2, "on_error": "continue", "depends_on": ["a"]}
    ]"#;
    assert_snapshot!(play(steps, limits(1, 1), "pass a\npass b\nfail c: one\nfail c: two\nfail c: three"), @r#"
    run a #1
    > pass a
    settled a success
    run b #1
    > pass b
    settled b success
    run c #1
    > fail c: one
    run c #2
    > fail c: two
    run c #3
    > fail c: three
    settled c failed attempts=3 error="three"
    report completed=true canceled=false failed_step=null steps=3
    "#);
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "shell": "x"},
        {"id": "flaky", "shell": "x", "retries": 1},
        {"id": "d", "shell": "x"}
    ]"#;
    assert_snapshot!(play(steps, limits(3, 1), "fail flaky\npass flaky\npass a\npass b\npass d"), @r"
    run a #1
    run b #1
    run flaky #1
    > fail flaky
    run flaky #2
    > pass flaky
    settled flaky success attempts=2
    run d #1
    > pass a
    settled a success
    > pass b
    settled b success
    > pass d
    settled d success
    report completed=true canceled=false failed_step=null steps=4
    ");
}

/// ruling 22: the gate is asked before every attempt, a refusal is final and no dispatch.
#[test]
fn a_refusal_is_final_and_takes_no_attempt() {
    let steps = r#"[
        {"id": "a", "shell": "x", "retries": 3, "on_error": "skip"},
        {"id": "b", "tool": "x", "retries": 3, "on_error": "continue", "depends_on": ["a"]},
        {"id": "c", "tool": "x", "depends_on": ["b"]},
        {"id": "d", "tool": "x", "depends_on": ["c"]}
    ]"#;
    let script = "
        admit a
        fail a: boom
        refuse a: `x` may not write `lib`
        refuse b: denied
        refuse c: denied as well
    ";
    assert_snapshot!(play_with_gate(steps, default_limits(), script), @r#"
    ask a #1
    > admit a
    run a #1
    > fail a: boom
    ask a #2
    > refuse a: `x` may not write `lib`
    settled a skipped error="`x` may not write `lib`"
    ask b #1 null
    > refuse b: denied
    settled b failed attempts=0 error="denied"
    ask c #1 null
    > refuse c: denied as well
    settled c failed attempts=0 error="denied as well"
    report completed=false canceled=false failed_step=c steps=3
    "#);
}

/// spec: Shape. An empty list is a plan that completes having done nothing.
#[test]
fn an_empty_plan_completes() {
    assert_snapshot!(play("[]", default_limits(), ""), @"report completed=true canceled=false failed_step=null steps=0");
}

/// spec: References. The first example of the specification with its missing dependency.
#[test]
fn the_example_of_the_specification_goes_through() {
    let steps = r#"[
        {"id": "list", "tool": "repo-files", "input": {"glob": "tests/**"}},
        {"id": "check", "shell": "bash -c 'cargo test --quiet'", "depends_on": ["list"], "on_error": "continue"},
        {"id": "note", "tool": "notes", "if": "$check.status == 'failed'", "input": {"body": "$check.output"},
         "depends_on": ["check"]}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "pass list: tests/a\nfail check: exit code 1"), @r#"
    run list #1 {"glob":"tests/**"}
    > pass list: tests/a
    settled list success output="tests/a"
    run check #1
    > fail check: exit code 1
    settled check failed error="exit code 1"
    settled note failed attempts=0 error="cannot resolve `$check.output`: step `check` settled as failed and produced no output"
    report completed=false canceled=false failed_step=note steps=3
    "#);
}
