//! What is written is read back, and no bytes make the reader or the checker panic.

use plan_trace::{
    Appender, CallKind, DelegationOutcome, EventId, ExitStatus, HookEvent, Json, PlanOutcome,
    Reader, Record, SessionId, StepKind, StepStatus, Text, check,
    pair::Run,
    record::{
        CallDenied, Delegation, DelegationStart, PlanEnd, PlanStart, PlanStep, PlanStepStart,
        PlannedStep, ProtectedPathDenied, SessionEnd, SessionStart, SpawnerEnded, Steps,
        TaskCanceled, TaskEnd, TaskStart,
    },
    render::{self, Look, Writer},
};
use proptest::{collection::vec, option, prelude::*};

fn text() -> impl Strategy<Value = Text<'static>> {
    prop_oneof![".*", "[a-z\"\\\\\n\u{1}é😀]{0,8}"].prop_map(Text::from)
}

fn json() -> impl Strategy<Value = Json<'static>> {
    prop_oneof![
        any::<f64>()
            .prop_filter("JSON has no infinity", |number| number.is_finite())
            .prop_map(|number| format!("{number:?}")),
        ".*".prop_map(|text| format!("{text:?}")),
        any::<bool>().prop_map(|flag| format!("{{\"a\":[{flag},{{}}],\"a\":1e999}}")),
    ]
    .prop_filter_map("Rust's escapes are not all JSON's", |text| {
        Json::new(&text).ok().map(Json::into_owned)
    })
}

fn planned() -> impl Strategy<Value = PlannedStep<'static>> {
    (text(), text(), vec(text(), 0..3), any::<bool>()).prop_map(
        |(step_id, kind, depends_on, has_condition)| PlannedStep {
            step_id,
            kind: StepKind::from(kind),
            depends_on,
            has_condition,
        },
    )
}

fn plan_record() -> impl Strategy<Value = Record<'static>> {
    let word = |words: &'static [&'static str]| {
        prop_oneof![proptest::sample::select(words).prop_map(Text::from), text()]
    };
    let kind = move || word(&["tool", "shell", "capsule", "unknown"]).prop_map(StepKind::from);
    prop_oneof![
        (text(), any::<u64>(), vec(planned(), 0..4)).prop_map(|(plan_id, step_count, steps)| {
            let steps = Steps::Listed(steps);
            Record::from(PlanStart {
                plan_id,
                step_count,
                steps,
            })
        }),
        (text(), text(), kind(), vec(text(), 0..3)).prop_map(
            |(plan_id, step_id, kind, depends_on)| {
                Record::from(PlanStepStart {
                    plan_id,
                    step_id,
                    kind,
                    depends_on,
                })
            }
        ),
        (
            (text(), text(), kind()),
            word(&["success", "failed", "skipped"]).prop_map(StepStatus::from),
            (any::<u64>(), any::<u64>()),
            (option::of(text()), option::of(json())),
            (option::of(text()), option::of(text())),
        )
            .prop_map(|(ids, status, numbers, texts, metadata)| {
                Record::from(PlanStep {
                    plan_id: ids.0,
                    step_id: ids.1,
                    kind: ids.2,
                    status,
                    attempts: numbers.0,
                    duration_ms: numbers.1,
                    error: texts.0,
                    input: texts.1,
                    state_effect: metadata.0,
                    resource_id: metadata.1,
                })
            }),
        (
            text(),
            word(&["completed", "failed", "canceled"]).prop_map(PlanOutcome::from),
            (option::of(text()), option::of(text())),
            any::<[u64; 5]>(),
        )
            .prop_map(|(plan_id, outcome, texts, numbers)| {
                Record::from(PlanEnd {
                    plan_id,
                    outcome,
                    failed_step: texts.0,
                    steps_total: numbers[0],
                    steps_succeeded: numbers[1],
                    steps_failed: numbers[2],
                    steps_skipped: numbers[3],
                    duration_ms: numbers[4],
                    reason: texts.1,
                })
            }),
    ]
}

