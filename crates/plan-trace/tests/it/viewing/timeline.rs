//! `trace timeline`: the bars of every kind of run, as text.

use plan_trace::{
    pair::Run,
    render::{
        Look, Writer, columns,
        timeline::{self, Chart},
    },
};

use super::{PLAIN, RUNS, run};

pub(super) fn drawn(run: &Run, writer: Writer, look: Look) -> String {
    let mut out = Vec::new();
    timeline::text(&mut out, &Chart::of(run, writer, None), look).unwrap();
    String::from_utf8(out).unwrap()
}

fn barred(name: &str) -> String {
    drawn(&run(&format!("views/{name}")), Writer::NotSeen, PLAIN)
}

/// spec: In the trace
#[test]
fn a_completed_run_is_shown_as_bars() {
    insta::assert_snapshot!(barred("completed"), @r"
    Plan refresh
      completed in 1 min 01 s; 4 steps: 4 succeeded
      critical path: list → test → note
           ╷0               ╷15 s             ╷30 s             ╷45 s
    * list █                                                                          success 37 ms
      fmt  ▓                                                                          success 640 ms
    * test ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ success 1 min 01 s
    * note                                                                          █ success 12 ms

    █ tool  ▓ shell  * critical path: what the end waited for
    ");
}

/// spec: In the trace
#[test]
fn a_run_that_failed_in_the_middle_is_shown_as_bars() {
    insta::assert_snapshot!(barred("failed"), @r"
    Plan deploy
      failed in 6.2 s, stopped by `test`; 5 steps: 2 succeeded, 1 failed, 2 not run
      critical path: build → test
              ╷0                      ╷2 s                    ╷4 s
    * build   ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓                                                   success 1.9 s
      lint    ▓▓▓▓▓▓▓▓▓▓▓                                                                 success 898 ms
    * test                            ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ failed  4.2 s
      publish                                                                             not run
      tell                                                                                not run

    ▓ shell  * critical path: what the end waited for
    ");
}

/// spec: In the trace
#[test]
fn a_refused_plan_is_shown_as_bars() {
    insta::assert_snapshot!(barred("refused"), @r"
    Plan typo
      failed in 1 ms, nothing ran; 2 steps: 2 not run
        step `a` names `bb` in depends_on, which the plan does not declare; did you mean `b`? (at
        /steps/0/depends_on/0, line 4, column 20)
        step `b` declares none of `tool`, `shell` and `capsule` (at /steps/1, line 6, column 5)
      a                                                                                          not run
      b                                                                                          not run
    ");
}

/// spec: In the trace
#[test]
fn a_cancelled_run_is_shown_as_bars() {
    insta::assert_snapshot!(barred("canceled"), @r"
    Plan long
      canceled in 3.8 s; 3 steps: 1 succeeded, 1 failed, 1 skipped
        the task running this plan was cancelled
      critical path: fetch
                   ╷0               ╷1 s              ╷2 s              ╷3 s
    * fetch        ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ success    3.8 s
      child        ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒                 failed     2.9 s
      join                                                            ◇                 skipped
      local/worker      ═══════════════════════════════════════════════════════════════ terminated 3.5 s

    ▓ shell  ▒ capsule  ═ delegation  ◇ settled without being dispatched
    * critical path: what the end waited for
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_retries_is_shown_as_bars() {
    insta::assert_snapshot!(barred("retried"), @r"
    Plan flaky
      completed in 982 ms; 2 steps: 1 succeeded, 1 failed
      critical path: ping → pong
           ╷0           ╷200 ms      ╷400 ms       ╷600 ms      ╷800 ms
    * ping ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓╎▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓╎▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓   success 950 ms, 3 attempts
    * pong                                                                ▓╎▓ failed  30 ms, 2 attempts

    ▓ shell  ╎ a bar in parts: attempts, in equal parts because the trace does not say when one ended
    * critical path: what the end waited for
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_skipped_steps_is_shown_as_bars() {
    insta::assert_snapshot!(barred("skipped"), @r"
    Plan optional
      completed in 27 ms; 3 steps: 1 succeeded, 2 skipped
      critical path: probe → mend → clean
            ╷0            ╷5 ms         ╷10 ms         ╷15 ms        ╷20 ms         ╷25 ms
    * probe ░░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓                  skipped 20 ms
    * mend                                                                 ◇               skipped
    * clean                                                                ▓▓▓▓▓▓▓▓▓▓▓▓▓   success 5 ms

    ▓ shell  ░ ready and waiting to be dispatched  ◇ settled without being dispatched
    * critical path: what the end waited for
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_delegations_is_shown_as_bars() {
    insta::assert_snapshot!(barred("delegations"), @r"
    Plan spread
      failed in 8.5 s, stopped by `far`; 3 steps: 1 succeeded, 1 failed, 1 skipped
      critical path: one → far
                   ╷0             ╷2 s            ╷4 s            ╷6 s            ╷8 s
    * one          ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒                          success   5.3 s
      two          ▒▒▒                                                                  skipped   301 ms
    * far                                                    ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ failed    3.2 s
      local/worker ═══════════════════════════════════════════                          completed 5.3 s
      local/greedy ═══                                                                  refused   301 ms
      local/worker                                           ══════════════════════════ timed_out 3.2 s

    ▒ capsule  ═ delegation  * critical path: what the end waited for
    ");
}

/// spec: In the trace
#[test]
fn a_run_with_denied_calls_is_shown_as_bars() {
    insta::assert_snapshot!(barred("denied"), @r"
    Plan guarded
      completed in 9 ms; 3 steps: 1 succeeded, 1 failed, 1 skipped
      critical path: read
            ╷0               ╷2 ms             ╷4 ms            ╷6 ms             ╷8 ms
      write ░░░░░░░░◇                                                                       skipped
      push  ░░░░░░░░◇                                                                       failed
    * read  ░░░░░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓         success 8 ms

    ▓ shell  ░ ready and waiting to be dispatched  ◇ settled without being dispatched
    * critical path: what the end waited for
    ");
}

/// spec: In the trace
#[test]
fn a_killed_run_with_a_torn_line_is_shown_as_bars() {
    insta::assert_snapshot!(barred("torn"), @r"
    no end: killed; last event `plan_step_start` of `second`, line 6, 2026-03-07 09:00:00 UTC

    Plan cut
      no end; 3 steps: 1 succeeded, 1 unsettled, 1 not run
      critical path: first → second
             ╷0                  ╷20 ms               ╷40 ms              ╷60 ms
    * first  ░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓   success   70 ms
    * second                                                                          ░▸ unsettled
      third                                                                              not run

    ▓ shell  ░ ready and waiting to be dispatched  ▸ no end yet  * critical path: what the end waited
    for
    ");
}

/// spec: In the trace
#[test]
fn an_empty_plan_is_shown_as_bars() {
    insta::assert_snapshot!(barred("empty"), @r"
    Plan nothing
      completed in 0 ms; 0 steps
    ");
}

/// spec: In the trace
#[test]
fn a_session_without_a_plan_is_shown_as_bars() {
    insta::assert_snapshot!(barred("no-plan"), @r"
    no end: killed; last event `task_start`, line 2, 2026-03-07 11:00:00 UTC
    no plan ran
    ");
}

/// spec: In the trace
#[test]
fn several_plans_have_an_axis_each() {
    insta::assert_snapshot!(barred("several"), @r"
    Plan first
      completed in 10 ms; 1 step: 1 succeeded
      critical path: a
        ╷0              ╷2 ms            ╷4 ms           ╷6 ms            ╷8 ms
    * a ░░░░░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓         success 9 ms

    Plan 二つ目␊�
      failed in 19 ms, stopped by `long-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`; 2 steps: 1 succeeded, 1
      failed
      critical path: ステップ → long-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
                                ╷0             ╷5 ms           ╷10 ms         ╷15 ms
    * ステップ                  ░░░█████████████████████████                                success 9 ms
    * long-xxxxxxxxxxxxxxxxxxx…                                ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓    failed  9 ms

    Plan (without an id)
      failed in 0 ms, nothing ran; 0 steps
        the text is not JSON (line 1, column 1)

    █ tool  ▓ shell  ░ ready and waiting to be dispatched  * critical path: what the end waited for
    ");
}

/// spec: In the trace: lines end at the window, and at 100 columns where there is none
#[test]
fn bars_end_at_the_window() {
    for (name, _) in RUNS {
        let run = run(&format!("views/{name}"));
        for width in [40, 61, 80, 100, 200] {
            let look = Look {
                width: Some(width),
                colour: false,
            };
            let text = drawn(&run, Writer::NotSeen, look);
            for line in text.lines() {
                assert!(columns::columns(line) <= width, "{name}, {width}: {line}");
            }
        }
        let plain = drawn(&run, Writer::NotSeen, PLAIN);
        assert!(
            plain.lines().all(|line| columns::columns(line) <= 100),
            "{name}"
        );
    }
}

/// spec: Bad input: "Text from plans, tools and commands is shown without anything that could steer the terminal"
#[test]
fn no_timeline_lets_a_trace_steer_the_terminal() {
    for (name, _) in RUNS {
        let run = run(&format!("views/{name}"));
        let text = drawn(&run, Writer::NotSeen, PLAIN);
        assert_eq!(columns::visible_lines(&text), text, "{name}");
        let coloured = Look {
            colour: true,
            ..PLAIN
        };
        let styled = drawn(&run, Writer::NotSeen, coloured);
        let mut plain = String::new();
        for (at, piece) in styled.split('\u{1b}').enumerate() {
            let piece = if at == 0 {
                piece
            } else {
                piece.split_once('m').unwrap().1
            };
            plain.push_str(piece);
        }
        let lines: Vec<_> = plain.lines().map(str::trim_end).collect();
        assert_eq!(
            lines.join("\n") + "\n",
            text,
            "{name}: colours take no column"
        );
    }
}
