//! What the appender promises: one write per line, ids in write order, parents before children, and nothing after a
//! failed write.

use std::{
    cell::RefCell,
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::{PermissionsExt, symlink},
    rc::Rc,
};

use plan_trace::{
    AppendError, Appender, EventId, Record, SessionId, StepKind,
    record::{PlanStart, PlanStepStart, SessionStart, SpawnerEnded, Steps},
};

fn session_start() -> Record<'static> {
    SessionStart::default().into()
}

fn spawner_ended() -> Record<'static> {
    SpawnerEnded::default().into()
}

fn plan_start() -> Record<'static> {
    PlanStart {
        plan_id: "p".into(),
        step_count: 0,
        steps: Steps::default(),
    }
    .into()
}

fn step_start() -> Record<'static> {
    PlanStepStart {
        plan_id: "p".into(),
        step_id: "a".into(),
        kind: StepKind::Tool,
        depends_on: vec![],
    }
    .into()
}

fn session() -> SessionId {
    SessionId::new(1_700_000_000_000)
}

/// A writer that keeps each write apart and may be told how the next ones end.
#[derive(Clone, Default)]
struct Writes {
    kept: Rc<RefCell<Vec<Vec<u8>>>>,
    script: Rc<RefCell<Vec<Ending>>>,
}

#[derive(Clone, Copy)]
enum Ending {
    Short(usize),
    Fails(io::ErrorKind),
}

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = match self.script.borrow_mut().pop() {
            None => bytes.len(),
            Some(Ending::Short(taken)) => taken,
            Some(Ending::Fails(kind)) => return Err(kind.into()),
        };
        self.kept.borrow_mut().push(bytes[..taken].to_vec());
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        panic!("a line needs no flush")
    }
}

/// spec: trace.md: "one `write` per line"
#[test]
fn each_line_is_one_write() {
    let writes = Writes::default();
    let mut trace = Appender::new(writes.clone(), session());
    let root = trace.append(1, None, &session_start()).unwrap();
    let plan = trace.append(2, Some(&root), &plan_start()).unwrap();
    for _ in 0..10 {
        trace.append(3, Some(&plan), &step_start()).unwrap();
    }
    let kept = writes.kept.borrow();
    assert_eq!(kept.len(), 12);
    for write in kept.iter() {
        assert_eq!(write.last(), Some(&b'\n'));
        assert_eq!(write.iter().filter(|byte| **byte == b'\n').count(), 1);
    }
}

/// spec: trace.md, Rules: "a run never goes on untraced"
#[test]
fn nothing_is_written_after_a_short_write() {
    for taken in [0, 1, 50] {
        let writes = Writes::default();
        let mut trace = Appender::new(writes.clone(), session());
        let root = trace.append(1, None, &session_start()).unwrap();
        writes.script.borrow_mut().push(Ending::Short(taken));
        let first = trace.append(2, Some(&root), &plan_start()).unwrap_err();
        let later = trace.append(3, Some(&root), &plan_start()).unwrap_err();
        assert!(
            matches!(first, AppendError::ShortWrite { written, .. } if written == taken),
            "{first}"
        );
        assert_eq!(first.to_string(), later.to_string());
        assert_eq!(writes.kept.borrow().len(), 2);
    }
}

/// spec: trace.md, Rules: "a run never goes on untraced"
#[test]
fn nothing_is_written_after_a_failed_write() {
    let writes = Writes::default();
    let mut trace = Appender::new(writes.clone(), session());
    let root = trace.append(1, None, &session_start()).unwrap();
    let full = Ending::Fails(io::ErrorKind::StorageFull);
    writes.script.borrow_mut().push(full);
    for _ in 0..3 {
        let error = trace.append(2, Some(&root), &plan_start()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot write to the trace: no storage space"
        );
    }
    assert_eq!(writes.kept.borrow().len(), 1);
}

/// decision: an interrupted write wrote nothing, so it is tried again
#[test]
fn an_interrupted_write_is_tried_again() {
    let writes = Writes::default();
    let interrupted = Ending::Fails(io::ErrorKind::Interrupted);
    *writes.script.borrow_mut() = vec![interrupted; 3];
    let mut trace = Appender::new(writes.clone(), session());
    trace.append(1, None, &session_start()).unwrap();
    assert_eq!(writes.kept.borrow().len(), 1);
}

/// spec: trace.md, Rules: a full disk
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_stays() {
    let full = OpenOptions::new().append(true).open("/dev/full").unwrap();
    let mut trace = Appender::new(full, session());
    for _ in 0..2 {
        let error = trace.append(1, None, &session_start()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot write to the trace: No space left on device (os error 28)"
        );
    }
}

