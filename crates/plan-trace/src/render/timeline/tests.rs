//! The layout as tables: what waited, from when to when, and what the end waited for.

use super::{
    bar::{Bar, Drawn},
    chart::Chart,
};
use crate::{Reader, pair::Run, render::Writer};

/// Lays out a trace whose first plan began at 1000 ms, and returns a row for each bar, then the critical path.
fn laid_out(steps: &[(&str, &[&str])], lines: &[Told<'_>], writer: Writer, now_ms: u64) -> String {
    let declared: Vec<_> = steps
        .iter()
        .map(|(id, after)| {
            format!(
                r#"{{"step_id":"{id}","kind":"shell","depends_on":{after:?},"has_condition":false}}"#
            )
        })
        .collect();
    let mut trace = format!(
        r#"{{"event_type":"plan_start","event_id":"evt_1","parent_id":null,"timestamp":1000,"plan_id":"p","step_count":{},"steps":[{}]}}"#,
        steps.len(),
        declared.join(",")
    );
    for line in lines {
        trace.push('\n');
        trace.push_str(&line.json());
    }
    let run = Run::read(&mut Reader::new(trace.as_bytes(), "t.jsonl").rootless()).unwrap();
    let chart = Chart::of(&run, writer, Some(now_ms));
    let section = &chart.sections[0];
    let mut text: Vec<String> = section.bars.iter().map(row).collect();
    let path: Vec<_> = section
        .critical
        .iter()
        .map(|&row| section.bars[row].step.id())
        .collect();
    text.push(format!("path: {}", path.join(" ")));
    text.join("\n")
}

fn row(bar: &Bar<'_>) -> String {
    let waited = match bar.waited() {
        Some((from, to)) => format!("waited {from}-{to} "),
        None => String::new(),
    };
    let drawn = match bar.drawn {
        Drawn::Ran { begin_ms, end_ms } => format!("ran {begin_ms}-{end_ms}"),
        Drawn::Open { begin_ms, end_ms } => format!("open {begin_ms}-{end_ms}"),
        Drawn::Settled { at_ms } => format!("settled {at_ms}"),
        Drawn::Waits { .. } => "waits".to_owned(),
        Drawn::Nothing => "nothing".to_owned(),
    };
    format!("{}: {waited}{drawn}", bar.step.id())
}

/// A line of a step, with its time.
enum Told<'t> {
    Start(&'t str, u64),
    /// How it settled, after how many attempts, after how long.
    Settled(&'t str, u64, &'t str, u64, u64),
    End(u64),
}

impl Told<'_> {
    fn json(&self) -> String {
        let (kind, at, rest) = match self {
            Self::Start(id, at) => (
                "plan_step_start",
                at,
                format!(r#""step_id":"{id}","kind":"shell","depends_on":[]"#),
            ),
            Self::Settled(id, at, status, attempts, took) => (
                "plan_step",
                at,
                format!(
                    r#""step_id":"{id}","kind":"shell","status":"{status}","attempts":{attempts},"duration_ms":{took}"#
                ),
            ),
            Self::End(at) => (
                "plan_end",
                at,
                format!(r#""outcome":"failed","duration_ms":{}"#, at - 1000),
            ),
        };
        format!(
            r#"{{"event_type":"{kind}","event_id":"evt_x","parent_id":"evt_1","timestamp":{at},"plan_id":"p",{rest}}}"#
        )
    }
}

use Told::{End, Settled, Start};

const NONE: &[&str] = &[];

/// decision: a step waits from the moment its last dependency settled, or the plan began, to its first dispatch
#[test]
fn waiting_begins_when_the_last_dependency_has_settled() {
    let steps: &[(&str, &[&str])] = &[("a", NONE), ("b", NONE), ("c", &["a", "b"]), ("d", &["a"])];
    let lines = [
        Start("a", 1000),
        Start("b", 1005),
        Settled("a", 1100, "success", 1, 100),
        Settled("b", 1200, "failed", 1, 195),
        Start("d", 1250),
        Start("c", 1300),
        Settled("d", 1350, "success", 1, 100),
        Settled("c", 1500, "success", 1, 200),
        End(1500),
    ];
    insta::assert_snapshot!(laid_out(steps, &lines, Writer::NotSeen, 0), @r"
    a: ran 1000-1100
    b: waited 1000-1005 ran 1005-1200
    d: waited 1100-1250 ran 1250-1350
    c: waited 1200-1300 ran 1300-1500
    path: b c
    ");
}

/// decision: the critical path goes back from what settled last, each time to the dependency that settled last
#[test]
fn the_critical_path_is_the_chain_that_the_end_waited_for() {
    // `long` runs longest and holds nobody up; `y` is the later of two that `z` waits for.
    let steps: &[(&str, &[&str])] = &[
        ("z", &["x", "y"]),
        ("long", NONE),
        ("x", NONE),
        ("y", &["w"]),
        ("w", NONE),
    ];
    let lines = [
        Start("long", 1000),
        Start("x", 1000),
        Start("w", 1000),
        Settled("w", 1010, "success", 1, 10),
        Start("y", 1010),
        Settled("x", 1400, "success", 1, 400),
        Settled("y", 1401, "success", 1, 391),
        Start("z", 1401),
        Settled("long", 1450, "success", 1, 450),
        Settled("z", 1500, "success", 1, 99),
        End(1500),
    ];
    insta::assert_snapshot!(laid_out(steps, &lines, Writer::NotSeen, 0), @r"
    long: ran 1000-1450
    x: ran 1000-1400
    w: ran 1000-1010
    y: ran 1010-1401
    z: ran 1401-1500
    path: w y z
    ");
}

/// decision: of steps that settled in one millisecond the later line is the later one
#[test]
fn lines_decide_where_times_are_equal() {
    let steps: &[(&str, &[&str])] = &[("a", NONE), ("b", NONE), ("c", &["a", "b"])];
    let lines = [
        Start("a", 1000),
        Start("b", 1000),
        Settled("b", 1010, "success", 1, 10),
        Settled("a", 1010, "success", 1, 10),
        Settled("c", 1010, "skipped", 0, 0),
        End(1010),
    ];
    insta::assert_snapshot!(laid_out(steps, &lines, Writer::NotSeen, 0), @r"
    a: ran 1000-1010
    b: ran 1000-1010
    c: settled 1010
    path: a c
    ");
}

/// decision: a run still going on is drawn up to now, and what is ready waits up to now
#[test]
fn a_run_still_going_on_is_drawn_up_to_now() {
    let steps: &[(&str, &[&str])] = &[("a", NONE), ("b", &["a"]), ("c", NONE), ("d", &["b"])];
    let lines = [
        Start("a", 1000),
        Settled("a", 1100, "success", 1, 100),
        Start("b", 1100),
    ];
    insta::assert_snapshot!(laid_out(steps, &lines, Writer::There, 1900), @r"
    a: ran 1000-1100
    b: open 1100-1900
    c: waited 1000-1900 waits
    d: nothing
    path: a b
    ");
    insta::assert_snapshot!(laid_out(steps, &lines, Writer::NotSeen, 1900), @r"
    a: ran 1000-1100
    b: open 1100-1100
    c: nothing
    d: nothing
    path: a b
    ");
}

/// decision: a bar goes from the first dispatch to the end, with what lay between the attempts
#[test]
fn a_bar_holds_all_attempts_and_what_lay_between_them() {
    let steps: &[(&str, &[&str])] = &[("a", NONE), ("b", NONE)];
    let lines = [
        Start("a", 1000),
        Settled("a", 1500, "failed", 3, 200),
        // A trace without the line of the dispatch tells how long it took.
        Settled("b", 1600, "success", 1, 400),
        End(1600),
    ];
    insta::assert_snapshot!(laid_out(steps, &lines, Writer::NotSeen, 0), @r"
    a: ran 1000-1500
    b: waited 1000-1200 ran 1200-1600
    path: b
    ");
}

/// decision: a trace may say anything; what cannot be is not drawn, and nothing goes in circles
#[test]
fn a_trace_that_says_nonsense_is_laid_out() {
    let steps: &[(&str, &[&str])] = &[
        ("a", &["b"]),
        ("b", &["a"]),
        ("c", &["nobody"]),
        ("d", &["d"]),
    ];
    let lines = [
        Start("a", 1100),
        Settled("a", 1050, "success", 1, 9_999_999),
        Start("b", u64::MAX),
        Settled("b", 1060, "success", u64::MAX, u64::MAX),
        Start("c", 1000),
        Settled("d", 1055, "else", 1, 5),
        End(1070),
    ];
    insta::assert_snapshot!(laid_out(steps, &lines, Writer::NotSeen, 0), @r"
    c: open 1000-1070
    d: ran 1050-1055
    a: waited 1060-1100 ran 1100-1100
    b: waited 1050-18446744073709551615 ran 18446744073709551615-18446744073709551615
    path: c
    ");
}

/// decision: a chain of any length is walked without recursion
#[test]
fn a_long_chain_is_a_long_path() {
    let ids: Vec<String> = (0..50_000).map(|at| format!("s{at}")).collect();
    let after: Vec<[&str; 1]> = ids.iter().map(|id| [id.as_str()]).collect();
    let mut steps: Vec<(&str, &[&str])> = vec![(ids[0].as_str(), NONE)];
    for at in 1..ids.len() {
        steps.push((ids[at].as_str(), &after[at - 1]));
    }
    let mut lines = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        let at = 1000 + at as u64;
        lines.push(Start(id, at));
        lines.push(Settled(id, at + 1, "success", 1, 1));
    }
    let laid_out = laid_out(&steps, &lines, Writer::NotSeen, 0);
    let path = laid_out.lines().last().unwrap();
    assert_eq!(path.split(' ').count(), 50_001);
}
