//! Policy hooks: programs that answer in every way there is, and an embedder's own.

mod answers;
mod asking;
mod ending;
mod order;

use std::{sync::Arc, time::Duration};

use plan_exec::{
    Gate, GateCall, HookEvent, HookProgram, HookProgramSpec, PolicyHook, PolicyHooks, Refusal,
    RefusalRecord,
};

use crate::space::Space;

/// A hook that is a program started with these words, a relative one beside the workdir.
fn program(space: &Space, event: HookEvent, words: &[&str]) -> Arc<dyn PolicyHook> {
    let (program, arguments) = words.split_first().unwrap();
    let spec = HookProgramSpec {
        name: "guard".to_owned(),
        event,
        program: (*program).to_owned(),
        arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
        manifest_dir: space.workdir().parent().unwrap().to_owned(),
    };
    Arc::new(HookProgram::open(spec, &space.session()).unwrap())
}

fn gate(space: &Space, hook: Arc<dyn PolicyHook>) -> PolicyHooks {
    // A hook that hangs where it should not fails its test, after longer than a busy machine needs.
    PolicyHooks::new(vec![hook], &space.session()).with_bound(Duration::from_secs(60))
}

fn script(space: &Space, script: &str) -> PolicyHooks {
    gate(
        space,
        program(space, HookEvent::OnShell, &["sh", "-c", script]),
    )
}

async fn ask_shell(gate: &PolicyHooks, line: &str) -> Result<(), Refusal> {
    let words = plan_model::argv::split(line).unwrap();
    let words = &words;
    gate.ask(GateCall::Shell { line, words }).await
}

async fn ask_tool(gate: &PolicyHooks, name: &str, input: &str) -> Result<(), Refusal> {
    gate.ask(GateCall::Tool { name, input }).await
}

/// Says what became of a question; a refusal without what they all begin with.
fn shown(answer: Result<(), Refusal>) -> String {
    match answer {
        Ok(()) => "goes on".to_owned(),
        Err(refusal) => {
            let RefusalRecord::CallDenied { reason, .. } = &refusal.record else {
                panic!("not a hook's refusal: {refusal:?}");
            };
            let error = format!("Refused by policy hook 'guard': {reason}");
            assert_eq!(refusal.error, error);
            let unclean = "the hook gave no clean answer, so the call does not go on: ";
            reason.replace(unclean, "unclean: ")
        }
    }
}
