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
    assert_snapshot!(play(steps, default_limits(), "pass quick\npass after\npass slow"), @"");
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
    assert_snapshot!(play(steps, limits(2, 1), "pass b\npass a\npass c\npass late"), @"");
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
    assert_snapshot!(play(steps, default_limits(), "pass s\npass t1\npass t2\npass c"), @"");
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
    assert_snapshot!(play(steps, default_limits(), "fail b\nfail a\npass d: done"), @"");
}

/// spec: Failure; ruling 21.
#[test]
fn a_stop_lets_running_steps_finish_and_leaves_out_the_rest() {
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "shell": "x", "on_error": "skip", "retries": 5},
        {"id": "c", "shell": "x"},
        {"id": "d", "shell": "x"},
        {"id": "e", "shell": "x"}
    ]"#;
    assert_snapshot!(play(steps, limits(4, 1), "fail c: first\nfail b: second\nfail d: third\npass a"), @"");
}

/// ruling 22: at once, ahead of other waiting steps of its kind.
#[test]
fn a_retry_goes_ahead_of_waiting_steps() {
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "shell": "x"},
        {"id": "c", "shell": "x", "retries": 2, "on_error": "continue", "depends_on": ["a"]}
    ]"#;
    assert_snapshot!(play(steps, limits(1, 1), "pass a\npass b\nfail c: one\nfail c: two\nfail c: three"), @"");
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "shell": "x"},
        {"id": "flaky", "shell": "x", "retries": 1},
        {"id": "d", "shell": "x"}
    ]"#;
    assert_snapshot!(play(steps, limits(3, 1), "fail flaky\npass flaky\npass a\npass b\npass d"), @"");
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
    assert_snapshot!(play_with_gate(steps, default_limits(), script), @"");
}

/// decision: a step being asked about holds its slot and was never dispatched when a stop comes first.
#[test]
fn an_answer_of_the_gate_that_comes_after_a_stop_is_dropped() {
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "tool": "x"},
        {"id": "c", "capsule": "x", "input": "go", "retries": 1, "on_error": "skip"}
    ]"#;
    let script = "
        admit a
        admit c
        fail c: no luck
        fail a: boom
        admit b
        refuse c: too late
    ";
    assert_snapshot!(play_with_gate(steps, default_limits(), script), @"");
}

/// ruling 16: only once the dependencies have settled; asks: a false condition comes before its references.
#[test]
fn a_false_condition_skips_before_the_input_is_resolved() {
    let steps = r#"[
        {"id": "a", "shell": "x", "on_error": "continue"},
        {"id": "b", "tool": "x", "depends_on": ["a"], "if": "$a.status == 'failed'", "input": "$a.output"},
        {"id": "c", "tool": "x", "depends_on": ["a"], "if": "$a.status == 'success'", "input": "$a.output"}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "pass a\npass c"), @"");
}

/// ruling 10, ruling 11, ruling 16: the error names the reference and what to do.
#[test]
fn a_reference_without_a_value_fails_its_step() {
    let steps = r#"[
        {"id": "slow", "shell": "x"},
        {"id": "mute", "shell": "x"},
        {"id": "a", "tool": "x", "input": {"log": ["$slow.output"]}, "on_error": "continue", "retries": 9},
        {"id": "b", "tool": "x", "if": "$slow.status == 'failed'", "on_error": "continue"},
        {"id": "c", "capsule": "x", "input": "$mute.output", "depends_on": ["mute"], "on_error": "skip"},
        {"id": "d", "tool": "x", "input": "$d.status", "on_error": "continue"},
        {"id": "e", "shell": "x", "input": "$slow.output"},
        {"id": "f", "shell": "x", "if": "$mute.output == ''", "depends_on": ["mute"]}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "pass mute\npass e\npass slow"), @"");
}

/// ruling 14: the side that is not needed is not resolved.
#[test]
fn a_decided_condition_does_not_read_on() {
    let steps = r#"[
        {"id": "a", "tool": "x", "if": "'a' == 'a' || $b.output == ''"},
        {"id": "b", "tool": "x", "if": "'a' == 'b' && $a.output == ''"}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "pass a"), @"");
}

/// ruling 8: always a JSON string, never parsed JSON.
#[test]
fn a_reference_is_handed_over_as_a_string() {
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "tool": "x", "depends_on": ["a"], "input": {"n": 1.50, "v": "$a.output", "s": "$a.status"}},
        {"id": "c", "capsule": "x", "depends_on": ["a"], "input": {"objective": "$a.output"}}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), r#"pass a: {"k": "v"}"#), @"");
}

/// decision: order of choices. A condition is looked at whether or not a slot is free.
#[test]
fn a_condition_does_not_wait_for_a_slot() {
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "shell": "x", "if": "'a' == 'b'"},
        {"id": "c", "tool": "x", "depends_on": ["b"]}
    ]"#;
    assert_snapshot!(play(steps, limits(1, 1), "pass c\npass a"), @"");
}

/// spec: When the task is cancelled, every row of the table.
#[test]
fn a_cancel_ends_capsules_lets_the_rest_finish_and_skips_what_never_ran() {
    let steps = r#"[
        {"id": "next", "shell": "x", "depends_on": ["c1"]},
        {"id": "t", "tool": "x", "on_error": "skip", "retries": 2},
        {"id": "s", "shell": "x", "on_error": "fail", "retries": 2},
        {"id": "c1", "capsule": "x", "input": "go", "on_error": "continue", "retries": 2},
        {"id": "c2", "capsule": "x", "input": "go"},
        {"id": "t2", "tool": "x", "if": "'a' == 'b'"}
    ]"#;
    let script = "
        cancel
        fail t: own error
        fail s: boom
        end c1
        cancel
        pass c2: just in time
    ";
    assert_snapshot!(play(steps, default_limits(), script), @"");
}

/// ruling 27: the first cause wins; running sub-capsules are still ended.
#[test]
fn a_cancel_after_a_stop_ends_capsules_and_leaves_the_cause() {
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "shell": "x", "on_error": "skip"},
        {"id": "c", "capsule": "x", "input": "go", "on_error": "skip"},
        {"id": "d", "shell": "x", "depends_on": ["b"]}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "fail a: boom\ncancel\nfail b: late\nend c"), @"");
}

/// ruling 27: a cancel that lands when every step has settled changes nothing.
#[test]
fn a_cancel_after_the_last_step_changes_nothing() {
    let steps = r#"[{"id": "a", "shell": "x"}]"#;
    assert_snapshot!(play(steps, default_limits(), "pass a\ncancel"), @"");
    assert_snapshot!(play("[]", default_limits(), "cancel"), @"");
}

/// spec: Shape. An empty list is a plan that completes having done nothing.
#[test]
fn an_empty_plan_completes() {
    assert_snapshot!(play("[]", default_limits(), ""), @"");
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
    assert_snapshot!(play(steps, default_limits(), "pass list: tests/a\nfail check: exit code 1"), @"");
}
