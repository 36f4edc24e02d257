//! `mur-plan check`: every fault and warning of a plan, nothing run.

use std::io;

use plan_model::{Diagnostic, Grants, PlanDoc, Refused, Severity};

use super::{
    args, diagnose,
    input::PlanInput,
    manifest::{self, Manifest},
    print,
    refusal::{PLAIN_WIDTH, Refusal},
    snippet::Sheet,
};
use crate::exit::Exit;

/// Checks a plan and shows what was found.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn check(args: &args::Check) -> io::Result<Exit> {
    let input = match PlanInput::read(&args.plan) {
        Ok(input) => input,
        Err(error) => return unreadable(&Refusal::from(error), args.json),
    };
    let found = manifest::find_manifest(input.path.as_deref(), args.manifest.as_deref());
    let manifest = match found.as_deref().map(manifest::read).transpose() {
        Ok(manifest) => manifest,
        Err(error) => return unreadable(&Refusal::from(error), args.json),
    };
    let checked = PlanDoc::read(input.text.clone()).check(manifest.as_ref().map(grants).as_ref());
    let submit = manifest
        .as_ref()
        .filter(|manifest| !manifest.plan_submit)
        .map(not_granted);
    let refused = checked.plan.err();
    let faults = refused.as_ref().map_or(0, Refused::count) + usize::from(submit.is_some());
    let warnings = checked.warnings.len();
    let mut diagnostics: Vec<Diagnostic> = submit.into_iter().collect();
    diagnostics.extend(refused.into_iter().flat_map(|refused| refused.faults));
    diagnostics.extend(checked.warnings);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    if args.json {
        print::data(&diagnose::json(&diagnostics))?;
    } else {
        let name = input.name();
        let sheet = Sheet {
            name: &name,
            text: &input.text,
            width: print::data_columns().unwrap_or(PLAIN_WIDTH),
            colour: print::data_has_colour(),
        };
        let tally = diagnose::tally(faults, warnings);
        print::data(&format!(
            "{}{tally}\n",
            diagnose::listing(&sheet, &diagnostics)
        ))?;
    }
    if manifest.is_none() {
        print::talk(
            "note: no manifest was found, so nothing that needs grants was checked: tools, commands, \
             `capabilities.plan.submit`\nhint: name one with `--manifest FILE`\n",
        );
    }
    Ok(if faults == 0 {
        Exit::Completed
    } else {
        Exit::Refused
    })
}

/// Returns what plans are checked against.
pub(crate) fn grants(manifest: &Manifest) -> Grants {
    Grants {
        tools: manifest
            .tools
            .iter()
            .map(|tool| tool.name.clone())
            .collect(),
        shell_allow: manifest.shell.allow.clone(),
    }
}

/// Shows what kept the plan from being checked at all.
fn unreadable(refusal: &Refusal, as_json: bool) -> io::Result<Exit> {
    refusal.show();
    if as_json {
        print::data(&diagnose::json(&[refusal.diagnostic()]))?;
    }
    Ok(Exit::Refused)
}

fn not_granted(manifest: &Manifest) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "plan-not-granted",
        step: None,
        pointer: String::new(),
        span: 0..0,
        line: 1,
        column: 1,
        message: format!(
            "the manifest `{}` does not grant `capabilities.plan.submit`",
            manifest.path.display()
        ),
        hint: Some("declare `plan: {submit: true}` under `capabilities`".to_owned()),
    }
}
