//! What may be protected, and what a refusal says.

use std::{ffi::OsString, fs, os::unix::fs::symlink, path::PathBuf, sync::Arc};

use plan_exec::{
    BoxFuture, Gate, GateCall, Gates, ProtectedPaths, ReadOnlyError, ReadOnlyFault, ReadOnlySpec,
    Refusal, RefusalRecord,
};

use super::{Place, verdict};

fn protect(place: &Place, entries: &[&str]) -> Result<ProtectedPaths, ReadOnlyError> {
    ProtectedPaths::new(ReadOnlySpec {
        workdir: place.workdir.clone(),
        entries: entries.iter().map(|entry| (*entry).to_owned()).collect(),
        path: OsString::new(),
        home: PathBuf::from("/nowhere"),
    })
}

/// spec: What a plan may reach.
#[test]
fn an_entry_that_is_not_below_the_workdir_is_refused_by_name() {
    let place = Place::new();
    symlink("/etc", place.workdir.join("etc")).unwrap();
    for (entry, fault) in [
        ("", ReadOnlyFault::Empty),
        ("  ", ReadOnlyFault::Empty),
        ("/etc", ReadOnlyFault::Absolute),
        (place.workdir.to_str().unwrap(), ReadOnlyFault::Absolute),
        ("..", ReadOnlyFault::Climbs),
        ("../place/tests", ReadOnlyFault::Climbs),
        ("tests/../../place", ReadOnlyFault::Climbs),
        ("etc", ReadOnlyFault::LeadsOut),
        ("etc/hosts", ReadOnlyFault::LeadsOut),
        ("te\0sts", ReadOnlyFault::Nul),
    ] {
        let refused = protect(&place, &["src", entry]).unwrap_err();
        assert_eq!((refused.entry.as_str(), refused.fault), (entry, fault));
    }
    insta::assert_snapshot!(
        protect(&place, &["../x"]).unwrap_err(),
        @"`../x` in capabilities.filesystem.read_only climbs out of the workdir; write a path relative to the workdir that stays in it, such as `tests` or `docs/spec.md`"
    );
}

/// spec: What a plan may reach. What the system cannot look at could not be mounted read-only when a step starts.
#[test]
fn an_entry_that_cannot_be_looked_at_is_refused_with_the_systems_words() {
    let place = Place::new();
    symlink("circle", place.workdir.join("circle")).unwrap();
    symlink("there", place.workdir.join("here")).unwrap();
    symlink("here/x", place.workdir.join("there")).unwrap();
    let long = "x".repeat(256);
    let deep = "x/".repeat(2100);
    for (entry, words) in [
        ("circle", "Too many levels of symbolic links (os error 40)"),
        (
            "circle/below",
            "Too many levels of symbolic links (os error 40)",
        ),
        ("here", "Too many levels of symbolic links (os error 40)"),
        (&long, "File name too long (os error 36)"),
        (
            &format!("tests/{long}/x"),
            "File name too long (os error 36)",
        ),
        (&deep, "File name too long (os error 36)"),
    ] {
        let refused = protect(&place, &[entry]).unwrap_err();
        let fault = format!("cannot be looked at: {words}");
        assert_eq!(refused.fault.to_string(), fault, "{entry}");
    }
    // What is not there yet is protected once it is.
    for entry in ["not/yet", "tests/a/below-a-file", "dangling"] {
        protect(&place, &[entry]).unwrap();
    }
}

/// spec: What a plan may reach.
#[test]
fn the_subtrees_are_resolved_and_absolute() {
    let place = Place::new();
    let gate = protect(
        &place,
        &["./tests//sub/", "data", "link/../src", "not/yet", "."],
    )
    .unwrap();
    let subtrees: Vec<String> = gate
        .subtrees()
        .map(|path| {
            path.strip_prefix(&place.workdir)
                .unwrap()
                .display()
                .to_string()
        })
        .collect();
    assert_eq!(subtrees, ["tests/sub", "real-data", "src", "not/yet", ""]);
}

