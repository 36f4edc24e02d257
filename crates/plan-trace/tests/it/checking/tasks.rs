//! Delegations and cancels.

use super::{doubled, short, swapped, without};

/// spec: trace.md, delegation_start and delegation
#[test]
fn a_delegation_whose_lines_do_not_go_together_is_found() {
    insta::assert_snapshot!(doubled(10, 11), @"line 11: the delegation `d1` starts twice");
    insta::assert_snapshot!(without(10), @"line 11: the delegation `d1` ends without a start");
    insta::assert_snapshot!(without(11), @"line 10: the delegation `d1` has no `delegation` line");
    insta::assert_snapshot!(doubled(11, 12), @"line 12: the delegation `d1` ends twice");
    insta::assert_snapshot!(short(11, "\"s1\"", "null"), @r"
    line 10: the delegation `d1` has no `delegation` line
    line 11: a delegation has one of its two ids
    ");
    insta::assert_snapshot!(short(11, "\"s1\"", "\"s2\""), @"line 11: the delegation `d1` ends with another child than it started");
    insta::assert_snapshot!(short(11, "\"slow\"", "null"), @"line 11: a delegation is `timed_out` without a `reason`");
    insta::assert_snapshot!(short(11, "\"timed_out\"", "\"completed\""), @"line 11: a completed delegation has a `reason`");
    insta::assert_snapshot!(short(11, "\"timed_out\"", "\"late\""), @"line 11: `late` is no outcome of a delegation");
    insta::assert_snapshot!(short(12, "\"refused\"", "\"timed_out\""), @"line 12: a delegation without ids is `timed_out`");
    insta::assert_snapshot!(short(32, "\"the delegating task was cancelled\"", "\"x\""), @"line 32: a terminated delegation has not the reason `the delegating task was cancelled`");
    insta::assert_snapshot!(short(32, "\"terminated\"", "\"failed\""), @"line 32: the delegation `d2` was cancelled and is not `terminated`");
}

/// spec: trace.md, Rules: "the order is: `plan_step` lines, `plan_end`, then `task_canceled` …"
#[test]
fn a_cancel_out_of_order_is_found() {
    insta::assert_snapshot!(swapped(30), @"line 30: the task `t2` is cancelled before the plan of line 25 ended");
    insta::assert_snapshot!(swapped(31), @r"
    line 31: the delegation `d2` is terminated before a `task_canceled` names it
    line 32: `task_canceled` names `d2`, which had ended
    ");
    insta::assert_snapshot!(swapped(32), @"line 32: the task `t2` ends before the `delegation` line of `d2`");
    insta::assert_snapshot!(without(31), @r"
    line 32: the delegation `d2` is terminated before a `task_canceled` names it
    line 33: the task `t2` ends `canceled` without a `task_canceled`
    ");
    insta::assert_snapshot!(without(32), @r"
    line 27: the delegation `d2` has no `delegation` line
    line 33: the task `t2` ends before the `delegation` line of `d2`
    ");
    insta::assert_snapshot!(without(33), @"line 24: the task `t2` has no `task_end`");
    insta::assert_snapshot!(without(24), @r"
    line 31: `task_canceled` hangs off a line of another kind
    line 31: the task `t2` is cancelled and never started
    line 33: `task_end` hangs off a line of another kind
    line 33: the task `t2` ends and never started
    ");
    insta::assert_snapshot!(doubled(24, 25), @"line 25: the task `t2` starts twice");
    insta::assert_snapshot!(doubled(31, 32), @"line 32: the task `t2` is cancelled twice");
    insta::assert_snapshot!(doubled(33, 34), @"line 34: the task `t2` ends twice");
    insta::assert_snapshot!(short(33, "\"canceled\"", "\"ok\""), @"line 33: the task `t2` was cancelled and does not end `canceled`");
    insta::assert_snapshot!(short(33, "\"canceled\"", "\"gone\""), @"line 33: `gone` is no exit status");
    insta::assert_snapshot!(short(31, "\"d2\"", "\"d1\",\"d9\",\"d2\""), @r"
    line 31: `task_canceled` names `d1`, which had ended
    line 31: `task_canceled` names `d9`, which never started
    ");
}
