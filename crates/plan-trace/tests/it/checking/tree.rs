//! Ids and parents.

use super::{GOOD, changed, doubled, expand, long, short, shown, swapped};

/// spec: trace.md, `event_id`: never used twice, in write order
#[test]
fn an_id_used_twice_or_out_of_order_is_found() {
    insta::assert_snapshot!(long(34, "evt_00000000000170008000000000000022", "evt_00000000000170008000000000000001"), @r"
    line 34: the id `evt_00000000000170008000000000000001` is used twice
    line 35: `spawner_ended` hangs off a line of another kind
    line 36: `session_end` hangs off a line of another kind
    ");
    insta::assert_snapshot!(long(34, "evt_00000000000170008000000000000022", "evt_00000000000070008000000000000022"), @"line 34: the id `evt_00000000000070008000000000000022` sorts before that of the line before");
}

/// spec: trace.md, `parent_id` and "hangs off"
#[test]
fn a_line_that_hangs_off_the_wrong_line_is_found() {
    insta::assert_snapshot!(short(1, "-", "1"), @"line 1: `session_start` hangs off a line");
    insta::assert_snapshot!(short(35, "1", "-"), @"line 35: `parent_id` is null");
    insta::assert_snapshot!(short(34, "24", "36"), @"line 34: the parent `evt_00000000000170008000000000000024` is no earlier line");
    insta::assert_snapshot!(short(34, "24", "34"), @"line 34: the parent `evt_00000000000170008000000000000022` is no earlier line");
    insta::assert_snapshot!(short(2, "1", "2"), @"line 2: the parent `evt_00000000000170008000000000000002` is no earlier line");
    insta::assert_snapshot!(short(3, "1", "2"), @"line 3: `plan_start` hangs off a `task_start`");
    insta::assert_snapshot!(short(7, "2", "3"), @"line 7: `call_denied` hangs off a `plan_start`");
    insta::assert_snapshot!(short(8, "2", "4"), @"line 8: `protected_path_denied` hangs off a `plan_step_start`");
    insta::assert_snapshot!(short(10, "1", "3"), @"line 10: `delegation_start` hangs off a `plan_start`");
    insta::assert_snapshot!(short(11, "1", "10"), @"line 11: `delegation` hangs off a `delegation_start`");
    insta::assert_snapshot!(short(31, "24", "1"), @"line 31: `task_canceled` hangs off a `session_start`");
    insta::assert_snapshot!(short(33, "24", "1"), @"line 33: `task_end` hangs off a `session_start`");
    insta::assert_snapshot!(short(35, "1", "24"), @"line 35: `spawner_ended` hangs off a `task_start`");
    insta::assert_snapshot!(short(36, "1", "24"), @"line 36: `session_end` hangs off a `task_start`");
    insta::assert_snapshot!(doubled(1, 2), @"line 2: `session_start` is not the first line");
    insta::assert_snapshot!(swapped(35), @"line 36: a line follows `session_end`");
}

/// spec: trace.md, `parent_id`: `null` on every line of a file that has no `session_start`
#[test]
fn a_parent_in_a_trace_without_a_session_is_found() {
    let plan: Vec<&str> = GOOD.trim().lines().skip(15).take(4).collect();
    let rootless = plan.join("\n").replace(" 16 ", " - ").replace(" 1 ", " - ");
    assert_eq!(shown(&expand(&rootless)), "");
    insta::assert_snapshot!(shown(&expand(&changed(&rootless, 3, " - ", " 1 "))), @"line 3: `parent_id` is not null in a trace without a `session_start`");
    insta::assert_snapshot!(shown(&expand(&changed(&rootless, 4, "\"steps_failed\":1", "\"steps_failed\":0"))), @"line 4: `plan_end` counts 0 succeeded, 0 failed, 0 skipped; its steps settled as 0, 1, 0");
}
