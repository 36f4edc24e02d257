//! The values of records: JSON kept as text, words, and what the types turn into.

use plan_trace::{DelegationOutcome, Event, Json, StepKind, StepStatus, Text};

/// spec: trace.md: "one compact JSON object per line"
#[test]
fn json_is_kept_as_written_but_for_white_space() {
    let kept = |text: &str| Json::new(text).unwrap().as_str().to_owned();
    assert_eq!(
        kept(" {\n \"b\" : 1.0 ,\t\"a\":[ \" x\\\" \\n\" , 1e400 ]\r\n} "),
        "{\"b\":1.0,\"a\":[\" x\\\" \\n\",1e400]}"
    );
    assert_eq!(kept("null"), "null");
    let long = format!("[{}1]", "1,".repeat(100_000));
    assert_eq!(kept(&long), long);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(kept(&deep), deep);
}

/// spec: trace.md, plan_step, `input`
#[test]
fn what_is_no_json_makes_no_line() {
    for text in ["", "{", "1 2", "'a'", "{\"a\":}", "\"a\nb\""] {
        let error = Json::new(text).unwrap_err().to_string();
        assert!(error.starts_with("not one JSON value: "), "{text}: {error}");
    }
}

/// spec: trace.md, plan_step: `kind` and `status` are those of the plan and of its report
#[test]
fn words_of_the_plan_are_words_of_the_trace() {
    use plan_model::{Kind, Status};
    for kind in [Kind::Tool, Kind::Shell, Kind::Capsule] {
        assert_eq!(StepKind::from(kind).name(), kind.name());
    }
    assert_eq!(StepKind::from(None::<Kind>), StepKind::Unknown);
    for status in [Status::Success, Status::Failed, Status::Skipped] {
        assert_eq!(StepStatus::from(status).name(), status.name());
    }
    assert_eq!(
        DelegationOutcome::from("timed_out"),
        DelegationOutcome::TimedOut
    );
    let later = DelegationOutcome::from("lost");
    assert_eq!(later, DelegationOutcome::Other(Text::from("lost")));
    assert_eq!(later.name(), "lost");
}

/// spec: trace.md, `event_type`
#[test]
fn every_kind_of_line_has_a_name_of_its_own() {
    for event in Event::ALL {
        assert_eq!(Event::named(event.name()), Some(*event));
    }
    assert_eq!(Event::named("inference"), None);
    assert_eq!(Event::ALL.len(), 14);
}
