//! A running plan as it is drawn.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mur_plan::Progress;
use mur_plan::cli::live::{Canvas, Reason, Watch, frame};
use mur_plan::plan_exec::{LastLine, OpenLine};
use mur_plan::plan_sched::Limits;
use plan_model::{Kind, PlanDoc, Status, StepIdx};

pub(crate) fn start(at: usize, id: &str, kind: Kind, attempt: u32) -> Progress {
    Progress::StepStarted {
        index: StepIdx::new(at),
        id: id.to_owned(),
        kind,
        attempt,
        last_line: None,
    }
}

/// A plan of `steps` shell steps that has just begun.
pub(crate) fn begin(steps: usize) -> Progress {
    begin_with(
        (0..steps)
            .map(|at| format!(r#"{{"id": "w{at}", "shell": "x"}}"#))
            .collect(),
    )
}

pub(crate) fn begin_with(steps: Vec<String>) -> Progress {
    let text = format!(r#"{{"id": "p", "steps": [{}]}}"#, steps.join(","));
    let checked = PlanDoc::read(text.into_bytes()).check(None);
    Progress::PlanStarted {
        plan: Arc::new(checked.plan.expect("the plan is legal")),
        limits: Limits {
            shell: NonZeroUsize::new(64).expect("not 0"),
            capsule: NonZeroUsize::new(4).expect("not 0"),
        },
    }
}

pub(crate) fn settle(at: usize, id: &str, status: Status, error: Option<&str>) -> Progress {
    Progress::StepSettled {
        index: StepIdx::new(at),
        id: id.to_owned(),
        kind: Kind::Shell,
        status,
        attempts: 1,
        duration_ms: 1234,
        error: error.map(str::to_owned),
    }
}

/// A plan of `steps` steps after `events`, each of which came 1.1 s after the one before.
fn watch(start: Instant, steps: usize, events: Vec<Progress>) -> Watch {
    let mut watch = Watch::of_the_waiting();
    watch.on(begin(steps), start);
    for (event, at) in events.into_iter().zip(1..) {
        watch.on(event, start + Duration::from_millis(1100) * at);
    }
    watch
}

fn canvas(columns: usize, rows: usize, colour: bool) -> Canvas {
    Canvas {
        columns,
        rows,
        colour,
        output: false,
    }
}

pub(crate) fn usual() -> Vec<Progress> {
    vec![
        start(0, "list", Kind::Tool, 1),
        start(1, "check", Kind::Shell, 1),
        settle(0, "list", Status::Success, None),
        start(2, "delegate", Kind::Capsule, 1),
        settle(3, "docs", Status::Failed, Some("exit code 1\nmore")),
        start(1, "check", Kind::Shell, 2),
        settle(4, "never", Status::Skipped, None),
    ]
}

/// spec: The command; a line for each step, a spinner, the time it runs, and counts.
#[test]
fn a_frame_has_a_line_for_each_step_and_the_counts() {
    let origin = Instant::now();
    let watch = watch(origin, 9, usual());
    let now = origin + Duration::from_secs(75);
    insta::assert_snapshot!(frame(&watch, &canvas(80, 24, false), now), @r"
    ✓ list      shell         1.2 s
    ✗ docs      shell         1.2 s  exit code 1 …
    - never     shell         1.2 s
    ⠋ check     shell    1 min 12 s  attempt 2
    ⠋ delegate  capsule  1 min 10 s
    · w5        shell                ready
    · w6        shell                ready
    · w7        shell                ready
    · w8        shell                ready
    3 of 9 settled, 2 running, 4 waiting (4 ready), 1 failed, 1 min 15 s
    ");
}

/// decision: with colours, a frame has the same text.
#[test]
fn colours_do_not_change_a_frame() {
    let origin = Instant::now();
    let watch = watch(origin, 9, usual());
    let coloured = frame(&watch, &canvas(40, 24, true), origin);
    assert!(coloured.contains("\x1b["));
    let plain = frame(&watch, &canvas(40, 24, false), origin);
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

/// decision: a frame never wraps and never scrolls, whatever the window.
#[test]
fn a_frame_is_smaller_than_its_window() {
    let origin = Instant::now();
    let mut events = usual();
    events.extend((10..200).map(|at| start(at, &format!("数字-{at}"), Kind::Shell, 1)));
    let watch = watch(origin, 300, events);
    for width in 0..90 {
        for height in 0..30 {
            let text = frame(
                &watch,
                &canvas(width, height, false),
                origin + Duration::from_secs(4000),
            );
            let lines: Vec<&str> = text.lines().collect();
            assert!(
                lines.len() < height.max(2) && lines.len() <= 20,
                "{height} rows: {text}"
            );
            for line in lines {
                let columns = unicode_width::UnicodeWidthStr::width(line);
                assert!(columns < width.max(4), "{width} columns: {line}");
            }
        }
    }
    insta::assert_snapshot!(frame(&watch, &canvas(30, 6, false), origin + Duration::from_secs(4000)), @r"
    ⠋ check     1 h 06 min  atte…
    ⠋ delegate  1 h 06 min
    ⠋ 数字-10   1 h 06 min
    … and 189 more
    3 of 300 settled, 192 runnin…
    ");
}

/// decision: what runs stays in sight first, then what waits, then what has settled.
#[test]
fn the_last_settled_steps_fill_the_room_left() {
    let origin = Instant::now();
    let watch = watch(origin, 6, usual());
    let now = origin + Duration::from_secs(8);
    insta::assert_snapshot!(frame(&watch, &canvas(80, 6, false), now), @r"
    - never     shell    1.2 s
    ⠋ check     shell    5.8 s  attempt 2
    ⠋ delegate  capsule  3.6 s
    · w5        shell           ready
    3 of 6 settled, 2 running, 1 waiting (1 ready), 1 failed, 8.0 s
    ");
    insta::assert_snapshot!(frame(&watch, &canvas(80, 4, false), now), @r"
    ⠋ check     shell    5.8 s  attempt 2
    ⠋ delegate  capsule  3.6 s
    3 of 6 settled, 2 running, 1 waiting (1 ready), 1 failed, 8.0 s
    ");
}

fn tool(id: &str) -> String {
    format!(r#"{{"id": "{id}", "tool": "t"}}"#)
}

/// spec: The command: what waits, and for what: the tool queue, a limit, the gate, other steps
#[test]
fn a_step_that_waits_says_for_what() {
    let origin = Instant::now();
    let mut watch = Watch::of_the_waiting();
    let mut steps: Vec<String> = ["t0", "t1"].map(tool).into();
    steps.extend((2..67).map(|at| format!(r#"{{"id": "s{at}", "shell": "x"}}"#)));
    steps.push(r#"{"id": "z", "shell": "x", "depends_on": ["t0", "t1", "s2", "s3", "s4"]}"#.into());
    steps.push(r#"{"id": "end", "shell": "x", "depends_on": ["z", "s2"]}"#.into());
    watch.on(begin_with(steps), origin);
    let shown = |watch: &Watch| {
        let text = frame(watch, &canvas(80, 24, false), origin);
        let waiting = text.lines().filter(|line| line.starts_with('·'));
        waiting.collect::<Vec<_>>().join("\n")
    };
    watch.on(
        Progress::StepAsked {
            index: StepIdx::new(0),
        },
        origin,
    );
    insta::assert_snapshot!(shown(&watch), @r"
    · t0   tool       ready, the gate is asked
    · t1   tool       ready, one tool step runs at a time
    · z    shell      after t0, t1, s2 and 2 more
    · end  shell      after z and s2
    ");
    watch.on(start(0, "t0", Kind::Tool, 1), origin);
    for at in 2..66 {
        watch.on(start(at, &format!("s{at}"), Kind::Shell, 1), origin);
    }
    // So many run that nothing else has room.
    assert_eq!(shown(&watch), "");
    for at in 2..60 {
        watch.on(settle(at, &format!("s{at}"), Status::Success, None), origin);
    }
    insta::assert_snapshot!(shown(&watch), @r"
    · t1   tool            ready, one tool step runs at a time
    · s66  shell           ready
    · z    shell           after t0 and t1
    · end  shell           after z
    ");
    for at in 67..125 {
        watch.on(start(at, "other", Kind::Shell, 1), origin);
    }
    let reasons = watch.first_waiting(4);
    assert_eq!(
        (reasons[1].id, &reasons[1].reason),
        ("s66", &Reason::Slot(64))
    );
    watch.on(
        Progress::Counts {
            ready: 0,
            in_flight: 1,
            settled: 58,
            closed: true,
        },
        origin,
    );
    assert!(watch.first_waiting(4).is_empty());
}

/// spec: The command: the last line of output of each running command, on request and made harmless
#[test]
fn what_a_command_says_is_shown_on_request() {
    let origin = Instant::now();
    let mut watch = Watch::of_the_waiting();
    watch.on(begin(2), origin);
    let line = LastLine::default();
    watch.on(
        Progress::StepStarted {
            index: StepIdx::new(0),
            id: "w0".to_owned(),
            kind: Kind::Shell,
            attempt: 2,
            last_line: Some(line.clone()),
        },
        origin,
    );
    watch.on(start(1, "quiet", Kind::Tool, 1), origin);
    let asked = Canvas {
        output: true,
        ..canvas(80, 24, false)
    };
    insta::assert_snapshot!(frame(&watch, &asked, origin), @r"
    ⠋ w0     shell    0.0 s  attempt 2
    ⠋ quiet  tool     0.0 s
    0 of 2 settled, 2 running, 0.0 s
    ");
    let said = b"\x1b[1;31merror\x1b[0m: \x1b]0;title\x07no \x1b[2J\x07such\x08 \xe2\x80\xaefile\n";
    line.take(&mut OpenLine::default(), said);
    insta::assert_snapshot!(frame(&watch, &asked, origin), @r"
    ⠋ w0     shell    0.0 s  attempt 2, error: no such �file
    ⠋ quiet  tool     0.0 s
    0 of 2 settled, 2 running, 0.0 s
    ");
    let unasked = frame(&watch, &canvas(80, 24, false), origin);
    assert!(!unasked.contains("error"), "{unasked}");
}

/// decision: terminal escapes from steps never reach the terminal.
#[test]
fn what_a_step_is_called_does_not_steer() {
    let origin = Instant::now();
    let events = vec![
        start(0, "\x1b[2J\nx", Kind::Tool, 1),
        settle(1, "\x07", Status::Failed, Some("\x1b[31m")),
        Progress::Cancelled,
    ];
    let watch = watch(origin, 3, events);
    insta::assert_snapshot!(frame(&watch, &canvas(80, 24, false), origin), @r"
    ✗ ␇       shell    1.2 s  ␛[31m
    ⠋ ␛[2J␊x  tool     0.0 s
    canceled: 1 of 3 settled, 1 running, 1 not run, 1 failed, 0.0 s
    ");
}

/// decision: a step that is tried again keeps its place and its time, so the oldest is always first.
#[test]
fn a_plan_of_many_steps_costs_the_same_for_each() {
    let origin = Instant::now();
    let mut watch = Watch::of_the_waiting();
    watch.on(begin(300_000), origin);
    for at in 0..100_000 {
        watch.on(start(at, "a", Kind::Shell, 1), origin);
    }
    for at in 0..100_000 {
        watch.on(start(at, "a", Kind::Shell, 2), origin);
    }
    for at in (0..99_999).rev() {
        watch.on(settle(at, "a", Status::Failed, None), origin);
    }
    assert!(origin.elapsed() < Duration::from_secs(2));
    let now = origin + Duration::from_secs(1);
    let text = frame(&watch, &canvas(80, 3, false), now);
    insta::assert_snapshot!(text, @r"
    ⠋ a  shell    1.0 s  attempt 2
    99999 of 300000 settled, 1 running, 200000 waiting (200000 ready), 99999 faile…
    ");
}
