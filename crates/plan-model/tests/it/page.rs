//! Plans in, text out: what the other modules share.

use plan_model::{Action, Checked, Diagnostic, Grants, Plan, PlanDoc, Severity};

/// The grants most tests have.
pub(crate) fn grants() -> Grants {
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
    Grants {
        tools: words(&["notes", "repo-files"]),
        shell_allow: words(&["bash", "cargo", "true"]),
    }
}

/// Reads and checks a plan under [`grants`].
pub(crate) fn check(text: &str) -> Checked {
    PlanDoc::read(text.as_bytes().to_vec()).check(Some(&grants()))
}

/// Returns the plan, which must be accepted.
pub(crate) fn plan(text: &str) -> Plan {
    check(text)
        .plan
        .unwrap_or_else(|refused| panic!("{:#?}", refused.faults))
}

/// Makes the text of a plan of these steps.
pub(crate) fn steps(steps: &str) -> String {
    format!("{{\"id\": \"p\", \"steps\": [{steps}]}}")
}

/// Shows the faults of a plan and nothing else.
pub(crate) fn faults(text: &str) -> String {
    match check(text).plan {
        Ok(_) => "accepted".to_owned(),
        Err(refused) => refused
            .faults
            .iter()
            .map(|fault| line(text, fault))
            .collect(),
    }
}

/// Shows the warnings of a plan, and that it is refused where it is.
pub(crate) fn warnings(text: &str) -> String {
    let checked = check(text);
    let refused = if checked.plan.is_err() {
        "refused\n"
    } else {
        ""
    };
    let warnings: String = checked
        .warnings
        .iter()
        .map(|warning| line(text, warning))
        .collect();
    format!("{refused}{warnings}")
}

/// Shows a diagnostic: code, pointer, step, the marked text, message, hint.
fn line(text: &str, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "",
        Severity::Warning => "warning ",
    };
    let step = diagnostic.step.as_ref().map_or("-", |step| &step.id);
    let marked = text
        .get(diagnostic.span.clone())
        .unwrap_or("outside of the text");
    let hint = diagnostic.hint.as_deref().unwrap_or("-");
    format!(
        "{severity}{} at '{}' of {step}, {}:{} [{marked}]\n  {}\n  hint: {hint}\n",
        diagnostic.code, diagnostic.pointer, diagnostic.line, diagnostic.column, diagnostic.message
    )
}

/// Shows a plan as a tree, each input with `<id.field>` for what a reference reads.
pub(crate) fn tree(plan: &Plan) -> String {
    let mut out = format!("{:?}\n", plan.id());
    for index in plan.indices() {
        let step = plan.step(index);
        let action = match step.action() {
            Action::Tool(name) => format!("tool {name:?}"),
            Action::Shell(line) => format!("shell {line:?}"),
            Action::Capsule(name) => format!("capsule {name:?}"),
        };
        let ids = |steps: &[plan_model::StepIdx]| {
            let ids: Vec<&str> = steps.iter().map(|step| plan.step(*step).id()).collect();
            ids.join(",")
        };
        out += &format!(
            "{:?} {action} after [{}] before [{}] {} x{}{}\n  {}\n",
            step.id(),
            ids(plan.dependencies(index)),
            ids(plan.dependents(index)),
            step.on_error().name(),
            step.retries(),
            if step.condition().is_some() {
                " if"
            } else {
                ""
            },
            resolved(plan, index),
        );
    }
    out
}

/// Resolves a step's input, each reference to `<id.field>`.
pub(crate) fn resolved(plan: &Plan, index: plan_model::StepIdx) -> String {
    let values: Vec<[String; 2]> = plan
        .indices()
        .map(|read| {
            let id = plan.step(read).id();
            [format!("<{id}.output>"), format!("<{id}.status>")]
        })
        .collect();
    let resolved: Result<String, std::convert::Infallible> =
        plan.step(index).resolve_input(&mut |read| {
            let field = match read.field {
                plan_model::Field::Output => 0,
                plan_model::Field::Status => 1,
            };
            // The view borrows from the plan, so a value has to live as long; tests leak a few bytes.
            Ok(&*Box::leak(
                values[read.step.get()][field].clone().into_boxed_str(),
            ))
        });
    resolved.unwrap_or_else(|never| match never {})
}
