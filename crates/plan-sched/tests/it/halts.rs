//! What a stop and a cancel do, told as in `timelines`.

use crate::{
    sim::{play, play_with_gate},
    world::{default_limits, limits},
};
use insta::assert_snapshot;

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