/// decision: the whole workdir is a subtree of itself.
#[test]
fn the_whole_workdir_may_be_protected() {
    let place = Place::new();
    let whole = protect(&place, &["."]).unwrap();
    for (line, expected) in [
        ("touch src/new", "src/new (argument of `touch`)"),
        ("touch /var/tmp/x", "passes"),
        ("cat src/a", "passes"),
    ] {
        let words = plan_model::argv::split(line).unwrap();
        let judged = whole.judge(&GateCall::Shell {
            line,
            words: &words,
        });
        assert_eq!(verdict(judged), expected, "{line}");
    }
}

/// spec: What a plan may reach.
#[test]
fn without_an_entry_everything_passes() {
    let place = Place::new();
    let gate = protect(&place, &[]).unwrap();
    for line in ["rm -rf .", "git clean -fdx", "bash -c '> tests/a'"] {
        let words = plan_model::argv::split(line).unwrap();
        assert_eq!(
            gate.judge(&GateCall::Shell {
                line,
                words: &words
            }),
            Ok(()),
            "{line}"
        );
    }
}

/// spec: What a plan may reach. What judges the steps is protected in its own name, beside the entries.
#[test]
fn a_part_of_a_hook_is_protected_in_the_hooks_name() {
    let place = Place::new();
    let mut gate = protect(&place, &["tests"]).unwrap();
    let what = "the policy hook `guard`";
    gate.protect_part(&place.workdir.join("deep/../src/a"), what.to_owned());
    let judge = |line: &str| {
        let words = plan_model::argv::split(line).unwrap();
        gate.judge(&GateCall::Shell {
            line,
            words: &words,
        })
        .map_err(Box::new)
    };
    let refused = judge("rm src/a").unwrap_err();
    insta::assert_snapshot!(
        refused.error,
        @"`src/a` is protected as a part of the policy hook `guard` and would be written (argument of `rm`); nothing of this step ran; write to another path, or only read this one"
    );
    assert!(matches!(refused.record, RefusalRecord::ProtectedPath { rule, .. } if rule == what));
    for (line, expected) in [
        ("mv src old", "src (`mv`, which takes it away)"),
        ("touch tests/a", "tests/a (argument of `touch`)"),
        ("touch src/b", "passes"),
        ("cat src/a", "passes"),
    ] {
        assert_eq!(verdict(judge(line)), expected, "{line}");
    }
    assert!(!gate.is_empty() && protect(&place, &[]).unwrap().is_empty());
}

/// decision: an entry is resolved once, when the session begins, and holds as it was then.
#[test]
fn an_entry_that_becomes_a_link_later_is_protected_where_it_stood() {
    let place = Place::new();
    let gate = protect(&place, &["later"]).unwrap();
    symlink("src", place.workdir.join("later")).unwrap();
    let words = ["rm", "later/a"].map(str::to_owned);
    let judged = gate.judge(&GateCall::Shell {
        line: "rm later/a",
        words: &words,
    });
    assert_eq!(verdict(judged), "passes");
    let words = ["rm", "later"].map(str::to_owned);
    let judged = gate.judge(&GateCall::Shell {
        line: "rm later",
        words: &words,
    });
    assert_eq!(verdict(judged), "later (argument of `rm`)");
}

