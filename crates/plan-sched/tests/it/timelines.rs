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
    assert_snapshot!(play(steps, limits(4, 1), "fail c: first\nfail b: second\nfail d: third\npass a"), @r#"
    run a #1
    run b #1
    run c #1
    run d #1
    > fail c: first
    settled c failed error="first"
    > fail b: second
    settled b skipped error="second"
    > fail d: third
    settled d failed error="third"
    > pass a
    settled a success
    report completed=false canceled=false failed_step=c steps=4
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
    assert_snapshot!(play_with_gate(steps, default_limits(), script), @r#"
    ask a #1
    ask b #1 null
    ask c #1 go
    > admit a
    run a #1
    > admit c
    run c #1
    > fail c: no luck
    ask c #2 go
    > fail a: boom
    settled a failed error="boom"
    settled c skipped error="no luck"
    > admit b
    > refuse c: too late
    report completed=false canceled=false failed_step=a steps=2
    "#);
}

/// ruling 16: only once the dependencies have settled; asks: a false condition comes before its references.
#[test]
fn a_false_condition_skips_before_the_input_is_resolved() {
    let steps = r#"[
        {"id": "a", "shell": "x", "on_error": "continue"},
        {"id": "b", "tool": "x", "depends_on": ["a"], "if": "$a.status == 'failed'", "input": "$a.output"},
        {"id": "c", "tool": "x", "depends_on": ["a"], "if": "$a.status == 'success'", "input": "$a.output"}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "pass a"), @r#"
    run a #1
    > pass a
    settled a success
    settled b skipped attempts=0
    settled c failed attempts=0 error="cannot resolve `$a.output`: step `a` settled as success and produced no output"
    report completed=false canceled=false failed_step=c steps=3
    "#);
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
    assert_snapshot!(play(steps, default_limits(), "pass mute\npass e\npass slow"), @r#"
    run slow #1
    run mute #1
    settled a failed attempts=0 error="cannot resolve `$slow.output`: step `slow` has not settled; add `slow` to the `depends_on` of this step"
    settled b failed attempts=0 error="cannot resolve `$slow.status`: step `slow` has not settled; add `slow` to the `depends_on` of this step"
    settled d failed attempts=0 error="cannot resolve `$d.status`: a step cannot read its own result"
    run e #1
    > pass mute
    settled mute success
    settled c skipped attempts=0 error="cannot resolve `$mute.output`: step `mute` settled as success and produced no output"
    settled f failed attempts=0 error="cannot resolve `$mute.output`: step `mute` settled as success and produced no output"
    > pass e
    settled e success
    > pass slow
    settled slow success
    report completed=false canceled=false failed_step=f steps=8
    "#);
}

/// ruling 14: the side that is not needed is not resolved.
#[test]
fn a_decided_condition_does_not_read_on() {
    let steps = r#"[
        {"id": "a", "tool": "x", "if": "'a' == 'a' || $b.output == ''"},
        {"id": "b", "tool": "x", "if": "'a' == 'b' && $a.output == ''"}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), "pass a"), @r"
    run a #1 null
    settled b skipped attempts=0
    > pass a
    settled a success
    report completed=true canceled=false failed_step=null steps=2
    ");
}

/// ruling 8: always a JSON string, never parsed JSON.
#[test]
fn a_reference_is_handed_over_as_a_string() {
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "tool": "x", "depends_on": ["a"], "input": {"n": 1.50, "v": "$a.output", "s": "$a.status"}},
        {"id": "c", "capsule": "x", "depends_on": ["a"], "input": {"objective": "$a.output"}}
    ]"#;
    assert_snapshot!(play(steps, default_limits(), r#"pass a: {"k": "v"}"#), @r#"
    run a #1
    > pass a: {"k": "v"}
    settled a success output="{\"k\": \"v\"}"
    run b #1 {"n":1.50,"v":"{\"k\": \"v\"}","s":"success"}
    run c #1 {"k": "v"}
    "#);
}

/// decision: order of choices. A condition is looked at whether or not a slot is free.
#[test]
fn a_condition_does_not_wait_for_a_slot() {
    let steps = r#"[
        {"id": "a", "shell": "x"},
        {"id": "b", "shell": "x", "if": "'a' == 'b'"},
        {"id": "c", "tool": "x", "depends_on": ["b"]}
    ]"#;
    assert_snapshot!(play(steps, limits(1, 1), "pass c\npass a"), @r"
    run a #1
    settled b skipped attempts=0
    run c #1 null
    > pass c
    settled c success
    > pass a
    settled a success
    report completed=true canceled=false failed_step=null steps=3
    ");
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
    assert_snapshot!(play(steps, default_limits(), script), @r#"
    run t #1 null
    run s #1
    run c1 #1 go
    run c2 #1 go
    settled t2 skipped attempts=0
    > cancel
    end c1
    end c2
    settled next skipped attempts=0 error="the task running this plan was cancelled before this step ran"
    > fail t: own error
    settled t failed error="own error"
    > fail s: boom
    settled s failed error="boom"
    > end c1
    settled c1 failed error="the task running this plan was cancelled; this step's sub-capsule was ended with it"
    > cancel
    > pass c2: just in time
    settled c2 success output="just in time"
    report completed=false canceled=true failed_step=null steps=6
    "#);
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
    assert_snapshot!(play(steps, default_limits(), "fail a: boom\ncancel\nfail b: late\nend c"), @r#"
    run a #1
    run b #1
    run c #1 go
    > fail a: boom
    settled a failed error="boom"
    > cancel
    end c
    > fail b: late
    settled b failed error="late"
    > end c
    settled c failed error="the task running this plan was cancelled; this step's sub-capsule was ended with it"
    report completed=false canceled=false failed_step=a steps=3
    "#);
}

/// ruling 27: a cancel that lands when every step has settled changes nothing.
#[test]
fn a_cancel_after_the_last_step_changes_nothing() {
    let steps = r#"[{"id": "a", "shell": "x"}]"#;
    assert_snapshot!(play(steps, default_limits(), "pass a\ncancel"), @r"
    run a #1
    > pass a
    settled a success
    > cancel
    report completed=true canceled=false failed_step=null steps=1
    ");
    assert_snapshot!(play("[]", default_limits(), "cancel"), @r"
    > cancel
    report completed=true canceled=false failed_step=null steps=0
    ");
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