fn other_record() -> impl Strategy<Value = Record<'static>> {
    let texts = || [text(), text(), text(), text(), text(), text(), text()];
    let options = || {
        [
            option::of(text()),
            option::of(text()),
            option::of(text()),
            option::of(text()),
        ]
    };
    let lists = || [vec(text(), 0..3), vec(text(), 0..3)];
    (
        0..10usize,
        texts(),
        options(),
        lists(),
        any::<[u64; 8]>(),
        any::<bool>(),
    )
        .prop_map(|(kind, texts, options, lists, n, flag)| {
            let [a, b, c, d, e, f, g] = texts;
            let [o, p, q, r] = options;
            let [l, m] = lists;
            match kind {
                0 => Record::from(DelegationStart {
                    delegation_id: a,
                    capsule: b,
                    version: c,
                    child_session_id: d,
                    child_workdir: e,
                    child_records_dir: f,
                }),
                1 => Record::from(Delegation {
                    capsule: a,
                    version: b,
                    delegation_id: o,
                    child_session_id: p,
                    duration_ms: n[0],
                    outcome: DelegationOutcome::from(c),
                    reason: q,
                }),
                2 => Record::from(CallDenied {
                    turn: n[0],
                    event: HookEvent::from(a),
                    hook_name: b,
                    target: c,
                    reason: d,
                }),
                3 => Record::from(ProtectedPathDenied {
                    turn: n[0],
                    call: CallKind::from(a),
                    target: b,
                    path: c,
                    rule: d,
                    signal: e,
                    reason: f,
                }),
                4 => Record::from(TaskStart {
                    task_id: a,
                    context_id: b,
                    source: c,
                    origin: d,
                    trust: e,
                    lane: f,
                    message_parts_bytes: n[0],
                }),
                5 => Record::from(TaskCanceled {
                    task_id: a,
                    turn: flag.then_some(n[0]),
                    phase: b,
                    detached_work_ids: l,
                    delegation_ids: m,
                }),
                6 => Record::from(TaskEnd {
                    task_id: a,
                    exit_status: ExitStatus::from(b),
                    duration_ms: n[0],
                    turns: n[1],
                    input_tokens: n[2],
                    output_tokens: n[3],
                    tool_calls: n[4],
                    shell_calls: n[5],
                    reopen_count: n[6],
                }),
                7 => Record::from(SpawnerEnded {
                    spawned_by: o,
                    delegation_id: p,
                }),
                8 => Record::from(SessionEnd {
                    total_turns: n[0],
                    total_input_tokens: n[1],
                    total_output_tokens: n[2],
                    total_tool_calls: n[3],
                    total_shell_calls: n[4],
                    duration_ms: n[5],
                    exit_status: ExitStatus::from(g),
                }),
                _ => Record::from(SessionStart {
                    capsule_name: a,
                    capsule_version: b,
                    model: c,
                    capabilities: l,
                    tools_declared: m,
                    containment_declared: d,
                    containment_achieved: e,
                    workdir_exec: flag,
                    context_id: o,
                    spawned_by: p,
                    delegation_id: q,
                    bounding_achieved: r,
                }),
            }
        })
}

/// Writes records beneath a session; a second `session_start` begins a trace of its own.
fn written(records: &[Record<'_>]) -> (SessionId, Vec<EventId>, Vec<u8>) {
    let session = SessionId::new(1);
    let mut ids = Vec::new();
    let mut bytes = Vec::new();
    let root = Record::from(SessionStart::default());
    let mut trace = Appender::new(&mut bytes, session);
    let parent = trace.append(1, None, &root).unwrap();
    ids.push(parent);
    for record in records {
        ids.push(trace.append(1, Some(&parent), record).unwrap());
    }
    (session, ids, bytes)
}

proptest! {
    /// spec: trace.md: what is written is what is read
    #[test]
    fn what_is_written_is_read_back(
        records in vec(prop_oneof![plan_record(), other_record()], 1..6),
    ) {
        let (starts, records): (Vec<_>, Vec<_>) = records
            .into_iter()
            .partition(|record| matches!(record, Record::SessionStart(_)));
        for start in starts {
            let mut bytes = Vec::new();
            Appender::new(&mut bytes, SessionId::new(1)).append(1, None, &start).unwrap();
            let lines: Vec<_> = Reader::new(&*bytes, "t").map(Result::unwrap).collect();
            prop_assert_eq!(lines.len(), 1);
            prop_assert_eq!(&lines[0].record, &start);
        }
        let (session, ids, bytes) = written(&records);
        let lines: Vec<_> = Reader::new(&*bytes, "t").map(Result::unwrap).collect();
        prop_assert_eq!(lines.len(), records.len() + 1);
        for ((line, id), number) in lines.iter().zip(&ids).zip(1..) {
            prop_assert_eq!(line.number, number);
            prop_assert_eq!(line.envelope.event_id.as_deref(), Some(&*id.to_string()));
            prop_assert_eq!(line.envelope.session_id.as_deref(), Some(&*session.to_string()));
            prop_assert_eq!(line.envelope.timestamp, Some(1));
        }
        let root = ids[0].to_string();
        for (line, record) in lines[1..].iter().zip(&records) {
            prop_assert_eq!(line.envelope.parent_id.as_deref(), Some(&*root));
            prop_assert_eq!(&line.record, record);
        }
        // Whatever they say, the lines have the keys of the table, in its order.
        for violation in check::check(std::str::from_utf8(&bytes).unwrap()) {
            for fault in ["the key `", "not compact", "does not start", "cannot be read"] {
                prop_assert!(!violation.message.contains(fault), "{}", violation);
            }
        }
    }

    /// spec: trace.md, Rules: no input makes a reader panic
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in vec(any::<u8>(), 0..200)) {
        let mut reader = Reader::new(&*bytes, "t");
        while let Ok(Some(_)) = reader.next_line() {}
        check::check(&String::from_utf8_lossy(&bytes));
    }

    /// spec: trace.md, Rules: no damage makes a reader panic, and none is read as another trace of more lines
    #[test]
    fn no_damage_makes_the_reader_panic(
        records in vec(prop_oneof![plan_record(), other_record()], 1..4),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let records: Vec<_> = records
            .into_iter()
            .filter(|record| !matches!(record, Record::SessionStart(_)))
            .collect();
        let (_, ids, mut bytes) = written(&records);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let read = Reader::new(&*bytes, "t").filter(Result::is_ok).count();
        prop_assert!(read <= ids.len());
        check::check(&String::from_utf8_lossy(&bytes));
    }

    /// spec: Bad input: whatever a trace says, its views neither panic nor steer a terminal, and the data is JSON
    #[test]
    fn no_trace_makes_a_view_panic_or_steer(
        records in vec(prop_oneof![plan_record(), other_record()], 1..12),
        width in option::of(0..120_usize),
        is_there in any::<bool>(),
    ) {
        let records: Vec<_> = records
            .into_iter()
            .filter(|record| !matches!(record, Record::SessionStart(_)))
            .collect();
        let (_, _, bytes) = written(&records);
        let run = Run::read(&mut Reader::new(&*bytes, "t")).unwrap();
        let writer = if is_there { Writer::There } else { Writer::NotSeen };
        let look = Look { width, colour: false };
        for view in [render::show, render::steps] {
            let mut out = Vec::new();
            view(&mut out, &run, writer, look).unwrap();
            let text = String::from_utf8(out).unwrap();
            prop_assert_eq!(render::columns::visible_lines(&text), &*text);
        }
        for view in [render::data::show, render::data::steps] {
            let mut out = Vec::new();
            view(&mut out, &run, writer).unwrap();
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
        }
    }
}

