//! What is on the screen while a plan runs.

use unicode_width::UnicodeWidthStr;

use super::{
    session::Session,
    window::{BEGIN, END},
};
use crate::space::{Call, Space};

/// `run --bounding off` of the plan `p` with these steps, its report shown to a person.
pub(super) fn steps<'s>(space: &'s Space, steps: &str) -> Call<'s> {
    space
        .plain(format!(r#"{{"id": "p", "steps": [{steps}]}}"#))
        .args(&["--bounding", "off"])
}

/// A step that says it is ready, and goes on when it is told.
pub(super) fn held(id: &str) -> String {
    format!(r#"{{"id": "{id}", "shell": "sh -c 'echo > ready; read x < go'"}}"#)
}

/// The text with its times and the turn of its spinner masked.
pub(super) fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let after = rest[digits..]
            .strip_prefix('.')
            .and_then(|after| after.get(1..));
        let time = after.and_then(|after| after.strip_prefix(" s"));
        match time {
            Some(after) if digits > 0 => {
                masked.push_str("[.] s");
                rest = after;
            }
            _ => {
                masked.push(if "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".contains(first) {
                    '⠋'
                } else {
                    first
                });
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    masked
}

/// spec: The command: what runs, for how long, what waits for what, the counts, and with `-v` the last line of output
#[test]
fn a_person_sees_what_runs_what_waits_and_what_is_said() {
    let space = Space::new().tool(
        "slow",
        "echo asking >&2; echo > ready; read x < go; echo '{}'",
    );
    let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
    let plan = r#"{"id": "first", "shell": "true"},
        {"id": "bad", "shell": "sh -c 'echo no such file >&2; exit 1'", "on_error": "continue", "depends_on": ["first"]},
        {"id": "build", "shell": "sh -c 'echo one; printf \"\\033[32mtwo\\033[0m \\033[2J\\007\"; echo > ready; read x < go'", "depends_on": ["bad"]},
        {"id": "fetch", "tool": "slow", "depends_on": ["bad"]},
        {"id": "fetch again", "tool": "slow", "depends_on": ["bad"]},
        {"id": "over", "shell": "true", "depends_on": ["bad"]},
        {"id": "deploy", "shell": "true", "depends_on": ["build", "fetch", "fetch again"]}"#;
    let call = steps(&space, plan).args(&["-v", "--jobs", "1"]);
    let mut session = Session::start(call, 80, 24);
    ready.wait();
    ready.wait();
    session.wait_for("two");
    session.wait_for("asking");
    insta::assert_snapshot!(masked(&session.window.shown()), @r"
    $ mur-plan
    ✓ first        shell    [.] s
    ✗ bad          shell    [.] s  no such file
    ⠋ build        shell    [.] s  two
    ⠋ fetch        tool     [.] s  asking
    · fetch again  tool            ready, one tool step runs at a time
    · over         shell           ready, one shell step runs at a time
    · deploy       shell           after build, fetch and fetch again
    2 of 7 settled, 2 running, 3 waiting (2 ready), 1 failed, [.] s
    ");
    go.tell();
    go.tell();
    ready.wait();
    go.tell();
    let (status, window) = session.end();
    assert_eq!(status, Some(0));
    let shown = window.shown();
    assert!(shown.starts_with("$ mur-plan\nstep "), "{shown}");
    assert!(
        !shown.contains(" settled, ") && !shown.contains("ready"),
        "{shown}"
    );
}

/// spec: The command: the live view; decision: of more steps than a window has lines the longest running are shown.
#[test]
fn two_hundred_steps_at_once_fit_the_window() {
    let space = Space::new();
    let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
    let all: Vec<String> = (0..200).map(|at| held(&format!("step-{at}"))).collect();
    let call = steps(&space, &all.join(",")).args(&["--jobs", "200"]);
    let mut session = Session::start(call, 80, 24);
    for _ in 0..200 {
        ready.wait();
    }
    session.wait_for("0 of 200 settled, 200 running");
    let shown = session.window.shown();
    assert!(shown.starts_with("$ mur-plan\n"), "{shown}");
    assert!(shown.contains("\n… and 182 more\n"), "{shown}");
    assert_eq!(shown.lines().count(), 21, "{shown}");
    for _ in 0..200 {
        go.tell();
    }
    let (status, window) = session.end();
    assert_eq!(status, Some(0));
    let written = window.written();
    assert!(written.contains("200 steps, 200 succeeded"));
    // What is left are the rows of the report alone.
    let shown = window.shown();
    assert!(
        !shown.contains("running") && !shown.contains("more"),
        "{shown}"
    );
}

/// spec: Bad input: text from plans and commands is shown without anything that could steer the terminal
#[test]
fn nothing_a_plan_or_command_says_steers_the_terminal() {
    let space = Space::new();
    let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
    let ids = [
        r"\u001b[2J\u001b[H\u0007gone",
        r"\u009b2J\u202edrow\r\n",
        "数字数字数字数字数字数字数字数字数字数字数字数字数字数字数字",
        "❤️❤️👩‍👩‍👧‍👦é",
        &"long".repeat(100),
    ];
    let hostile = r"\\033[2J\\033]0;title\\007\\033[?1049h\\033[31mred\\033c \\r\\rover";
    for (columns, rows) in [(60, 24), (20, 8), (20, 5), (3, 2)] {
        let mut plan: Vec<String> = ids.iter().map(|id| held(id)).collect();
        plan.push(format!(
            r#"{{"id": "says", "shell": "sh -c 'printf \"{hostile}\"; echo > ready; read x < go'"}}"#
        ));
        let mut session =
            Session::start(steps(&space, &plan.join(",")).args(&["-v"]), columns, rows);
        for _ in 0..plan.len() {
            ready.wait();
        }
        let counts = if columns > 20 { "6 running" } else { "0" };
        session.wait_for(counts);
        if rows > 20 {
            session.wait_for("over");
        }
        let shown = session.window.cut();
        // The line that was there before has stayed, or has gone up where there are too few.
        let expected = if rows > 6 { "$ mur-plan\n" } else { "" };
        assert!(shown.starts_with(expected), "{shown}");
        for line in shown.lines() {
            assert!(
                line.width() <= usize::from(columns),
                "{columns} columns: {line}"
            );
        }
        assert!(
            shown.lines().count() <= usize::from(rows),
            "{rows} rows: {shown}"
        );
        for _ in 0..plan.len() {
            go.tell();
        }
        let (status, window) = session.end();
        assert_eq!(status, Some(0));
        assert!(!window.written().contains("\x1b[2J") && !window.written().contains('\u{7}'));
    }
}

/// spec: The command: redrawn without flicker: a picture is one whole, and nothing of the old one is taken away first
#[test]
fn a_picture_is_written_over_the_old_one() {
    let space = Space::new();
    let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
    let mut session = Session::start(steps(&space, &held("a")), 80, 24);
    ready.wait();
    let pictures = |written: &str| written.matches(END).count();
    session.wait_until(|window| pictures(&window.written()) >= 5);
    go.tell();
    let (_, window) = session.end();
    let written = window.written();
    let mut drawn = 0;
    for picture in written.split(BEGIN).skip(1) {
        let (picture, _) = picture.split_once(END).expect("each picture has its end");
        let (text, back) = picture
            .split_once("\x1b[J")
            .expect("what is left is erased");
        assert!(text.contains(" settled"), "{picture:?}");
        assert!(
            !back.contains(|c: char| c.is_alphanumeric() && !"7hA123".contains(c)),
            "{picture:?}"
        );
        drawn += 1;
    }
    assert!(drawn >= 5);
}

/// spec: The command: `NO_COLOR` takes colours away and nothing else
#[test]
fn a_view_without_colours_is_the_same() {
    let shown: Vec<String> = ["", "1"]
        .into_iter()
        .map(|no_color| {
            let space = Space::new();
            let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
            let call = steps(&space, &held("a")).env("NO_COLOR", no_color);
            let mut session = Session::start(call, 80, 24);
            ready.wait();
            session.wait_for("1 running");
            let shown = masked(&session.window.shown());
            go.tell();
            let (_, window) = session.end();
            let has_colours = window.written().contains("\x1b[36m");
            assert_eq!(has_colours, no_color.is_empty(), "{:?}", window.written());
            shown
        })
        .collect();
    assert_eq!(shown[0], shown[1]);
}

/// spec: The command: plain lines under `CI` and with `TERM=dumb`, also on a terminal and with `-v`
#[test]
fn a_dumb_terminal_and_ci_get_plain_lines() {
    for (name, value) in [("CI", "true"), ("TERM", "dumb"), ("TERM", "")] {
        let space = Space::new();
        let call = steps(&space, r#"{"id": "a", "shell": "echo said"}"#).args(&["-v"]);
        let call = call.env("NO_COLOR", "1");
        let mut command = call.prepare();
        command.env("TERM", "xterm").env(name, value);
        let (status, window) = Session::run(command, 80, 24).end();
        assert_eq!(status, Some(0));
        assert!(
            !window.written().contains('\u{1b}'),
            "{:?}",
            window.written()
        );
        insta::allow_duplicates! {
            insta::assert_snapshot!(masked(&window.shown()), @r"
            $ mur-plan
            start   a (shell)
            success a (shell) in [.] s
            step  status   tries  time   error or output
            a     success  1      [.] s  said

            Plan 'p': 1 steps, 1 succeeded, 0 failed, 0 skipped in [.] s
            ");
        }
    }
}