/// spec: trace.md, `event_id`: "never used twice; minted as the line is written, so ids sort in write order"
#[test]
fn ids_sort_in_write_order_whatever_the_clock_does() {
    const NOW: u64 = 1_700_000_000_000;
    type Clock = fn(u64) -> u64;
    let clocks: [(&str, Clock); 5] = [
        ("runs", |line| NOW + line / 7),
        ("stands", |_| NOW),
        ("goes back", |line| NOW - line),
        ("jumps", |line| NOW + (line * 7919) % 1000),
        ("is past what an id can hold", |line| u64::MAX - line),
    ];
    for (name, clock) in clocks {
        let mut trace = Appender::new(io::sink(), session());
        let mut last = trace.append(clock(0), None, &session_start()).unwrap();
        let root = last;
        for line in 1..100_000 {
            let id = trace
                .append(clock(line), Some(&root), &spawner_ended())
                .unwrap();
            assert!(last < id, "the clock {name}: {last} then {id}");
            assert!(last.to_string() < id.to_string(), "the text sorts too");
            last = id;
        }
        assert_eq!(EventId::parse(&last.to_string()).unwrap(), last);
    }
}

/// spec: trace.md, `event_id`: a UUIDv7
#[test]
fn an_id_tells_its_time_and_is_a_version_7() {
    let mut trace = Appender::new(io::sink(), session());
    let id = trace
        .append(0x0123_4567_89ab, None, &session_start())
        .unwrap()
        .to_string();
    assert_eq!(&id[..16], "evt_0123456789ab");
    assert_eq!(&id[16..17], "7");
    assert!("89ab".contains(&id[20..21]), "{id}");
    let epoch = Appender::new(io::sink(), session())
        .append(0, None, &session_start())
        .unwrap();
    assert!(
        epoch.to_string().starts_with("evt_0000000000007"),
        "{epoch}"
    );
    assert!(plan_trace::id("tsk_", 0x0123_4567_89ab).starts_with("tsk_0123456789ab7"));
    assert_ne!(SessionId::new(5), SessionId::new(5));
}

/// spec: trace.md, `event_id`: ids sort in write order
#[test]
fn ids_carry_over_from_one_part_to_the_next_and_end_with_an_error() {
    let next = |last: &str| {
        let node = EventId::parse(last).unwrap();
        Appender::under(io::sink(), session(), &[node])
            .append(0, Some(&node), &spawner_ended())
            .map(|id| id.to_string())
    };
    assert_eq!(
        next("evt_000000000001700080000000000000ff").unwrap(),
        "evt_00000000000170008000000000000100"
    );
    assert_eq!(
        next("evt_0000000000017000bfffffffffffffff").unwrap(),
        "evt_00000000000170018000000000000000"
    );
    assert_eq!(
        next("evt_0000000000017fffbfffffffffffffff").unwrap(),
        "evt_00000000000270008000000000000000"
    );
    assert!(matches!(
        next("evt_ffffffffffff7fffbfffffffffffffff"),
        Err(AppendError::IdsExhausted)
    ));
}

/// spec: trace.md: `evt_` and `ses_` with a UUIDv7 as 32 lowercase hex digits
#[test]
fn only_ids_of_the_right_form_are_read() {
    let digits = "019ada5ded217ad2bcbbc20b71967896";
    assert!(EventId::parse(&format!("evt_{digits}")).is_ok());
    assert!(format!("ses_{digits}").parse::<SessionId>().is_ok());
    for text in [
        "",
        "evt_",
        digits,
        "ses_019ada5ded217ad2bcbbc20b71967896",
        "evt_019ADA5DED217AD2BCBBC20B71967896",
        "evt_019ada5ded217ad2bcbbc20b7196789",
        "evt_019ada5ded217ad2bcbbc20b719678960",
        "evt_+19ada5ded217ad2bcbbc20b71967896",
        "evt_019ada5ded214ad2bcbbc20b71967896",
        "evt_019ada5ded217ad2ccbbc20b71967896",
    ] {
        let error = EventId::parse(text).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("`{text}` is not an id: write `evt_` and a UUIDv7 as 32 lowercase hex digits")
        );
    }
}

