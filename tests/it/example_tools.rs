//! The tools of the example, called as the command calls them. They do their own JSON in `sh` and awk.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

/// What the tool answers to `input` when it runs in `folder`.
fn call(tool: &str, input: &Value, folder: &Path) -> Value {
    let message = json!({"data": input.to_string(), "log_path": null});
    call_with(tool, &message.to_string(), folder)
}

fn call_with(tool: &str, message: &str, folder: &Path) -> Value {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/refresh-fixtures/tools");
    let mut child = Command::new(tools.join(tool))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(message.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// spec: Tool steps; what a tool is handed and what it answers is text with anything in it.
#[test]
fn a_note_is_written_and_answered_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.txt");
    let mut expected = String::new();
    for body in [
        "",
        "plain",
        "two\nlines\n\n",
        "\"quoted\" \\ back\\slashed\\\\ \\n \\u0041 \\",
        "\t\r\u{8}\u{c}\u{1}\u{1f}\u{7f}",
        "é 漢 😀 \u{2028}\u{ffff}",
        "a\0b",
        "%s %b $HOME `id` {\"body\": \"no\"} /",
        &"line \"quoted\" \\ é\n".repeat(5_000),
    ] {
        let input = json!({"a": [{"body": "no"}, "body"], "body": body, "z": "body"});
        let answer = call("notes", &input, folder.path());
        assert_eq!(
            (&answer["status"], &answer["data"]),
            (&json!("passed"), &json!(body))
        );
        expected.push_str(body);
        expected.push('\n');
        assert_eq!(fs::read_to_string(&notes).unwrap(), expected);
    }
}

/// spec: Tool steps; JSON may spell a character as an escape, or as two.
#[test]
fn escapes_of_both_layers_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let message = r#" { "log_path" : null ,
        "data" : "{ \"body\" : \"\\ud83d\\ude00 \u00e9 \\u00e9 \\\/\\b\" }" } "#;
    let answer = call_with("notes", message, folder.path());
    assert_eq!(answer["status"], "passed");
    let noted = fs::read_to_string(folder.path().join("notes.txt")).unwrap();
    assert_eq!(noted, "😀 é é /\u{8}\n");
}

/// decision: a tool that cannot read its input says what to write.
#[test]
fn a_wrong_input_fails_and_notes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for input in [
        json!(null),
        json!("body"),
        json!(["body"]),
        json!({}),
        json!({"body": 1}),
        json!({"x": {"body": ""}}),
    ] {
        let answer = call("notes", &input, folder.path());
        assert_eq!(answer["status"], "failed", "{input}");
        assert_eq!(
            answer["summary"],
            "the input has no text `body`; write {\"body\": \"what to note\"}"
        );
    }
    assert_eq!(
        call("repo-files", &json!({}), folder.path())["status"],
        "failed"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// decision: a glob of the example's tool stops at a slash unless it is `**`.
#[test]
fn files_are_listed_by_glob() {
    let folder = tempfile::tempdir().unwrap();
    for path in [
        "tests/a.rs",
        "tests/x/y/b.rs",
        "src/lib.rs",
        "target/t.rs",
        "tests/.git/c.rs",
        "é \"q\\.rs",
        "a+b",
        "a.b",
        "axb",
        "new\nline.rs",
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let list = |glob: &str| {
        let answer = call("repo-files", &json!({ "glob": glob }), folder.path());
        assert_eq!(answer["status"], "passed");
        answer["data"].as_str().unwrap().to_owned()
    };
    assert_eq!(list("tests/**"), "tests/a.rs\ntests/x/y/b.rs");
    assert_eq!(
        list("**/*.rs"),
        "src/lib.rs\ntests/a.rs\ntests/x/y/b.rs\né \"q\\.rs"
    );
    assert_eq!(list("*/*.rs"), "src/lib.rs\ntests/a.rs");
    assert_eq!(list("a.b"), "a.b");
    assert_eq!(list("a?b"), "a+b\na.b\naxb");
    assert_eq!(list("a[!x.]b"), "a+b");
    assert_eq!(list("é \"q\\.rs"), "é \"q\\.rs");
    assert_eq!(list("none("), "");
}
