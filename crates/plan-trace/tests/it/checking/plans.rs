//! The lines of plans.

use super::{doubled, short, swapped, without};

/// spec: trace.md, plan_start, plan_step_start and plan_step
#[test]
fn a_step_whose_lines_do_not_go_together_is_found() {
    insta::assert_snapshot!(short(3, "\"step_count\":4", "\"step_count\":3"), @"line 3: `step_count` is 3, `steps` has 4");
    insta::assert_snapshot!(doubled(4, 5), @"line 5: `a` starts twice");
    insta::assert_snapshot!(without(4), @"line 6: `a` has 1 attempts and no `plan_step_start`");
    insta::assert_snapshot!(without(6), @r"
    line 15: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 0, 1, 2
    line 15: `a` started and never settled
    line 15: the plan is `completed`, but not every step settled
    ");
    insta::assert_snapshot!(swapped(17), @r"
    line 17: `a` has 1 attempts and no `plan_step_start`
    line 18: `a` starts after it settled
    ");
    insta::assert_snapshot!(short(4, "\"step_id\":\"a\"", "\"step_id\":\"x\""), @r"
    line 4: the plan declares no step `x`
    line 6: `a` has 1 attempts and no `plan_step_start`
    ");
    insta::assert_snapshot!(short(4, "\"tool\"", "\"shell\""), @"line 4: `a` starts as another kind or with other dependencies than declared");
    insta::assert_snapshot!(short(4, "[]", "[\"b\"]"), @r"
    line 4: `a` starts before `b` settled
    line 4: `a` starts as another kind or with other dependencies than declared
    ");
    insta::assert_snapshot!(short(4, "\"p\"", "\"o\""), @"line 4: a step of the plan `p` says it is of `o`");
    insta::assert_snapshot!(short(6, "\"step_id\":\"a\"", "\"step_id\":\"x\""), @r"
    line 6: the plan declares no step `x`
    line 15: `a` started and never settled
    line 15: the plan is `completed`, but not every step settled
    ");
    insta::assert_snapshot!(short(6, "\"tool\"", "\"shell\""), @r"
    line 6: `a` is no tool step and has an `input`
    line 6: `a` settles as another kind than declared
    ");
    insta::assert_snapshot!(short(6, "\"success\"", "\"passed\""), @r"
    line 6: `passed` is no status
    line 15: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 0, 1, 2
    ");
    insta::assert_snapshot!(short(6, "\"attempts\":1", "\"attempts\":0"), @r"
    line 6: `a` was never dispatched and took 5 ms
    line 6: `a` was never dispatched and succeeded
    line 6: `a` was never dispatched and has an `input`
    line 6: `a` started and has 0 attempts
    ");
    insta::assert_snapshot!(short(6, ",\"input\"", ",\"error\":\"e\",\"input\""), @"line 6: `a` succeeded with an `error`");
    insta::assert_snapshot!(short(9, ",\"error\":\"refused\"", ""), @"line 9: `b` failed without an `error`");
    insta::assert_snapshot!(short(9, "\"attempts\":0", "\"attempts\":1"), @"line 9: `b` has 1 attempts and no `plan_step_start`");
    insta::assert_snapshot!(short(9, "\"duration_ms\":0", "\"duration_ms\":3"), @"line 9: `b` was never dispatched and took 3 ms");
    insta::assert_snapshot!(short(14, "\"duration_ms\":0", "\"duration_ms\":0,\"input\":1"), @"line 14: `n` was never dispatched and has an `input`");
    insta::assert_snapshot!(doubled(14, 15), @r"
    line 15: `n` settles twice
    line 16: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 1, 1, 3
    ");
    insta::assert_snapshot!(swapped(14), @r"
    line 14: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 1, 1, 1
    line 14: the plan is `completed`, but not every step settled
    line 15: a step line follows the end of the plan `p`
    ");
    insta::assert_snapshot!(without(16), @r"
    line 17: `plan_step_start` hangs off a line of another kind
    line 17: `plan_step_start` has no `plan_start`
    line 18: `plan_step` hangs off a line of another kind
    line 18: `plan_step` has no `plan_start`
    line 19: `plan_end` hangs off a line of another kind
    line 19: a plan that did not parse ends without outcome `failed` and a reason
    line 19: a plan that did not parse counts settled steps
    ");
}

/// spec: trace.md, plan_end
#[test]
fn a_plan_end_that_its_steps_belie_is_found() {
    insta::assert_snapshot!(without(15), @r"
    line 3: the plan `p` has no `plan_end`
    line 23: the task `t1` ends before the plan of line 3
    line 31: the task `t2` is cancelled before the plan of line 3 ended
    line 33: the task `t2` ends before the plan of line 3
    ");
    insta::assert_snapshot!(doubled(15, 16), @"line 16: the plan `p` ends twice");
    insta::assert_snapshot!(short(15, "\"p\"", "\"o\""), @"line 15: the plan `p` ends as `o`");
    insta::assert_snapshot!(short(15, "\"steps_total\":4", "\"steps_total\":3"), @"line 15: `steps_total` is 3, the plan declares 4");
    insta::assert_snapshot!(short(15, "\"steps_skipped\":2", "\"steps_skipped\":1"), @"line 15: `plan_end` counts 1 succeeded, 1 failed, 1 skipped; its steps settled as 1, 1, 2");
    insta::assert_snapshot!(short(15, "\"completed\"", "\"done\""), @"line 15: `done` is no outcome of a plan");
    insta::assert_snapshot!(short(15, "\"completed\"", "\"completed\",\"failed_step\":\"b\""), @"line 15: a completed plan has a `failed_step` or a `reason`");
    insta::assert_snapshot!(short(19, "\"failed\",\"failed_step\":\"a\"", "\"completed\""), @"line 19: the plan is `completed`, but not every step settled");
    insta::assert_snapshot!(short(19, "\"failed_step\":\"a\"", "\"failed_step\":\"b\""), @"line 19: `b` stopped the plan, but did not settle as failed");
    insta::assert_snapshot!(short(19, ",\"failed_step\":\"a\"", ""), @"line 19: a failed plan has no `failed_step`");
    insta::assert_snapshot!(short(19, "\"duration_ms\":3", "\"duration_ms\":3,\"reason\":\"r\""), @"line 19: a plan that was refused has step lines");
    insta::assert_snapshot!(short(30, "\"canceled\"", "\"canceled\",\"failed_step\":\"w\""), @"line 30: a canceled plan has a `failed_step` or no `reason`");
    insta::assert_snapshot!(short(30, ",\"reason\":\"the task running this plan was cancelled\"", ""), @"line 30: a canceled plan has a `failed_step` or no `reason`");
    insta::assert_snapshot!(without(29), @r"
    line 30: `plan_end` counts 0 succeeded, 1 failed, 1 skipped; its steps settled as 0, 1, 0
    line 30: the plan is `canceled`, but not every step settled
    ");
    insta::assert_snapshot!(short(22, ",\"reason\":\"not JSON\"", ""), @"line 22: a plan that did not parse ends without outcome `failed` and a reason");
    insta::assert_snapshot!(short(22, "\"steps_failed\":0", "\"steps_failed\":1"), @"line 22: a plan that did not parse counts settled steps");
}
