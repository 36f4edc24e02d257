//! Any text is judged as a script, a command line and a tool's input; a refusal names an entry and a path.
#![no_main]

use std::{path::PathBuf, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use plan_exec::{GateCall, ProtectedPaths, ReadOnlySpec, Refusal, RefusalRecord};

/// A workdir that does not exist, so that nothing depends on what lies in one.
static GATE: LazyLock<ProtectedPaths> = LazyLock::new(|| {
    ProtectedPaths::new(ReadOnlySpec {
        workdir: PathBuf::from("/nowhere/place"),
        entries: vec!["tests".to_owned(), "docs/spec.md".to_owned()],
        path: "/usr/bin:/bin".into(),
        home: PathBuf::from("/nowhere/home"),
    })
    .expect("the entries are below the workdir")
});

fuzz_target!(|text: &str| {
    let script = ["bash", "-c", text].map(str::to_owned);
    judged(&GateCall::Shell {
        line: text,
        words: &script,
    });
    if let Ok(words) = plan_model::argv::split(text) {
        judged(&GateCall::Shell {
            line: text,
            words: &words,
        });
    }
    judged(&GateCall::Tool {
        name: "tool",
        input: text,
    });

    // What stands on a line of its own before the text is judged whatever follows.
    let script = ["bash", "-c", &format!("rm tests/a\n{text}")].map(str::to_owned);
    let refused = GATE.judge(&GateCall::Shell {
        line: text,
        words: &script,
    });
    assert!(refused.is_err());
});

fn judged(call: &GateCall<'_>) {
    let Err(Refusal { error, record }) = GATE.judge(call) else {
        return;
    };
    let RefusalRecord::ProtectedPath { path, rule, signal, .. } = record else {
        panic!("{error}");
    };
    assert!(!path.is_empty() && !signal.is_empty() && error.contains(&rule));
}
