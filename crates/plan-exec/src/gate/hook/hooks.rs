//! The hooks of a session as one gate.

use std::{
    ffi::OsString,
    fmt,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
    task::Poll,
    time::Duration,
};

use tokio::time::timeout;

use super::policy::{HookAnswer, HookCall, HookEvent, PolicyHook};
use crate::{
    executor::BoxFuture,
    gate::{Gate, GateCall, Refusal, RefusalRecord, shown::ShellShown},
    output::at_most,
    session::CommandSession,
};

/// Asks the hooks bound to a call, in the order given. The first refusal is final (ruling 22).
///
/// Fails closed: a hook that panics, answers late or answers anything but a clean "no objection" refuses the call
/// it was asked about, and nothing else.
pub struct PolicyHooks {
    hooks: Vec<Arc<dyn PolicyHook>>,
    path: OsString,
    workdir: PathBuf,
    bound: Duration,
}

impl PolicyHooks {
    /// Makes the gate. The program of a shell step is looked up where `steps` would, before it is shown. Each
    /// answer may take ten seconds.
    pub fn new(hooks: Vec<Arc<dyn PolicyHook>>, steps: &CommandSession) -> Self {
        Self {
            hooks,
            path: steps.path().to_owned(),
            workdir: steps.workdir().to_owned(),
            bound: ANSWER_BOUND,
        }
    }

    /// Lets each answer take `bound` instead. Past it the question is dropped and the call refused.
    #[must_use]
    pub fn with_bound(mut self, bound: Duration) -> Self {
        self.bound = bound;
        self
    }

    async fn put(&self, call: GateCall<'_>) -> Result<(), Refusal> {
        match call {
            GateCall::Tool { name, input } => self.ask_all(HookCall::Tool { name, input }).await,
            GateCall::Shell { line, words } => {
                // Looking a program up reads folders, which nobody asked for here.
                if self.bound_to(HookEvent::OnShell).next().is_none() {
                    return Ok(());
                }
                let shown = ShellShown::of(line, words, &self.path, &self.workdir);
                let call = HookCall::Shell {
                    program: &shown.program,
                    command: shown.command,
                    argv: shown.argv,
                    script: shown.script,
                };
                self.ask_all(call).await
            }
        }
    }

    async fn ask_all(&self, call: HookCall<'_>) -> Result<(), Refusal> {
        for hook in self.bound_to(call.event()) {
            let answer = timeout(self.bound, unpanicked(&**hook, call)).await;
            let reason = match answer {
                Ok(HookAnswer::NoObjection) => continue,
                Ok(HookAnswer::Denied { reason }) if !reason.trim().is_empty() => reason,
                Ok(HookAnswer::Denied { reason: _ }) => {
                    unclean("it denied the call without a reason")
                }
                Ok(HookAnswer::Failed { what }) => unclean(&what),
                Err(_) => unclean(&format!("none came within {:?}", self.bound)),
            };
            return Err(refusal(hook.name(), call.target(), reason));
        }
        Ok(())
    }

    fn bound_to(&self, event: HookEvent) -> impl Iterator<Item = &Arc<dyn PolicyHook>> {
        self.hooks.iter().filter(move |hook| hook.event() == event)
    }
}

impl Gate for PolicyHooks {
    fn ask<'a>(&'a self, call: GateCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(self.put(call))
    }
}

impl fmt::Debug for PolicyHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.hooks.iter().map(|hook| hook.name()).collect();
        f.debug_struct("PolicyHooks")
            .field("hooks", &names)
            .finish_non_exhaustive()
    }
}

/// Asks one hook. One that panics has not answered, and its name must not be lost with it.
async fn unpanicked(hook: &dyn PolicyHook, call: HookCall<'_>) -> HookAnswer {
    let panicked = || HookAnswer::Failed {
        what: "it panicked".to_owned(),
    };
    let Ok(mut answer) = catch_unwind(AssertUnwindSafe(|| hook.ask(call))) else {
        return panicked();
    };
    // After a panic the future is not polled again, and nothing else of the hook's is looked at but its name.
    poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)))
            .unwrap_or_else(|_| Poll::Ready(panicked()))
    })
    .await
}

fn unclean(what: &str) -> String {
    format!("the hook gave no clean answer, so the call does not go on: {what}")
}

fn refusal(hook: &str, target: &str, reason: String) -> Refusal {
    let reason = at_most(reason);
    Refusal {
        error: format!("Refused by policy hook '{hook}': {reason}"),
        record: RefusalRecord::CallDenied {
            hook_name: hook.to_owned(),
            target: target.to_owned(),
            reason,
        },
    }
}

/// How long a hook may take to answer (spec: Policy hooks).
const ANSWER_BOUND: Duration = Duration::from_secs(10);
