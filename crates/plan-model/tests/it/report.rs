//! The report's shape, its summary, and the report of a refusal.

use insta::assert_snapshot;
use plan_model::{PlanDoc, Report, Status, StepReport};

use crate::page::{check, steps};

fn step(id: &str, status: Status) -> StepReport {
    StepReport {
        step_id: id.to_owned(),
        status,
        output: (status == Status::Success).then(|| "out".to_owned()),
        error: None,
    }
}

fn report(canceled: bool) -> Report {
    Report {
        plan_id: "p".to_owned(),
        completed: !canceled,
        canceled,
        failed_step: None,
        steps: vec![
            step("a", Status::Success),
            step("b", Status::Failed),
            step("c", Status::Skipped),
            step("d", Status::Success),
        ],
    }
}

/// spec: The report; absent values are written as `null`.
#[test]
fn a_report_has_exactly_the_documented_keys_in_order() {
    let json = serde_json::to_string_pretty(&Report {
        steps: vec![step("a", Status::Failed)],
        ..report(true)
    })
    .unwrap();
    assert_snapshot!(json, @r#"
    {
      "plan_id": "p",
      "completed": false,
      "canceled": true,
      "failed_step": null,
      "steps": [
        {
          "step_id": "a",
          "status": "failed",
          "output": null,
          "error": null
        }
      ]
    }
    "#);
    let back: Report = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string_pretty(&back).unwrap(), json);
}

/// spec: The report; ruling 29: `N` counts the entries.
#[test]
fn the_summary_counts_the_entries() {
    assert_snapshot!(report(false).summary(), @r#"Plan 'p': 4 steps, 2 succeeded, 1 failed, 1 skipped"#);
    assert_snapshot!(report(true).summary(), @r#"Plan 'p' was cancelled: 4 steps, 2 succeeded, 1 failed, 1 skipped"#);
}

/// ruling 28: one entry per faulty step in plan order, the faults of no step first, under `plan`.
#[test]
fn a_refused_plan_reports_each_faulty_step() {
    let text = r#"{"steps": [
        {"id": "b", "tool": "nope", "depends_on": ["ghost"], "if": "x"},
        {"id": 5, "shell": "true"},
        {"id": "ok", "shell": "true"},
        {"id": "a"}
    ]}"#;
    let refused = check(text).plan.unwrap_err();
    assert_eq!((refused.plan_id.as_deref(), refused.declared), (None, 4));
    assert_snapshot!(serde_json::to_string_pretty(&refused.report()).unwrap());
}

/// ruling 28: two steps of the same id are two entries.
#[test]
fn two_faulty_steps_of_one_id_are_two_entries() {
    let refused = check(&steps(r#"{"id": "a"}, {"id": "a"}"#))
        .plan
        .unwrap_err();
    let ids: Vec<String> = refused
        .report()
        .steps
        .into_iter()
        .map(|step| step.step_id)
        .collect();
    assert_eq!(ids, ["a", "a"]);
    assert_eq!(refused.report().failed_step.as_deref(), Some("a"));
    assert_eq!(refused.report().plan_id, "p");
}

/// ruling 28: the id is read as far as the text can be, and the first one counts.
#[test]
fn a_text_that_stops_being_json_still_has_the_id_before_that() {
    let read = |text: &[u8]| {
        let doc = PlanDoc::read(text.to_vec());
        let id = doc.plan_id().map(str::to_owned);
        assert!(!doc.has_shape());
        let refused = doc.check(None).plan.unwrap_err();
        assert_eq!(refused.faults.len(), 1);
        assert_eq!(refused.plan_id, id);
        assert_eq!(refused.report().plan_id, id.clone().unwrap_or_default());
        id
    };
    let with_id: [&[u8]; 9] = [
        br#"{"id":"p","steps":[]} x"#,
        br#"{"id":"p","steps":[}"#,
        br#"{"id":"p" "steps":[]}"#,
        br#"{"steps":[{"id":"a"}],"id":"p""#,
        br#"{"id":"p","id":"q","#,
        br#"{"\ud800":1,"\u0069d":"\u0070","#,
        b"\xef\xbb\xbf{\"id\":\"p\",",
        b"{\"id\":\"p\",\"steps\":[\"\xff\"]}",
        b"{\"id\":\"p\"\xff",
    ];
    for text in with_id {
        let shown = String::from_utf8_lossy(text);
        assert_eq!(read(text).as_deref(), Some("p"), "{shown}");
    }
    let without: [&[u8]; 10] = [
        b"",
        br#"["id","p""#,
        br#"{"id":"p"#,
        br#"{"id":"p\x"}"#,
        br#"{"id":"\ud800","#,
        br#"{"id":["p"],"id":"p","#,
        br#"{"steps":[{"id":"p"}],"#,
        br#"{"steps":[},"id":"p"}"#,
        br#"x {"id":"p"}"#,
        b"{\"id\":\"p\xff\"}",
    ];
    for text in without {
        let shown = String::from_utf8_lossy(text);
        assert_eq!(read(text), None, "{shown}");
    }
}

/// ruling 28: looking for the id needs neither stack nor time beyond the text's length.
#[test]
fn an_id_behind_a_deep_value_is_read() {
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    let text = format!(r#"{{"steps":{deep},"id":"p"}} x"#);
    let doc = PlanDoc::read(text.into_bytes());
    assert_eq!(doc.plan_id(), Some("p"));
}
