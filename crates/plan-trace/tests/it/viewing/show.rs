//! `trace show`: a session in sections.

use super::shown;

/// spec: In the trace
#[test]
fn a_completed_run_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/completed"), @r"
    session     ses_019cc5cef28070018000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 01:00:00 UTC
    took        1 min 01 s
    outcome     ok

    Plan refresh
      completed in 1 min 01 s
      4 steps: 4 succeeded, 0 failed, 0 skipped
        list  tool   success  37 ms
        fmt   shell  success  640 ms      after list
        test  shell  success  1 min 01 s  after list
        note  tool   success  12 ms       after fmt, test; conditional
    ");
}

/// spec: In the trace
#[test]
fn a_run_that_failed_in_the_middle_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/failed"), @r#"
    session     ses_019cc605e10070028000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 02:00:00 UTC
    took        6.2 s
    outcome     failed

    Plan deploy
      failed in 6.2 s, stopped by `test`
      5 steps: 2 succeeded, 1 failed, 0 skipped, 2 not run
        build    shell  success  1.9 s
        lint     shell  success  898 ms
        test     shell  failed   4.2 s   after build
            running 3 tests
            test a_round_trip ... ok
            test a_long_name ... FAILED

            ---- a_long_name ----
            assertion `left == right` failed
              left: "␛[31mred␛[0m"
             right: "red"
        publish  tool   not run          after test, lint
        tell     tool   not run          after publish; conditional
    "#);
}

/// spec: In the trace
#[test]
fn a_refused_plan_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/refused"), @r"
    session     ses_019cc63ccf8070038000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 03:00:00 UTC
    took        6 ms
    outcome     failed

    Plan typo
      failed in 1 ms, nothing ran
          step `a` names `bb` in depends_on, which the plan does not declare; did you mean `b`? (at /steps/0/depends_on/0, line 4, column 20)
          step `b` declares none of `tool`, `shell` and `capsule` (at /steps/1, line 6, column 5)
      2 steps: 0 succeeded, 0 failed, 0 skipped, 2 not run
        a  shell    not run    after bb
        b  unknown  not run
    ");
}

/// spec: In the trace
#[test]
fn a_cancelled_run_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/canceled"), @r"
    session     ses_019cc673be0070048000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 04:00:00 UTC
    took        3.8 s
    outcome     canceled

    Plan long
      canceled in 3.8 s
          the task running this plan was cancelled
      3 steps: 1 succeeded, 1 failed, 1 skipped
        fetch  shell    success  3.8 s
        child  capsule  failed   2.9 s
            the task running this plan was cancelled; this step's sub-capsule was ended with it
        join   tool     skipped         after fetch, child
            the task running this plan was cancelled before this step ran

    Delegations
      local/worker 0.1.0  terminated in 3.5 s, session ses_019cc673be067004800000000000000a
          the delegating task was cancelled

    Cancelled
      task tsk_019cc673be0070048000000000000002, in phase `plan`; ended dlg_019cc673be0670048000000000000009
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_retries_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/retried"), @r"
    session     ses_019cc6aaac8070058000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 05:00:00 UTC
    took        987 ms
    outcome     ok

    Plan flaky
      completed in 982 ms
      2 steps: 1 succeeded, 1 failed, 0 skipped
        ping  shell  success  950 ms  3 attempts
        pong  shell  failed   30 ms   2 attempts; after ping
            exit code 7
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_skipped_steps_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/skipped"), @r"
    session     ses_019cc6e19b0070068000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 06:00:00 UTC
    took        32 ms
    outcome     ok

    Plan optional
      completed in 27 ms
      3 steps: 1 succeeded, 0 failed, 2 skipped
        probe  shell  skipped  20 ms
            nothing to probe
        mend   shell  skipped         after probe; conditional
        clean  shell  success  5 ms   after mend
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_delegations_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/delegations"), @r"
    session     ses_019cc718898070078000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 07:00:00 UTC
    took        8.5 s
    outcome     failed

    Plan spread
      failed in 8.5 s, stopped by `far`
      3 steps: 1 succeeded, 1 failed, 1 skipped
        one  capsule  success  5.3 s
        two  capsule  skipped  301 ms
            capsule 'local/greedy' is not in parent's spawn_allow
        far  capsule  failed   3.2 s   after one
            capsule 'local/worker' did not answer within 3 s

    Delegations
      local/worker 0.1.0  completed in 5.3 s, session ses_019cc71889867007800000000000000a
      local/greedy 0.1.0  refused in 301 ms, no session was started
          capsule 'local/greedy' is not in parent's spawn_allow
      local/worker 0.1.0  timed_out in 3.2 s, session ses_019cc7189e3b70078000000000000012
          capsule 'local/worker' did not answer within 3 s
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_denied_calls_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/denied"), @r"
    session     ses_019cc74f780070088000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 08:00:00 UTC
    took        14 ms
    outcome     ok

    Plan guarded
      completed in 9 ms
      3 steps: 1 succeeded, 1 failed, 1 skipped
        write  tool   skipped
            refused: `tests/login.rs` lies in the read-only path `tests`; nothing ran
        push   shell  failed
            refused by hook `no-push`: nothing is pushed at night
        read   shell  success  8 ms

    Denied calls
      /usr/bin/git  by hook `no-push` (on-shell)
          nothing is pushed at night

    Protected paths
      tests/login.rs  declared `tests`, by tool writer (`path` beside `content`)
          `tests/login.rs` lies in the read-only path `tests`
    ");
}

/// spec: In the trace
#[test]
fn a_killed_run_with_a_torn_line_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/torn"), @r"
    session     ses_019cc786668070098000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 09:00:00 UTC
    took        77 ms
    outcome     no end: killed; last event `plan_step_start` of `second`, line 6, 2026-03-07 09:00:00 UTC
    torn        line 7, the last, was cut off and is left out

    Plan cut
      no end
      3 steps: 1 succeeded, 0 failed, 0 skipped, 1 unsettled, 1 not run
        first   shell  success    70 ms
        second  shell  unsettled         after first
        third   shell  not run           after second
    ");
}

/// spec: In the trace
#[test]
fn an_empty_plan_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/empty"), @r"
    session     ses_019cc7bd5500700a8000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 10:00:00 UTC
    took        5 ms
    outcome     ok

    Plan nothing
      completed in 0 ms
      0 steps: 0 succeeded, 0 failed, 0 skipped
    ");
}

/// spec: In the trace
#[test]
fn a_session_without_a_plan_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/no-plan"), @r"
    session     ses_019cc7f44380700b8000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 11:00:00 UTC
    took        0 ms
    outcome     no end: killed; last event `task_start`, line 2, 2026-03-07 11:00:00 UTC
    ");
}

/// spec: In the trace
#[test]
fn a_trace_of_another_program_without_an_end_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/no-end"), @r"
    session     ses_019cc82b3200700c8000000000000001
    capsule     nightly 0.3.0
    model       some-model
    started     2026-03-07 12:00:00 UTC
    took        6 ms
    outcome     no end: still going on, or killed; last event `plan_step_start` of `x`, line 4, 2026-03-07 12:00:00 UTC

    Plan open
      no end
      2 steps: 0 succeeded, 0 failed, 0 skipped, 1 unsettled, 1 not run
        x  shell  unsettled
        y  shell  not run      after x
    ");
}

/// spec: In the trace
#[test]
fn several_plans_with_ids_that_steer_is_shown_in_sections() {
    insta::assert_snapshot!(shown("views/several"));
}
