//! What a program is shown, and how it is found.

use plan_exec::HookEvent;

use super::{ask_shell, ask_tool, gate, program, shown};
use crate::space::Space;

/// spec: Policy hooks; the program gets the call as one line of JSON, in the workdir, with a command's environment.
#[tokio::test]
async fn a_hook_is_shown_the_call() {
    let space = Space::new();
    let shows = "cat; pwd; echo $MURMUR_RUNTIME_DIR";
    let keep = format!("({shows}) > seen; echo '{{}}'");
    let seen = |space: &Space| {
        let text = std::fs::read_to_string(space.workdir().join("seen")).unwrap();
        let folder = space.workdir().parent().unwrap().display().to_string();
        text.replace(&folder, "[folder]")
    };
    let mut all = String::new();
    let on_shell = gate(
        &space,
        program(&space, HookEvent::OnShell, &["sh", "-c", &keep]),
    );
    std::os::unix::fs::symlink("/bin/cat", space.workdir().join("linked")).unwrap();
    for line in [
        "no-such-program 'a b' \"\"",
        "sh -ec 'rm -r x; echo \"é\"' name",
        "./linked x",
    ] {
        assert_eq!(ask_shell(&on_shell, line).await, Ok(()));
        all.push_str(&seen(&space));
    }
    // Where the system keeps its programs differs from host to host.
    let real = |name: &str| std::fs::canonicalize(name).unwrap().display().to_string();
    let all = all
        .replace(&real("/bin/sh"), "[sh]")
        .replace(&real("/bin/cat"), "[cat]");
    let on_tool = gate(
        &space,
        program(&space, HookEvent::OnToolCall, &["sh", "-c", &keep]),
    );
    let mut all = all;
    for input in [
        "null",
        "{\"b\": [1.0, 2e3,\n null], \"a\": \"x  y\"}",
        "\"text\"",
    ] {
        assert_eq!(ask_tool(&on_tool, "notes", input).await, Ok(()));
        all.push_str(&seen(&space));
    }
    insta::assert_snapshot!(all, @r#"
    {"event":"on-shell","program":"no-such-program","command":"no-such-program 'a b' \"\"","argv":["a b",""],"script":null}
    [folder]/workdir
    [folder]/runtime
    {"event":"on-shell","program":"[sh]","command":"sh -ec 'rm -r x; echo \"é\"' name","argv":["-ec","rm -r x; echo \"é\"","name"],"script":"rm -r x; echo \"é\""}
    [folder]/workdir
    [folder]/runtime
    {"event":"on-shell","program":"[cat]","command":"./linked x","argv":["x"],"script":null}
    [folder]/workdir
    [folder]/runtime
    {"event":"on-tool-call","tool":"notes","input":null}
    [folder]/workdir
    [folder]/runtime
    {"event":"on-tool-call","tool":"notes","input":{"b":[1.0,2e3,null],"a":"x  y"}}
    [folder]/workdir
    [folder]/runtime
    {"event":"on-tool-call","tool":"notes","input":"text"}
    [folder]/workdir
    [folder]/runtime
    "#);
    let answered = shown(ask_tool(&on_tool, "notes", "{").await);
    assert!(
        answered.starts_with("unclean: the call's input is no JSON"),
        "{answered}"
    );
}

/// spec: Policy hooks; a program with a `/` is relative to the manifest, one without is looked up on `PATH`.
#[tokio::test]
async fn a_hooks_program_is_found_as_a_tools_is() {
    let space = Space::new();
    let folder = space.workdir().parent().unwrap().to_owned();
    std::os::unix::fs::symlink("/bin/echo", folder.join("beside")).unwrap();
    for word in ["./beside", "echo", "/bin/echo"] {
        let gate = gate(&space, program(&space, HookEvent::OnShell, &[word, "{}"]));
        assert_eq!(shown(ask_shell(&gate, "ls").await), "goes on", "{word}");
    }
}

/// spec: Policy hooks; a hook need not read what it is shown, however long that is.
#[tokio::test]
async fn a_hook_need_not_read_the_call() {
    let space = Space::new();
    let long = format!("\"{}\"", "x".repeat(5_000_000));
    for case in [
        "exec <&-; echo '{}'",
        "echo '{}'",
        "head -c 10 > /dev/null; echo '{}'",
    ] {
        let hook = program(&space, HookEvent::OnToolCall, &["sh", "-c", case]);
        let answered = shown(ask_tool(&gate(&space, hook), "notes", &long).await);
        assert_eq!(answered, "goes on", "{case}");
    }
    // And one that does gets all of it.
    let hook = program(
        &space,
        HookEvent::OnToolCall,
        &["sh", "-c", "wc -c > size; echo '{}'"],
    );
    assert_eq!(ask_tool(&gate(&space, hook), "notes", &long).await, Ok(()));
    let around = "{\"event\":\"on-tool-call\",\"tool\":\"notes\",\"input\":}\n".len();
    assert_eq!(
        space.line_of("size").trim(),
        (long.len() + around).to_string()
    );
}
