//! Any bytes are a plan or refused with faults that have a place; a plan that passes can be run to its end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_model::{Action, Diagnostic, Grants, PlanDoc, Severity, argv};

fuzz_target!(|text: &[u8]| {
    let grants = Grants {
        tools: ["repo-files", "notes", "t"].map(String::from).to_vec(),
        shell_allow: ["bash", "true"].map(String::from).to_vec(),
    };
    let granted = check(text, Some(&grants));
    let ungranted = check(text, None);
    // Grants only take away.
    assert!(!granted || ungranted);
});

/// Checks the text in every way a caller can, and returns whether it is a plan.
fn check(text: &[u8], grants: Option<&Grants>) -> bool {
    let doc = PlanDoc::read(text.to_vec());
    let declared = doc.declared();
    assert!(doc.outline().count() <= declared);
    let has_shape = doc.has_shape();
    let checked = doc.check(grants);
    for warning in &checked.warnings {
        assert_eq!(warning.severity, Severity::Warning);
        placed(warning, text);
    }
    let plan = match checked.plan {
        Ok(plan) => plan,
        Err(refused) => {
            assert!(!refused.faults.is_empty());
            for fault in &refused.faults {
                assert_eq!(fault.severity, Severity::Error);
                placed(fault, text);
            }
            let report = refused.report();
            assert!(!report.completed && !report.canceled && report.failed_step.is_some());
            assert_eq!(report.counts().failed, report.steps.len());
            return false;
        }
    };

    assert!(has_shape);
    assert_eq!(plan.len(), declared);
    let bare = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    serde_json::from_slice::<&serde_json::value::RawValue>(bare).expect("a plan is JSON");
    for index in plan.indices() {
        let step = plan.step(index);
        let input = step
            .resolve_input::<()>(&mut |_| Ok("\"\\\n\u{1f600}"))
            .expect("the lookup does not fail");
        match step.action() {
            Action::Tool(_) => {
                serde_json::from_str::<&serde_json::value::RawValue>(&input).expect("a tool gets JSON");
            }
            Action::Shell(line) => {
                argv::split(line).expect("a checked command line splits");
            }
            Action::Capsule(_) => {}
        }
        for on in plan.dependencies(index) {
            assert!(plan.dependents(*on).contains(&index));
        }
    }
    true
}

fn placed(diagnostic: &Diagnostic, text: &[u8]) {
    assert!(diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end <= text.len());
    assert!(diagnostic.line >= 1 && diagnostic.column >= 1);
    assert!(diagnostic.pointer.is_empty() || diagnostic.pointer.starts_with('/'));
    assert!(!diagnostic.message.is_empty());
}
