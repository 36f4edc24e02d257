//! The views in a window: cut and broken by columns, coloured where colours are shown.

use plan_trace::render::{Look, Writer, columns};

use super::{RUNS, drawn_show, drawn_steps, run};

const NARROW: Look = Look {
    width: Some(60),
    colour: false,
};

/// spec: Bad input: "Text from plans, tools and commands is shown without anything that could steer the terminal"
#[test]
fn no_view_lets_a_trace_steer_the_terminal() {
    for (name, _) in RUNS {
        let run = run(&format!("views/{name}"));
        for text in [
            drawn_show(&run, Writer::NotSeen, NARROW),
            drawn_steps(&run, Writer::NotSeen, NARROW),
        ] {
            assert_eq!(columns::visible_lines(&text), text, "{name}");
        }
    }
}

/// spec: In the trace
#[test]
fn rows_end_at_the_window() {
    for (name, _) in RUNS {
        let run = run(&format!("views/{name}"));
        let look = Look {
            width: Some(100),
            ..NARROW
        };
        for line in drawn_steps(&run, Writer::NotSeen, look).lines() {
            assert!(columns::columns(line) <= 100, "{name}: {line}");
        }
    }
}

/// spec: In the trace
#[test]
fn a_long_error_is_broken_at_spaces_and_its_middle_left_out() {
    insta::assert_snapshot!(drawn_show(&run("views/refused"), Writer::NotSeen, NARROW), @r"
    session     ses_019cc63ccf8070038000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 03:00:00 UTC
    took        6 ms
    outcome     failed

    Plan typo
      failed in 1 ms, nothing ran
          step `a` names `bb` in depends_on, which the plan does
          not declare; did you mean `b`? (at
          /steps/0/depends_on/0, line 4, column 20)
          step `b` declares none of `tool`, `shell` and
          `capsule` (at /steps/1, line 6, column 5)
      2 steps: 0 succeeded, 0 failed, 0 skipped, 2 not run
        a  shell    not run    after bb
        b  unknown  not run
    ");
}

/// spec: In the trace; a run still going on is held by whoever writes it
#[test]
fn a_run_still_going_on_is_told_from_one_that_was_killed() {
    insta::assert_snapshot!(drawn_show(&run("views/torn"), Writer::There, NARROW), @r"
    session     ses_019cc786668070098000000000000001
    capsule     nightly 0.3.0
    bounding    process-groups
    started     2026-03-07 09:00:00 UTC
    took        77 ms
    outcome     still going on; last event `plan_step_start` of `second`, line 6, 2026-03-07 09:00:00 UTC
    torn        line 7, the last, was cut off and is left out

    Plan cut
      still going on
      3 steps: 1 succeeded, 0 failed, 0 skipped, 1 in flight, 1 not run
        first   shell  success    70 ms
        second  shell  in flight         after first
        third   shell  not run           after second
    ");
    insta::assert_snapshot!(drawn_steps(&run("views/torn"), Writer::There, NARROW), @r"
    at      what      kind   status     tries  time   error
    +4 ms   cut       plan   in flight
    +76 ms    first   shell  success    1      70 ms
    +77 ms    second  shell  in flight
    ");
}

/// spec: The command: colours mark how things ended, and take no column
#[test]
fn colours_take_no_column() {
    for (name, _) in RUNS {
        let run = run(&format!("views/{name}"));
        let coloured = Look {
            colour: true,
            ..NARROW
        };
        let plain = drawn_show(&run, Writer::NotSeen, NARROW);
        let styled = drawn_show(&run, Writer::NotSeen, coloured);
        assert_ne!(styled, plain);
        assert_eq!(without_styles(&styled), plain, "{name}");
        let plain = drawn_steps(&run, Writer::NotSeen, NARROW);
        let styled = drawn_steps(&run, Writer::NotSeen, coloured);
        assert_eq!(without_styles(&styled), plain, "{name}");
    }
}

/// decision: text is broken at spaces by display width, a word longer than the width anywhere
#[test]
fn words_are_broken_where_they_fit() {
    let wrapped = |text, width| columns::wrap(text, width).join("|");
    assert_eq!(wrapped("", 5), "");
    assert_eq!(wrapped("one two three", 7), "one two|three");
    assert_eq!(wrapped("one two three", 8), "one two|three");
    assert_eq!(wrapped("abcdefgh", 3), "abc|def|gh");
    assert_eq!(wrapped("ab 二つ目の", 6), "ab|二つ目|の");
    assert_eq!(wrapped("x", 0), "x");
}

fn without_styles(text: &str) -> String {
    let mut plain = String::new();
    for (at, piece) in text.split('\u{1b}').enumerate() {
        plain.push_str(if at == 0 {
            piece
        } else {
            piece.split_once('m').unwrap().1
        });
    }
    // A style may stand at the end of a line, before which spaces are not cut.
    let lines: Vec<_> = plain.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}