/// spec: trace.md, `parent_id`: "always earlier in the file; `null` only on `session_start`"
#[test]
fn a_line_hangs_off_an_earlier_line_of_its_own_trace() {
    let stranger = EventId::parse("evt_019ada5ded217ad2bcbbc20b71967896").unwrap();
    let writes = Writes::default();
    let mut trace = Appender::new(writes.clone(), session());
    let mut refused = |parent: Option<&EventId>, record: &Record<'_>| {
        let error = trace.append(1, parent, record).unwrap_err();
        error.to_string()
    };
    insta::assert_snapshot!(refused(Some(&stranger), &session_start()), @"cannot write a `session_start` line: it hangs off nothing, so it takes no parent");
    let root = trace.append(1, None, &session_start()).unwrap();
    let leaf = trace.append(1, Some(&root), &spawner_ended()).unwrap();
    let mut refused = |parent: Option<&EventId>, record: &Record<'_>| {
        let error = trace.append(1, parent, record).unwrap_err();
        error
            .to_string()
            .replace(&leaf.to_string(), "[leaf]")
            .replace(&root.to_string(), "[root]")
    };
    insta::assert_snapshot!(refused(None, &session_start()), @"cannot write a `session_start` line: it can only be the first line");
    insta::assert_snapshot!(refused(Some(&root), &session_start()), @"cannot write a `session_start` line: it can only be the first line");
    insta::assert_snapshot!(refused(None, &plan_start()), @"cannot write a `plan_start` line: it must hang off an earlier line");
    insta::assert_snapshot!(refused(Some(&stranger), &plan_start()), @"cannot write a `plan_start` line: no session, task or plan was written as `evt_019ada5ded217ad2bcbbc20b71967896`");
    insta::assert_snapshot!(refused(Some(&leaf), &plan_start()), @"cannot write a `plan_start` line: no session, task or plan was written as `[leaf]`");
    assert_eq!(writes.kept.borrow().len(), 2, "none of these was written");
    trace.append(1, Some(&root), &plan_start()).unwrap();
}

/// spec: trace.md, `parent_id`: `null` "on every line of a file that has no `session_start`"
#[test]
fn without_a_session_every_parent_is_null() {
    let writes = Writes::default();
    let mut trace = Appender::new(writes.clone(), session());
    let plan = trace.append(1, None, &plan_start()).unwrap();
    trace.append(1, Some(&plan), &step_start()).unwrap();
    trace.append(1, None, &session_start()).unwrap_err();
    let mut under = Appender::under(writes.clone(), session(), &[]);
    under.append(1, None, &session_start()).unwrap_err();
    under.append(1, None, &spawner_ended()).unwrap();
    let kept = writes.kept.borrow();
    assert_eq!(kept.len(), 3);
    for write in kept.iter() {
        let line = String::from_utf8_lossy(write);
        assert!(line.contains("\"parent_id\":null,"), "{line}");
    }
}

/// spec: trace.md: "an append-only handle"; decision: mode 0600, no link followed
#[test]
fn a_trace_begins_in_a_file_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace.jsonl");
    let mut trace = Appender::open(&path, session()).unwrap();
    let root = trace.append(1, None, &session_start()).unwrap();
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );

    // Append-only: a file cut short meanwhile is continued at its end.
    fs::write(&path, "").unwrap();
    trace.append(1, Some(&root), &spawner_ended()).unwrap();
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .starts_with("{\"event_type\":\"spawner_ended\"")
    );

    let shown = |path: &std::path::Path| {
        let error = Appender::open(path, session()).unwrap_err().to_string();
        error.replace(&dir.path().display().to_string(), "[dir]")
    };
    insta::assert_snapshot!(shown(&path), @"cannot begin a trace in `[dir]/trace.jsonl`, which is not empty");
    let link = dir.path().join("link");
    symlink(dir.path().join("target"), &link).unwrap();
    assert!(
        shown(&link).starts_with("cannot open the trace `[dir]/link`: "),
        "{}",
        shown(&link)
    );
    assert!(!dir.path().join("target").exists());
    insta::assert_snapshot!(shown(&dir.path().join("no/trace.jsonl")), @"cannot open the trace `[dir]/no/trace.jsonl`: No such file or directory (os error 2)");
}

/// decision: an embedding runtime's file is continued at the start of a line, never within a torn one
#[test]
fn a_trace_of_a_runtime_is_continued() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace.jsonl");
    let node = {
        let mut runtime = Appender::open(&path, session()).unwrap();
        runtime.append(1_000, None, &session_start()).unwrap()
    };
    let mut trace = Appender::resume(&path, session(), &[node]).unwrap();
    let plan = trace.append(0, Some(&node), &plan_start()).unwrap();
    assert!(node < plan, "the clock went back, the ids did not");
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);

    fs::write(&path, "{\"event_type\":").unwrap();
    let error = Appender::resume(&path, session(), &[node]).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "cannot continue the trace `{}`, which ends within a line",
            path.display()
        )
    );
    fs::remove_file(&path).unwrap();
    assert!(Appender::resume(&path, session(), &[node]).is_err());
    assert!(!path.exists(), "a trace to continue is not made");
}

/// spec: In the trace; decision: the command holds the trace it writes, so that a reader can tell that it is there
#[test]
fn a_trace_is_held_while_it_is_written_and_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.jsonl");
    let trace = Appender::open(&path, session()).unwrap();
    let reader = fs::File::open(&path).unwrap();
    assert!(plan_trace::is_held(&reader).unwrap());
    drop(trace);
    assert!(!plan_trace::is_held(&reader).unwrap());
    // Asking does not hold it.
    let again = fs::File::open(&path).unwrap();
    assert!(!plan_trace::is_held(&again).unwrap());
}
