//! Big plans: time and memory grow with the length of the text, whatever is in it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use plan_model::{PlanDoc, Refused};

use crate::page::{grants, steps};

/// Far above what any of these takes (under a second), far below what a quadratic one would.
const BOUND: Duration = Duration::from_secs(30);

const MANY: usize = 200_000;

/// How many faults and how many warnings are listed (decision D14).
const LISTED: usize = 100_000;

/// Writes one step for each number.
fn many(mut step: impl FnMut(usize, &mut String)) -> String {
    let mut text = String::new();
    for n in 0..MANY {
        text.push_str(if n > 0 { ",\n" } else { "" });
        step(n, &mut text);
    }
    steps(&text)
}

/// Reads and checks on a stack too small for recursion over the plan.
fn check(text: String) -> Result<usize, Vec<(&'static str, usize)>> {
    let started = Instant::now();
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let checking = small.spawn(move || {
        let checked = PlanDoc::read(text.into_bytes()).check(Some(&grants()));
        checked.plan.map(|plan| plan.len()).map_err(|refused| {
            let _report = refused.report();
            let mut codes: Vec<(&'static str, usize)> = Vec::new();
            for fault in &refused.faults {
                match codes.iter_mut().find(|(code, _)| *code == fault.code) {
                    Some((_, count)) => *count += 1,
                    None => codes.push((fault.code, 1)),
                }
            }
            codes
        })
    });
    let result = checking
        .expect("a thread starts")
        .join()
        .expect("nothing panics");
    assert!(started.elapsed() < BOUND, "took {:?}", started.elapsed());
    result
}

/// Reads and checks a plan, which must be refused.
fn refused(text: String) -> Refused {
    PlanDoc::read(text.into_bytes())
        .check(Some(&grants()))
        .plan
        .expect_err("the plan has faults")
}

/// decision: a plan of many steps is an ordinary input.
#[test]
fn a_long_chain_is_checked_in_bounded_time() {
    let chain = many(|n, out| {
        let on = n
            .checked_sub(1)
            .map(|n| format!("\"s{n}\""))
            .unwrap_or_default();
        write!(out, r#"{{"id": "s{n}", "tool": "notes", "depends_on": [{on}], "input": {{"x": "$s{}.output"}}}}"#, n.saturating_sub(2)).unwrap();
    });
    assert_eq!(check(chain), Ok(MANY));
}

/// ruling 20: one strongly connected set of every step.
#[test]
fn a_huge_cycle_is_found_in_bounded_time() {
    let ring = many(|n, out| {
        let (next, other) = ((n + 1) % MANY, (n * 7) % MANY);
        write!(
            out,
            r#"{{"id": "s{n}", "shell": "true", "depends_on": ["s{next}", "s{other}"]}}"#
        )
        .unwrap();
    });
    // Step 0 times 7 is itself, so the shortest cycle is short while the set has every step.
    assert_eq!(check(ring), Err(vec![("cycle", 1)]));
}

/// ruling 3 and decision D14: every step with faults, the first told, with near names looked for.
#[test]
fn many_faults_are_reported_in_bounded_time() {
    let faulty = many(|n, out| {
        write!(out, r#"{{"id": "step-{n:06}", "tool": "note", "depends_on": ["stop-{n:06}"], "input": "$stpe-{n:06}.output"}}"#).unwrap();
    });
    let expected = vec![
        ("unknown-tool", 33_334),
        ("unknown-dependency", 33_333),
        ("unknown-step", 33_333),
        ("more-faults", 1),
    ];
    assert_eq!(check(faulty), Err(expected));
}

/// ruling 3 and decision D14: one step with all the faults, on one line.
#[test]
fn many_faults_in_one_step_are_reported_in_bounded_time() {
    let mut entries = String::new();
    for n in 0..MANY {
        let comma = if n > 0 { "," } else { "" };
        write!(entries, "{comma}\"$x{n}.output\"").unwrap();
    }
    let text = steps(&format!(
        r#"{{"id": "a", "tool": "notes", "depends_on": [{entries}], "input": [[{entries}]]}}"#
    ));
    assert_eq!(
        check(text),
        Err(vec![("unknown-dependency", LISTED), ("more-faults", 1)])
    );
}

/// ruling 1: an object of many keys, one of them twice.
#[test]
fn many_keys_are_compared_in_bounded_time() {
    let mut keys = String::new();
    for n in 0..MANY {
        write!(keys, "\"k{n}\": 0, ").unwrap();
    }
    let text = steps(&format!(
        r#"{{"id": "a", "tool": "notes", "input": {{{keys}"\u006b7": 1}}}}"#
    ));
    assert_eq!(check(text), Err(vec![("duplicate-key", 1)]));
    let text = format!(r#"{{"id": "p", "steps": [], {keys}"k7": 1}}"#);
    assert_eq!(check(text), Err(vec![("duplicate-key", 1)]));
}

/// spec: Step; a fan-in and a fan-out of every step are no cycle.
#[test]
fn a_wide_fan_is_checked_in_bounded_time() {
    let fan = many(|n, out| match n {
        0 => out.push_str(r#"{"id": "s0", "shell": "true"}"#),
        n if n == MANY - 1 => {
            let on: Vec<String> = (0..n).map(|n| format!("\"s{n}\"")).collect();
            write!(
                out,
                r#"{{"id": "s{n}", "shell": "true", "depends_on": [{}]}}"#,
                on.join(",")
            )
            .unwrap();
        }
        n => write!(
            out,
            r#"{{"id": "s{n}", "shell": "true", "depends_on": ["s0"]}}"#
        )
        .unwrap(),
    });
    assert_eq!(check(fan), Ok(MANY));
}

/// ruling 3 and decision: the diagnostics of a text made to be awkward take bounded room.
#[test]
fn a_long_id_with_many_faults_takes_bounded_room() {
    let id = "x".repeat(1 << 20);
    let entries: Vec<String> = (0..2000).map(|n| format!("\"g{n}\"")).collect();
    let text = steps(&format!(
        r#"{{"id": "{id}", "shell": "true", "depends_on": [{}]}}"#,
        entries.join(",")
    ));
    let refused = refused(text);
    let ids: usize = refused
        .faults
        .iter()
        .filter_map(|fault| fault.step.as_ref())
        .map(|step| step.id.len())
        .sum();
    assert!(ids <= 256 << 20);
    assert_eq!(refused.faults.last().unwrap().code, "more-faults");
}

/// decision D14: up to the bound everything is listed, and nothing is said of more.
#[test]
fn as_many_faults_as_can_be_listed_are_all_listed() {
    let ones = vec!["1"; LISTED].join(",");
    assert_eq!(
        check(steps(&ones)),
        Err(vec![("step-not-an-object", LISTED)])
    );
    let refused = refused(steps(&format!("{ones},1")));
    assert_eq!((refused.faults.len(), refused.left_out), (LISTED + 1, 1));
}

/// decision D14: entries that are no steps are counted; beyond the bound none costs memory.
#[test]
fn millions_of_entries_that_are_no_steps_are_counted() {
    const ENTRIES: usize = 3_000_000;
    let started = Instant::now();
    for (entry, faults) in [("1,", ENTRIES), ("{},", 2 * ENTRIES)] {
        let mut text = entry.repeat(ENTRIES);
        text.pop();
        let refused = refused(steps(&text));
        assert_eq!(refused.declared, ENTRIES);
        assert_eq!(refused.left_out, faults - LISTED);
        let closing = refused.faults.last().unwrap();
        assert_eq!((closing.code, closing.step.as_ref()), ("more-faults", None));
        assert_eq!(
            closing.message,
            format!("{} more faults are not listed", faults - LISTED)
        );
        let report = refused.report();
        assert_eq!(report.steps.len(), 1);
        assert_eq!(report.failed_step.as_deref(), Some("plan"));
        let error = report.steps[0].error.as_ref().unwrap();
        assert_eq!(error.lines().count(), LISTED + 1);
        assert!(error.lines().last().unwrap().starts_with(&closing.message));
    }
    assert!(started.elapsed() < BOUND, "took {:?}", started.elapsed());
}

/// decision D14: what is listed is the first in document order, though `retries` is read before tools are checked.
#[test]
fn the_first_faults_in_document_order_are_listed() {
    let text = many(|n, out| {
        write!(out, r#"{{"id": "s{n}", "tool": "nope", "retries": -1}}"#).unwrap();
    });
    let refused = refused(text);
    assert_eq!(refused.left_out, 2 * MANY - LISTED);
    let (_, listed) = refused.faults.split_last().unwrap();
    for (n, fault) in listed.iter().enumerate() {
        let code = ["unknown-tool", "bad-retries"][n % 2];
        let step = fault.step.as_ref().unwrap();
        assert_eq!((fault.code, step.index.get()), (code, n / 2));
    }
}

/// ruling 28 and decision D14: a step's fault stays the first of the report; that there are more comes last.
#[test]
fn a_report_of_more_faults_than_are_listed_ends_with_their_number() {
    let report = refused(many(|n, out| {
        write!(out, r#"{{"id": "s{n}", "tool": "nope"}}"#).unwrap();
    }))
    .report();
    assert_eq!(report.steps.len(), LISTED + 1);
    assert_eq!(report.failed_step.as_deref(), Some("s0"));
    let last = report.steps.last().unwrap();
    assert_eq!(last.step_id, "plan");
    assert_snapshot!(last.error.as_deref().unwrap(), @r#"100000 more faults are not listed; mend the ones that are listed first"#);
}

/// decision D14: warnings have a bound of their own and refuse nothing.
#[test]
fn many_warnings_end_with_how_many_more_there_are() {
    let text = many(|n, out| {
        write!(out, r#"{{"id": "s{n}", "tool": "notes", "note": 1}}"#).unwrap();
    });
    let checked = PlanDoc::read(text.into_bytes()).check(Some(&grants()));
    assert_eq!(checked.plan.map(|plan| plan.len()).ok(), Some(MANY));
    assert_eq!(checked.warnings.len(), LISTED + 1);
    let closing = checked.warnings.last().unwrap();
    assert_eq!(closing.code, "more-warnings");
    assert_eq!(closing.message, "100000 more warnings are not listed");
}
