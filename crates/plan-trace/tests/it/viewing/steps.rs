//! `trace steps`: rows as they happened.

use super::stepped;

/// spec: In the trace
#[test]
fn a_completed_run_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/completed"), @r"
    at           what     kind   status     tries  time        error
    +4 ms        refresh  plan   completed         1 min 01 s
    +44 ms         list   tool   success    1      37 ms
    +685 ms        fmt    shell  success    1      640 ms
    +1 min 01 s    test   shell  success    1      1 min 01 s
    +1 min 01 s    note   tool   success    1      12 ms
    ");
}

/// spec: In the trace
#[test]
fn a_run_that_failed_in_the_middle_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/failed"), @r"
    at       what     kind   status   tries  time    error
    +4 ms    deploy   plan   failed          6.2 s   stopped by `test`
    +906 ms    lint   shell  success  1      898 ms
    +2.0 s     build  shell  success  1      1.9 s
    +6.2 s     test   shell  failed   1      4.2 s   running 3 tests …
    ");
}

/// spec: In the trace
#[test]
fn a_refused_plan_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/refused"), @r"
    at     what  kind  status  tries  time  error
    +4 ms  typo  plan  failed         1 ms  step `a` names `bb` in depends_on, which the plan does not declare; did you mean `b`? (at /steps/0/depends_on/0, line 4, column 20) …
    ");
}

/// spec: In the trace
#[test]
fn a_cancelled_run_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/canceled"), @r"
    at       what                                  kind        status      tries  time   error
    +4 ms    long                                  plan        canceled           3.8 s  the task running this plan was cancelled
    +2.9 s     child                               capsule     failed      1      2.9 s  the task running this plan was cancelled; this step's sub-capsule was ended with it
    +2.9 s     join                                tool        skipped                   the task running this plan was cancelled before this step ran
    +3.8 s     fetch                               shell       success     1      3.8 s
    +306 ms  local/worker                          delegation  terminated         3.5 s  the delegating task was cancelled
    +3.8 s   tsk_019cc673be0070048000000000000002  task        canceled
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_retries_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/retried"), @r"
    at       what    kind   status     tries  time    error
    +4 ms    flaky   plan   completed         982 ms
    +956 ms    ping  shell  success    3      950 ms
    +986 ms    pong  shell  failed     2      30 ms   exit code 7
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_skipped_steps_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/skipped"), @r"
    at      what      kind   status     tries  time   error
    +4 ms   optional  plan   completed         27 ms
    +26 ms    probe   shell  skipped    1      20 ms  nothing to probe
    +26 ms    mend    shell  skipped
    +31 ms    clean   shell  success    1      5 ms
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_delegations_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/delegations"), @r"
    at       what          kind        status     tries  time    error
    +4 ms    spread        plan        failed            8.5 s   stopped by `far`
    +307 ms    two         capsule     skipped    1      301 ms  capsule 'local/greedy' is not in parent's spawn_allow
    +5.3 s     one         capsule     success    1      5.3 s
    +8.5 s     far         capsule     failed     1      3.2 s   capsule 'local/worker' did not answer within 3 s
    +306 ms  local/worker  delegation  completed         5.3 s
    +307 ms  local/greedy  delegation  refused           301 ms  capsule 'local/greedy' is not in parent's spawn_allow
    +5.5 s   local/worker  delegation  timed_out         3.2 s   capsule 'local/worker' did not answer within 3 s
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_denied_calls_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/denied"), @r"
    at      what            kind   status     tries  time  error
    +4 ms   guarded         plan   completed         9 ms
    +5 ms     write         tool   skipped                 refused: `tests/login.rs` lies in the read-only path `tests`; nothing ran
    +5 ms     push          shell  failed                  refused by hook `no-push`: nothing is pushed at night
    +13 ms    read          shell  success    1      8 ms
    +5 ms   tests/login.rs  path   denied                  `tests/login.rs` lies in the read-only path `tests`
    +5 ms   /usr/bin/git    call   denied                  nothing is pushed at night
    ");
}

/// spec: In the trace
#[test]
fn a_killed_run_with_a_torn_line_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/torn"), @r"
    at      what      kind   status     tries  time   error
    +4 ms   cut       plan   no end
    +76 ms    first   shell  success    1      70 ms
    +77 ms    second  shell  unsettled
    ");
}

/// spec: In the trace
#[test]
fn an_empty_plan_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/empty"), @r"
    at     what     kind  status     tries  time  error
    +4 ms  nothing  plan  completed         0 ms
    ");
}

/// spec: In the trace
#[test]
fn a_session_without_a_plan_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/no-plan"), @"no plan ran");
}

/// spec: In the trace
#[test]
fn a_trace_of_another_program_without_an_end_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/no-end"), @r"
    at     what  kind   status     tries  time  error
    +4 ms  open  plan   no end
    +6 ms    x   shell  unsettled
    ");
}

/// spec: In the trace
#[test]
fn several_plans_with_ids_that_steer_is_shown_as_rows() {
    insta::assert_snapshot!(stepped("views/several"), @r"
    at      what                                        kind   status     tries  time   error
    +4 ms   first                                       plan   completed         10 ms
    +14 ms    a                                         shell  success    1      9 ms
    +19 ms  二つ目␊�                                    plan   failed            19 ms  stopped by `long-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`
    +29 ms    ステップ                                  tool   success    1      9 ms
    +38 ms    long-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…  shell  failed     1      9 ms   line 1 of what it wrote …
    +39 ms  (without an id)                             plan   failed            0 ms   the text is not JSON (line 1, column 1)
    ");
}
