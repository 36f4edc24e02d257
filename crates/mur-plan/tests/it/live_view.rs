//! What is written of a running plan that is watched, and when.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use mur_plan::Progress;
use mur_plan::cli::live::{Mode, View, Window};
use plan_model::{Kind, Status};

use crate::live::{begin, begin_with, settle, start, usual};

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
    view.on(begin(9), now);
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
    view.on(begin(20), now);
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
    let mut view = View::new(
        writes.clone(),
        Mode::Live(|| Window::Of {
            columns: 40,
            rows: 10,
        }),
        false,
    );
    let origin = Instant::now();
    view.tick(origin);
    assert!(
        writes.take().is_empty(),
        "nothing to draw before the plan starts"
    );
    view.on(begin_with(vec![A.to_owned(), B.to_owned()]), origin);
    let waiting = "· b    after a\n";
    assert_eq!(
        writes.take(),
        [picture(
            &format!("· a    ready\n{waiting}0 of 2 settled, 2 waiting (1 ready), 0…"),
            2
        )]
    );
    for milliseconds in 1..100 {
        view.tick(origin + Duration::from_millis(milliseconds));
    }
    view.on(
        start(0, "a", Kind::Shell, 1),
        origin + Duration::from_millis(99),
    );
    assert!(writes.take().is_empty());
    view.tick(origin + Duration::from_millis(100));
    let drawn = picture(
        &format!("⠙ a  0.0 s\n{waiting}0 of 2 settled, 1 running, 1 waiting, …"),
        2,
    )
    .replace("b    after", "b         after");
    assert_eq!(writes.take(), [drawn.as_str()]);
    view.note("note\n", origin + Duration::from_millis(101));
    let noted = drawn.replacen("h", "h\r\x1b[Jnote\n", 1);
    assert_eq!(writes.take(), [noted]);
    view.on(Progress::Finished, origin + Duration::from_millis(102));
    assert_eq!(writes.take(), ["\r\x1b[J"]);
    view.tick(origin + Duration::from_secs(9));
    assert!(writes.take().is_empty());
    view.note("after\n", origin + Duration::from_secs(9));
    assert_eq!(writes.take(), ["\x1b[?2026hafter\n\x1b[?2026l"]);
    drop(view);
    assert!(writes.take().is_empty());
}

/// decision: a view that is dropped leaves the terminal as it was.
#[test]
fn a_dropped_view_takes_its_lines_away() {
    let writes = Writes::default();
    let mut view = View::new(
        writes.clone(),
        Mode::Live(|| Window::Of {
            columns: 40,
            rows: 10,
        }),
        false,
    );
    view.on(begin(2), Instant::now());
    writes.take();
    drop(view);
    assert_eq!(writes.take(), ["\r\x1b[J"]);
}

/// decision: the size is looked up for each picture, and nothing is drawn while another job has the terminal.
#[test]
fn the_window_is_looked_at_for_each_picture() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COLUMNS: AtomicUsize = AtomicUsize::new(80);
    let writes = Writes::default();
    let window = || match COLUMNS.load(Ordering::Relaxed) {
        0 => Window::Behind,
        columns => Window::Of { columns, rows: 2 },
    };
    let mut view = View::new(writes.clone(), Mode::Live(window), false);
    let origin = Instant::now();
    view.on(begin(2), origin);
    assert_eq!(
        writes.take(),
        [picture("0 of 2 settled, 2 waiting (2 ready), 0.0 s", 0)]
    );
    COLUMNS.store(11, Ordering::Relaxed);
    view.tick(origin + Duration::from_millis(100));
    assert_eq!(writes.take(), [picture("0 of 2 se…", 0)]);
    COLUMNS.store(0, Ordering::Relaxed);
    view.tick(origin + Duration::from_millis(200));
    assert!(writes.take().is_empty());
    view.note("note\n", origin + Duration::from_millis(300));
    assert_eq!(writes.take(), ["note\n"]);
    COLUMNS.store(11, Ordering::Relaxed);
    view.tick(origin + Duration::from_millis(400));
    assert_eq!(writes.take(), [picture("0 of 2 se…", 0)]);
    view.step_aside();
    assert_eq!(writes.take(), ["\r\x1b[J"]);
    view.tick(origin + Duration::from_millis(401));
    assert_eq!(writes.take(), [picture("0 of 2 se…", 0)]);
}

const A: &str = r#"{"id": "a", "shell": "x"}"#;
const B: &str = r#"{"id": "b", "shell": "x", "depends_on": ["a"]}"#;

/// What is written for a picture whose last line is `rows` below its first.
fn picture(text: &str, rows: usize) -> String {
    let up = match rows {
        0 => String::new(),
        rows => format!("\x1b[{rows}A"),
    };
    let text = text.replace('\n', "\x1b[K\r\n");
    format!("\x1b[?2026h\x1b[?7l\r{text}\x1b[J\r{up}\x1b[?7h\x1b[?2026l")
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
