//! Several hooks, and an embedder's own.

use std::sync::{Arc, Mutex};

use plan_exec::{
    BoxFuture, HookAnswer, HookCall, HookEvent, PolicyHook, PolicyHooks, RefusalRecord,
};

use super::{ask_shell, ask_tool, shown};
use crate::space::Space;

/// ruling 22; spec: Policy hooks. Hooks are asked in the order declared, each about its own event alone, and the
/// first refusal is final.
#[tokio::test]
async fn the_first_refusal_is_final() {
    let space = Space::new();
    let hooks = [
        ("first", HookEvent::OnShell, Say::NoObjection),
        ("tools", HookEvent::OnToolCall, Say::Deny("no tools")),
        ("second", HookEvent::OnShell, Say::Deny("no")),
        ("third", HookEvent::OnShell, Say::Deny("never")),
    ]
    .map(|(name, event, say)| {
        Arc::new(Scripted {
            event,
            ..Scripted::new(name, say)
        })
    });
    let asked = || {
        hooks
            .each_ref()
            .map(|hook| hook.asked.lock().unwrap().len())
    };
    let dynamic = hooks
        .iter()
        .map(|hook| Arc::clone(hook) as Arc<dyn PolicyHook>);
    let gate = PolicyHooks::new(dynamic.collect(), &space.session());
    let refusal = ask_shell(&gate, "no-such-program x").await.unwrap_err();
    assert_eq!(refusal.error, "Refused by policy hook 'second': no");
    let record = RefusalRecord::CallDenied {
        hook_name: "second".to_owned(),
        target: "no-such-program".to_owned(),
        reason: "no".to_owned(),
    };
    assert_eq!(refusal.record, record);
    assert_eq!(asked(), [1, 0, 1, 0]);
    let refusal = ask_tool(&gate, "notes", "{}").await.unwrap_err();
    assert_eq!(refusal.error, "Refused by policy hook 'tools': no tools");
    assert_eq!(asked(), [1, 1, 1, 0]);
    // The program is shown, and recorded, as it was found.
    let refusal = ask_shell(&gate, "sh -c true").await.unwrap_err();
    let RefusalRecord::CallDenied { target, .. } = refusal.record else {
        panic!("a hook's");
    };
    assert!(target.starts_with('/'), "{target}");
}

/// decision: a hook that breaks refuses by name and breaks nothing else, whatever it does.
#[tokio::test(start_paused = true)]
async fn an_embedders_hook_that_breaks_refuses_by_name() {
    let space = Space::new();
    let mut lines = String::new();
    for say in [
        Say::NoObjection,
        Say::Deny(" "),
        Say::Fail("the policy server is down"),
        Say::PanicAtOnce,
        Say::PanicLater,
        Say::Nothing,
    ] {
        let hook = Arc::new(Scripted::new("guard", say));
        let gate = PolicyHooks::new(vec![hook], &space.session());
        lines.push_str(&format!(
            "{say:?}: {}\n",
            shown(ask_shell(&gate, "ls").await)
        ));
    }
    insta::assert_snapshot!(lines, @r#"
    NoObjection: goes on
    Deny(" "): unclean: it denied the call without a reason
    Fail("the policy server is down"): unclean: the policy server is down
    PanicAtOnce: unclean: it panicked
    PanicLater: unclean: it panicked
    Nothing: unclean: none came within 10s
    "#);
}

/// spec: Policy hooks; without a hook for an event nothing is asked and everything goes on.
#[tokio::test]
async fn without_a_hook_for_it_a_call_goes_on() {
    let space = Space::new();
    let hook = Arc::new(Scripted::new("guard", Say::Deny("no")));
    let gate = PolicyHooks::new(vec![hook], &space.session());
    assert_eq!(ask_tool(&gate, "notes", "{}").await, Ok(()));
    let none = PolicyHooks::new(Vec::new(), &space.session());
    assert_eq!(ask_shell(&none, "ls").await, Ok(()));
}

/// What an embedder's hook does.
#[derive(Debug, Clone, Copy)]
enum Say {
    NoObjection,
    Deny(&'static str),
    Fail(&'static str),
    PanicAtOnce,
    PanicLater,
    Nothing,
}

/// An embedder's hook on shell steps, and what it was asked.
struct Scripted {
    name: &'static str,
    event: HookEvent,
    say: Say,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    fn new(name: &'static str, say: Say) -> Self {
        Self {
            name,
            event: HookEvent::OnShell,
            say,
            asked: Mutex::default(),
        }
    }
}

impl PolicyHook for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn event(&self) -> HookEvent {
        self.event
    }

    fn ask<'a>(&'a self, call: HookCall<'a>) -> BoxFuture<'a, HookAnswer> {
        self.asked.lock().unwrap().push(format!("{call:?}"));
        assert!(!matches!(self.say, Say::PanicAtOnce), "scripted");
        Box::pin(async move {
            tokio::task::yield_now().await;
            match self.say {
                Say::NoObjection => HookAnswer::NoObjection,
                Say::Deny(reason) => HookAnswer::Denied {
                    reason: reason.to_owned(),
                },
                Say::Fail(what) => HookAnswer::Failed {
                    what: what.to_owned(),
                },
                Say::PanicAtOnce | Say::PanicLater => panic!("scripted"),
                Say::Nothing => std::future::pending().await,
            }
        })
    }
}
