//! A running plan as it is watched.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use mur_plan::Progress;
use mur_plan::cli::live::{Mode, View, Watch, frame};
use plan_model::{Kind, Status, StepIdx};

fn start(at: usize, id: &str, kind: Kind, attempt: u32) -> Progress {
    Progress::StepStarted {
        index: StepIdx::new(at),
        id: id.to_owned(),
        kind,
        attempt,
    }
}

fn settle(at: usize, id: &str, status: Status, error: Option<&str>) -> Progress {
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
    let mut watch = Watch::default();
    watch.on(Progress::PlanStarted { steps }, start);
    for (event, at) in events.into_iter().zip(1..) {
        watch.on(event, start + Duration::from_millis(1100) * at);
    }
    watch
}

fn usual() -> Vec<Progress> {
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
    let begin = Instant::now();
    let watch = watch(begin, 9, usual());
    let now = begin + Duration::from_secs(75);
    insta::assert_snapshot!(frame(&watch, 80, 24, now, false), @r"
    ✓ list      shell         1.2 s
    ✗ docs      shell         1.2 s  exit code 1 …
    - never     shell         1.2 s
    ⠋ check     shell    1 min 12 s  attempt 2
    ⠋ delegate  capsule  1 min 10 s
    3 of 9 settled, 2 running, 4 waiting, 1 failed, 1 min 15 s
    ");
}

/// decision: with colours, a frame has the same text.
#[test]
fn colours_do_not_change_a_frame() {
    let begin = Instant::now();
    let watch = watch(begin, 9, usual());
    let coloured = frame(&watch, 40, 24, begin, true);
    assert!(coloured.contains("\x1b["));
    let plain = frame(&watch, 40, 24, begin, false);
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

/// decision: a frame never wraps and never scrolls, whatever the window.
#[test]
fn a_frame_is_smaller_than_its_window() {
    let begin = Instant::now();
    let mut events = usual();
    events.extend((10..200).map(|at| start(at, &format!("数字-{at}"), Kind::Shell, 1)));
    let watch = watch(begin, 300, events);
    for width in 0..90 {
        for height in 0..30 {
            let text = frame(
                &watch,
                width,
                height,
                begin + Duration::from_secs(4000),
                false,
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
    insta::assert_snapshot!(frame(&watch, 30, 6, begin + Duration::from_secs(4000), false), @r"
    ⠋ check     shell    1 h 06 …
    ⠋ delegate  capsule  1 h 06 …
    ⠋ 数字-10   shell    1 h 06 …
    … and 189 more
    3 of 300 settled, 192 runnin…
    ");
}

/// decision: a step that runs stays in sight before one that has settled.
#[test]
fn the_last_settled_steps_fill_the_room_left() {
    let begin = Instant::now();
    let watch = watch(begin, 9, usual());
    let now = begin + Duration::from_secs(8);
    insta::assert_snapshot!(frame(&watch, 80, 5, now, false), @r"
    - never     shell    1.2 s
    ⠋ check     shell    5.8 s  attempt 2
    ⠋ delegate  capsule  3.6 s
    3 of 9 settled, 2 running, 4 waiting, 1 failed, 8.0 s
    ");
}

/// decision: terminal escapes from steps never reach the terminal.
#[test]
fn what_a_step_is_called_does_not_steer() {
    let begin = Instant::now();
    let events = vec![
        start(0, "\x1b[2J\nx", Kind::Tool, 1),
        settle(1, "\x07", Status::Failed, Some("\x1b[31m")),
        Progress::Cancelled,
    ];
    let watch = watch(begin, 2, events);
    insta::assert_snapshot!(frame(&watch, 80, 24, begin, false), @r"
    ✗ ␇       shell    1.2 s  ␛[31m
    ⠋ ␛[2J␊x  tool     0.0 s
    canceled: 1 of 2 settled, 1 running, 1 failed, 0.0 s
    ");
}

/// Collects what a view writes, one entry for each write.
#[derive(Clone, Default)]
struct Writes(Rc<RefCell<Vec<String>>>);

impl io::Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.0.borrow_mut().push(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Writes {
    fn take(&self) -> Vec<String> {
        self.0.take()
    }
}

/// spec: The command; plain lines elsewhere: one when a step starts and one when it settles.
#[test]
fn without_a_terminal_each_start_and_end_is_a_line() {
    let writes = Writes::default();
    let mut view = View::new(writes.clone(), Mode::Lines, false);
    let now = Instant::now();
    view.on(Progress::PlanStarted { steps: 9 }, now);
    for event in usual() {
        view.on(event, now);
        view.tick(now);
    }
    view.note("warning: so and so\n", now);
    view.on(Progress::Cancelled, now);
    view.on(settle(1, "check", Status::Failed, None), now);
    view.on(Progress::Finished, now);
    drop(view);
    insta::assert_snapshot!(writes.take().concat(), @r"
    start   list (tool)
    start   check (shell)
    success list (shell) in 1.2 s
    start   delegate (capsule)
    failed  docs (shell) in 1.2 s: exit code 1 …
    start   check (shell), attempt 2
    skipped never (shell) in 1.2 s
    warning: so and so
    canceled: 2 steps still run: `check`, `delegate`
    hint: a second signal kills what still runs
    failed  check (shell) in 1.2 s
    ");
}

/// decision: the list of what still runs stays short.
#[test]
fn a_cancel_names_ten_running_steps_at_most() {
    let writes = Writes::default();
    let mut view = View::new(writes.clone(), Mode::Lines, false);
    let now = Instant::now();
    view.on(Progress::PlanStarted { steps: 20 }, now);
    view.on(Progress::Cancelled, now);
    for at in 0..12 {
        view.on(start(at, &format!("s{at}"), Kind::Shell, 1), now);
    }
    writes.take();
    view.on(Progress::Cancelled, now);
    insta::assert_snapshot!(writes.take().concat(), @r"
    canceled: 12 steps still run: `s0`, `s1`, `s2`, `s3`, `s4`, `s5`, `s6`, `s7`, `s8`, `s9` and 2 more
    hint: a second signal kills what still runs
    ");
}

/// decision: ten frames a second at most, each one write; the last is taken away, and nothing is drawn after it.
#[test]
fn a_live_view_draws_ten_frames_a_second_each_in_one_write() {
    let writes = Writes::default();
    let mut view = View::new(writes.clone(), Mode::Live(|| Some((40, 10))), false);
    let begin = Instant::now();
    view.tick(begin);
    assert!(
        writes.take().is_empty(),
        "nothing to draw before the plan starts"
    );
    view.on(Progress::PlanStarted { steps: 2 }, begin);
    assert_eq!(writes.take(), ["0 of 2 settled, 2 waiting, 0.0 s\n"]);
    for milliseconds in 1..=100 {
        view.tick(begin + Duration::from_millis(milliseconds));
    }
    view.on(
        start(0, "a", Kind::Shell, 1),
        begin + Duration::from_millis(150),
    );
    insta::assert_debug_snapshot!(writes.take(), @r#"
    [
        "\r\u{1b}[1A0 of 2 settled, 2 waiting, 0.1 s\u{1b}[K\n\u{1b}[J",
    ]
    "#);
    view.tick(begin + Duration::from_millis(200));
    insta::assert_debug_snapshot!(writes.take(), @r#"
    [
        "\r\u{1b}[1A⠹ a  shell    0.0 s\u{1b}[K\n0 of 2 settled, 1 running, 1 waiting, …\u{1b}[K\n\u{1b}[J",
    ]
    "#);
    view.note("note\n", begin + Duration::from_millis(201));
    insta::assert_debug_snapshot!(writes.take(), @r#"
    [
        "\r\u{1b}[2Anote\u{1b}[K\n⠹ a  shell    0.0 s\u{1b}[K\n0 of 2 settled, 1 running, 1 waiting, …\u{1b}[K\n\u{1b}[J",
    ]
    "#);
    view.on(Progress::Finished, begin + Duration::from_millis(202));
    assert_eq!(writes.take(), ["\r\x1b[2A\x1b[J"]);
    view.tick(begin + Duration::from_secs(9));
    assert!(writes.take().is_empty());
    view.note("after\n", begin + Duration::from_secs(9));
    assert_eq!(writes.take(), ["after\n"]);
    drop(view);
    assert!(writes.take().is_empty());
}

/// decision: a view that is dropped leaves the terminal as it was.
#[test]
fn a_dropped_view_takes_its_lines_away() {
    let writes = Writes::default();
    let mut view = View::new(writes.clone(), Mode::Live(|| Some((40, 10))), false);
    view.on(Progress::PlanStarted { steps: 2 }, Instant::now());
    writes.take();
    drop(view);
    assert_eq!(writes.take(), ["\r\x1b[1A\x1b[J"]);
}

/// decision: a window made narrower breaks the lines that stand in it, and they are still taken away.
#[test]
fn a_narrower_window_is_followed() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COLUMNS: AtomicUsize = AtomicUsize::new(80);
    let writes = Writes::default();
    let size = || Some((COLUMNS.load(Ordering::Relaxed), 10));
    let mut view = View::new(writes.clone(), Mode::Live(size), false);
    let begin = Instant::now();
    view.on(Progress::PlanStarted { steps: 2 }, begin);
    assert_eq!(writes.take(), ["0 of 2 settled, 2 waiting, 0.0 s\n"]);
    COLUMNS.store(11, Ordering::Relaxed);
    view.tick(begin + Duration::from_millis(100));
    assert_eq!(writes.take(), ["\r\x1b[3A0 of 2 se…\x1b[K\n\x1b[J"]);
}

/// decision: whoever watches may go away; the plan runs on.
#[test]
fn a_view_nobody_reads_stops_writing() {
    struct Gone(Rc<RefCell<usize>>);
    impl io::Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            *self.0.borrow_mut() += 1;
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let tries = Rc::new(RefCell::new(0));
    let mut view = View::new(Gone(tries.clone()), Mode::Lines, false);
    for at in 0..3 {
        view.on(start(at, "a", Kind::Shell, 1), Instant::now());
    }
    drop(view);
    assert_eq!(*tries.borrow(), 1);
}

/// decision: a step that is tried again keeps its place and its time, so the oldest is always first.
#[test]
fn a_plan_of_many_steps_costs_the_same_for_each() {
    let begin = Instant::now();
    let mut watch = Watch::default();
    watch.on(Progress::PlanStarted { steps: 300_000 }, begin);
    for at in 0..100_000 {
        watch.on(start(at, "a", Kind::Shell, 1), begin);
    }
    for at in 0..100_000 {
        watch.on(start(at, "a", Kind::Shell, 2), begin);
    }
    for at in (0..99_999).rev() {
        watch.on(settle(at, "a", Status::Failed, None), begin);
    }
    assert!(begin.elapsed() < Duration::from_secs(2));
    let now = begin + Duration::from_secs(1);
    let text = frame(&watch, 80, 3, now, false);
    insta::assert_snapshot!(text, @r"
    ⠋ a  shell    1.0 s  attempt 2
    99999 of 300000 settled, 1 running, 200000 waiting, 99999 failed, 1.0 s
    ");
}
