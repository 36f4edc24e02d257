//! What plans cost: parsing, checking, scheduling, conditions, trace lines, and tools called in-process.
//!
//! `docs/performance.md` has the figures and says how to read them. Run with `cargo bench --package mur-plan`.

use std::{fs::File, hint::black_box, os::fd::OwnedFd, sync::Arc, time::Duration};

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mur_plan::{
    Executors, FileTrace, NoExecutor, PlanTool, Session, TraceNodes,
    plan_exec::{
        BoxFuture, Cancel, NothingStarted, Outcome as Ended, ToolCall, ToolExecutor, Verdict,
    },
    plan_model::{Plan, PlanDoc},
    plan_trace::{Appender, Record, SessionId, StepKind, record},
};

mod workload;

use workload::{grants, limits, plan_text, schedule};

const SIZES: [usize; 5] = [1_000, 10_000, 100_000, 500_000, 1_000_000];

fn plans(c: &mut Criterion) {
    for size in SIZES {
        let text = plan_text(size);
        let mut group = c.benchmark_group("plan");
        group.throughput(Throughput::Elements(size as u64));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(500));
        group.bench_function(BenchmarkId::new("parse", size), |b| {
            b.iter_batched(|| text.clone(), PlanDoc::read, BatchSize::PerIteration);
        });
        group.bench_function(BenchmarkId::new("check", size), |b| {
            let read = || PlanDoc::read(text.clone());
            b.iter_batched(
                read,
                |doc| doc.check(Some(&grants())),
                BatchSize::PerIteration,
            );
        });
        let plan = Arc::new(plan(&text));
        group.bench_function(BenchmarkId::new("schedule", size), |b| {
            b.iter(|| schedule(&plan));
        });
        group.bench_function(BenchmarkId::new("all", size), |b| {
            let whole = |text| schedule(&Arc::new(checked(PlanDoc::read(text))));
            b.iter_batched(|| text.clone(), whole, BatchSize::PerIteration);
        });
        group.finish();
    }
}

fn conditions(c: &mut Criterion) {
    let text = "$build.status == 'success' && ($test.status != 'failed' || $lint.output > 'm')";
    let mut group = c.benchmark_group("condition");
    group.throughput(Throughput::Elements(1));
    group.bench_function("parse", |b| b.iter(|| plan_cond::parse(black_box(text))));
    let condition = plan_cond::parse(text)
        .expect("it parses")
        .expect("it is not blank");
    group.bench_function("eval", |b| {
        b.iter(|| {
            let mut lookup = |reference: &plan_cond::Spelled<'_>| match reference.step {
                "build" => Ok("success"),
                "test" => Ok("failed"),
                "lint" => Ok("no warnings"),
                other => Err(other.len()),
            };
            black_box(&condition).eval(&mut lookup)
        });
    });
    group.finish();
}

fn trace_lines(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut group = c.benchmark_group("trace");
    group.throughput(Throughput::Elements(1));
    let mut appender = Appender::open(folder.path().join("trace.jsonl"), SessionId::new(0))
        .expect("the trace opens");
    let start = Record::PlanStart(record::PlanStart {
        plan_id: "p".into(),
        step_count: 1,
        steps: record::Steps::default(),
    });
    let root = appender
        .append(0, None, &start)
        .expect("the line is written");
    let line = Record::PlanStepStart(record::PlanStepStart {
        plan_id: "refresh-fixtures".into(),
        step_id: "check".into(),
        kind: StepKind::Shell,
        depends_on: vec!["list".into()],
    });
    group.bench_function("append", |b| {
        b.iter(|| appender.append(1, Some(&root), black_box(&line)));
    });
    group.finish();
}

fn tool_chain(c: &mut Criterion) {
    let mut group = c.benchmark_group("library");
    group.sample_size(10);
    let text = chain_text(10_000);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.expect("a runtime");
    group.bench_function("chain of 10000 tool steps", |b| {
        b.iter_batched(
            || {
                (
                    tempfile::tempdir().expect("a temporary folder"),
                    text.clone(),
                )
            },
            |(folder, text)| {
                let result = runtime.block_on(tool(&folder).run(
                    text,
                    TraceNodes::default(),
                    Cancel::never(),
                ));
                assert!(result.report.completed, "{}", result.summary);
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

/// Tools of the process itself that do nothing.
struct Tools;

impl ToolExecutor for Tools {
    fn run(&self, _: ToolCall) -> BoxFuture<'_, Ended> {
        Box::pin(std::future::ready(Ended {
            verdict: Verdict::Passed,
            output: Some("ok".to_owned()),
            state_effect: None,
            resource_id: None,
        }))
    }
}

fn tool(folder: &tempfile::TempDir) -> PlanTool {
    let appender = Appender::open(folder.path().join("trace.jsonl"), SessionId::new(0));
    let session = Session {
        plan_submit: true,
        grants: grants(),
        executors: Executors {
            tool: Arc::new(Tools),
            shell: Arc::new(NoExecutor),
            capsule: Arc::new(NoExecutor),
            gate: None,
            bounds: Arc::new(NothingStarted),
        },
        limits: limits(),
        trace: Arc::new(FileTrace::new(appender.expect("the trace opens"))),
        progress: None,
    };
    let runtime_dir = OwnedFd::from(File::open(folder.path()).expect("the folder opens"));
    PlanTool::new(session, &runtime_dir).expect("the plan folder is made")
}

fn chain_text(size: usize) -> Vec<u8> {
    let steps = (0..size).map(|n| match n {
        0 => "{\"id\": \"s0\", \"tool\": \"t\"}".to_owned(),
        _ => format!(
            "{{\"id\": \"s{n}\", \"tool\": \"t\", \"depends_on\": [\"s{}\"]}}",
            n - 1
        ),
    });
    let steps: Vec<_> = steps.collect();
    format!("{{\"id\": \"chain\", \"steps\": [{}]}}", steps.join(",")).into_bytes()
}

fn plan(text: &[u8]) -> Plan {
    checked(PlanDoc::read(text.to_vec()))
}

fn checked(doc: PlanDoc) -> Plan {
    doc.check(Some(&grants()))
        .plan
        .expect("the plan is without fault")
}

criterion_group!(benches, plans, conditions, trace_lines, tool_chain);
criterion_main!(benches);
