//! Conditions and references, told as in `timelines`.

use crate::{
    sim::play,
    world::{default_limits, limits},
};
use insta::assert_snapshot;

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