/// spec: trace.md: a trace of many lines is read as it comes
#[test]
fn two_hundred_thousand_lines_are_written_checked_and_read() {
    const STEPS: usize = 100_000;
    let ids: Vec<String> = (0..STEPS).map(|step| format!("step-{step}")).collect();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace.jsonl");
    let mut trace = Appender::open(&path, SessionId::new(1)).unwrap();
    let root = trace
        .append(1, None, &SessionStart::default().into())
        .unwrap();
    let source = |each: &mut dyn FnMut(&PlannedStep<'_>)| {
        for id in &ids {
            each(&PlannedStep {
                step_id: id.into(),
                kind: StepKind::Tool,
                depends_on: vec![],
                has_condition: false,
            });
        }
    };
    let start = PlanStart {
        plan_id: "p".into(),
        step_count: STEPS as u64,
        steps: Steps::Streamed(&source),
    };
    let plan = trace.append(1, Some(&root), &start.into()).unwrap();
    for id in &ids {
        let start = PlanStepStart {
            plan_id: "p".into(),
            step_id: id.into(),
            kind: StepKind::Tool,
            depends_on: vec![],
        };
        trace.append(2, Some(&plan), &start.into()).unwrap();
        let step = PlanStep {
            plan_id: "p".into(),
            step_id: id.into(),
            kind: StepKind::Tool,
            status: StepStatus::Success,
            attempts: 1,
            duration_ms: 1,
            error: None,
            input: Some(Json::new("{\"path\":\"src/lib.rs\"}").unwrap()),
            state_effect: None,
            resource_id: None,
        };
        trace.append(3, Some(&plan), &step.into()).unwrap();
    }
    let end = PlanEnd {
        plan_id: "p".into(),
        outcome: PlanOutcome::Completed,
        failed_step: None,
        steps_total: STEPS as u64,
        steps_succeeded: STEPS as u64,
        steps_failed: 0,
        steps_skipped: 0,
        duration_ms: 1,
        reason: None,
    };
    trace.append(4, Some(&plan), &end.into()).unwrap();

    let mut reader = Reader::open(&path).unwrap();
    let mut settled = 0;
    while let Some(line) = reader.next_line().unwrap() {
        settled += usize::from(matches!(line.record, Record::PlanStep(_)));
    }
    assert_eq!(settled, STEPS);
    let found = check::check(&std::fs::read_to_string(&path).unwrap());
    let found: Vec<_> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["line 1: the session has no `session_end`"]);
}