/// spec: What a plan may reach.
#[test]
fn a_refusal_says_what_where_why_and_that_nothing_ran() {
    let place = Place::new();
    let refused = place.line("bash -c 'cd src && rm ../link/a'").unwrap_err();
    insta::assert_snapshot!(
        refused.error,
        @"`tests/a` is protected by `tests` in capabilities.filesystem.read_only and would be written (argument of `rm`); nothing of this step ran; write to a path outside of `tests`, or only read there"
    );
    let bash = fs::canonicalize("/bin/bash").unwrap();
    assert_eq!(
        refused.record,
        RefusalRecord::ProtectedPath {
            target: bash.display().to_string(),
            path: "tests/a".to_owned(),
            rule: "tests".to_owned(),
            signal: "argument of `rm`".to_owned(),
            reason: "`tests/a` is protected by `tests` in capabilities.filesystem.read_only and would be written (argument of `rm`)"
                .to_owned(),
        }
    );
    insta::assert_snapshot!(
        place.line("mv docs old").unwrap_err().error,
        @"`docs` holds what is protected by `docs/spec.md` in capabilities.filesystem.read_only and would be written (`mv`, which takes it away); nothing of this step ran; write to a path outside of `docs/spec.md`, or only read there"
    );
    insta::assert_snapshot!(
        place.tool("files", r#"{"path": "hard", "content": ""}"#).unwrap_err().error,
        @"`hard` is a hard link to a file protected by `tests` in capabilities.filesystem.read_only and would be written (key `path` beside `content`); nothing of this step ran; write to a path outside of `tests`, or only read there"
    );
}

/// spec: What a plan may reach.
#[test]
fn the_target_is_the_resolved_program_or_the_bare_word_or_the_tool() {
    let place = Place::new();
    let target = |judged: Result<(), Box<Refusal>>| match judged.unwrap_err().record {
        RefusalRecord::ProtectedPath { target, .. } => target,
        RefusalRecord::CallDenied { hook_name, .. } => hook_name,
    };
    let rm = fs::canonicalize("/bin/rm").unwrap().display().to_string();
    assert_eq!(target(place.line("rm tests/a")), rm);
    assert_eq!(target(place.line("/bin/../bin/rm tests/a")), rm);
    assert_eq!(
        target(place.line("shred-of-nothing/shred tests/a")),
        "shred-of-nothing/shred"
    );
    assert_eq!(
        target(place.line("busybox-of-nothing/toybox rm tests/a")),
        "busybox-of-nothing/toybox"
    );
    assert_eq!(target(place.tool("notes", r#"{"to": "tests/a"}"#)), "notes");
}

/// A gate that notes that it was asked, and refuses in its own name.
#[derive(Debug)]
struct Asked {
    name: &'static str,
    refuses: bool,
    asked: Arc<std::sync::Mutex<Vec<&'static str>>>,
}

impl Gate for Asked {
    fn ask<'a>(&'a self, _: GateCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        self.asked.lock().unwrap().push(self.name);
        let refusal = Refusal {
            error: self.name.to_owned(),
            record: RefusalRecord::CallDenied {
                hook_name: self.name.to_owned(),
                target: String::new(),
                reason: String::new(),
            },
        };
        Box::pin(std::future::ready(if self.refuses {
            Err(refusal)
        } else {
            Ok(())
        }))
    }
}

/// spec: What a plan may reach.
#[tokio::test]
async fn gates_are_asked_in_order_until_one_refuses() {
    let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
    let gate = |name, refuses| -> Arc<dyn Gate> {
        Arc::new(Asked {
            name,
            refuses,
            asked: Arc::clone(&asked),
        })
    };
    let mut gates = Gates::new(vec![gate("a", false), gate("b", true)]);
    gates.push(gate("c", true));
    let call = GateCall::Tool {
        name: "t",
        input: "{}",
    };
    assert_eq!(gates.ask(call.clone()).await.unwrap_err().error, "b");
    assert_eq!(*asked.lock().unwrap(), ["a", "b"]);

    assert!(Gates::default().is_empty() && !gates.is_empty());
    assert_eq!(Gates::default().ask(call).await, Ok(()));

    let place = Place::new();
    let gates = Gates::new(vec![Arc::new(place.gate.clone()), gate("d", true)]);
    let words = ["rm", "tests/a"].map(str::to_owned);
    let refused = gates
        .ask(GateCall::Shell {
            line: "rm tests/a",
            words: &words,
        })
        .await;
    assert_eq!(verdict(refused), "tests/a (argument of `rm`)");
    assert_eq!(*asked.lock().unwrap(), ["a", "b"]);
}
