//! The protocol of a tool that is a program.

use std::time::Duration;

use plan_exec::{Bounds, Cancel, ToolExecutor, ToolPrograms};

use crate::space::{Space, error, output, shown, tool_call};

/// Runs a tool that writes `answer` and exits with `code`, for each, and shows what came of it.
async fn answers(cases: &[(&str, i32)]) -> String {
    let space = Space::new();
    let mut lines = String::new();
    for (answer, code) in cases {
        let arguments = [
            "-c",
            "printf %s \"$1\"; exit $2",
            "sh",
            answer,
            &code.to_string(),
        ];
        let outcome = space.tool_program("sh", &arguments, "{}").await;
        lines.push_str(&format!("{answer} {code}\n  {}\n", shown(&outcome)));
    }
    lines
}

/// spec: Tool steps: a valid object decides, whatever the exit status.
#[tokio::test]
async fn an_answer_decides_whatever_the_exit_status() {
    let cases = [
        (r#"{"status":"passed"}"#, 0),
        (r#"{"status":"passed","data":"text"}"#, 7),
        (
            r#" {"status":"failed","summary":"went wrong","data":"what it saw"} "#,
            0,
        ),
        (r#"{"status":"error","data":"only data"}"#, 0),
        (r#"{"status":"failed","summary":"","data":"only data"}"#, 0),
        (r#"{"status":"failed"}"#, 3),
        (
            r#"{"status":"passed","summary":null,"data":null,"data_path":null,"metadata":null}"#,
            0,
        ),
        (
            r#"{"status":"passed","data":"","log_path":"x","more":[1]}"#,
            0,
        ),
        (
            r#"{"status":"passed","data":"a\u00e9\ud834\udd1e\ud800."}"#,
            0,
        ),
        (
            r#"{"status":"passed","metadata":[["state_effect","write"],["x","y"],["resource_id","r1"]]}"#,
            0,
        ),
        (
            r#"{"status":"failed","summary":"s","metadata":[["state_effect","none"]]}"#,
            0,
        ),
    ];
    insta::assert_snapshot!(answers(&cases).await, @r#"
    {"status":"passed"} 0
      passed, no output
    {"status":"passed","data":"text"} 7
      passed, output "text"
     {"status":"failed","summary":"went wrong","data":"what it saw"}  0
      failed "went wrong", output "what it saw"
    {"status":"error","data":"only data"} 0
      failed "only data", output "only data"
    {"status":"failed","summary":"","data":"only data"} 0
      failed "only data", output "only data"
    {"status":"failed"} 3
      failed "the tool answered `failed` without a summary or data (exit code 3)", no output
    {"status":"passed","summary":null,"data":null,"data_path":null,"metadata":null} 0
      passed, no output
    {"status":"passed","data":"","log_path":"x","more":[1]} 0
      passed, output ""
    {"status":"passed","data":"a\u00e9\ud834\udd1e\ud800."} 0
      passed, output "aé𝄞���."
    {"status":"passed","metadata":[["state_effect","write"],["x","y"],["resource_id","r1"]]} 0
      passed, no output, state_effect "write", resource_id "r1"
    {"status":"failed","summary":"s","metadata":[["state_effect","none"]]} 0
      failed "s", no output, state_effect "none"
    "#);
}

/// ruling 24: data that is not a string is kept as compact JSON text, numbers and the order of keys as written.
#[tokio::test]
async fn other_data_is_compact_json() {
    let cases = [
        (
            r#"{"status":"passed","data":{ "b" : 1.50, "a" : [ 1e3, true, null , "x y" ] }}"#,
            0,
        ),
        (r#"{"status":"passed","data":[ ]}"#, 0),
        (r#"{"status":"passed","data":12345678901234567890.0}"#, 0),
        (r#"{"status":"failed","data":{"why": false}}"#, 0),
    ];
    insta::assert_snapshot!(answers(&cases).await, @r#"
    {"status":"passed","data":{ "b" : 1.50, "a" : [ 1e3, true, null , "x y" ] }} 0
      passed, output "{\"b\":1.50,\"a\":[1e3,true,null,\"x y\"]}"
    {"status":"passed","data":[ ]} 0
      passed, output "[]"
    {"status":"passed","data":12345678901234567890.0} 0
      passed, output "12345678901234567890.0"
    {"status":"failed","data":{"why": false}} 0
      failed "{\"why\":false}", output "{\"why\":false}"
    "#);
}

/// spec: Tool steps: output that is not such an object is the data, and the exit status decides.
#[tokio::test]
async fn other_output_is_the_data() {
    let cases = [
        ("plain text\n", 0),
        ("plain text\n", 2),
        ("\n", 1),
        (r#"["passed"]"#, 0),
        (r#"["passed",null,null,null,null]"#, 0),
        (r#"{"status":"maybe"}"#, 0),
        (r#"{"summary":"no status"}"#, 1),
        (r#"{"status":"passed"} trailing"#, 0),
        (r#"{"status":"passed","summary":5}"#, 0),
        (r#"{"status":"passed","metadata":[["one"]]}"#, 0),
        (r#"{"status":"passed","metadata":{"a":"b"}}"#, 0),
    ];
    insta::assert_snapshot!(answers(&cases).await, @r#"
    plain text
     0
      passed, output "plain text\n"
    plain text
     2
      failed "plain text\n", output "plain text\n"

     1
      failed "exit code 1", output "\n"
    ["passed"] 0
      passed, output "[\"passed\"]"
    ["passed",null,null,null,null] 0
      passed, output "[\"passed\",null,null,null,null]"
    {"status":"maybe"} 0
      passed, output "{\"status\":\"maybe\"}"
    {"summary":"no status"} 1
      failed "{\"summary\":\"no status\"}", output "{\"summary\":\"no status\"}"
    {"status":"passed"} trailing 0
      passed, output "{\"status\":\"passed\"} trailing"
    {"status":"passed","summary":5} 0
      passed, output "{\"status\":\"passed\",\"summary\":5}"
    {"status":"passed","metadata":[["one"]]} 0
      passed, output "{\"status\":\"passed\",\"metadata\":[[\"one\"]]}"
    {"status":"passed","metadata":{"a":"b"}} 0
      passed, output "{\"status\":\"passed\",\"metadata\":{\"a\":\"b\"}}"
    "#);
}

/// spec: Tool steps: without output the exit status decides, and standard error is a failed one's data.
#[tokio::test]
async fn without_output_the_exit_status_decides() {
    let space = Space::new();
    let mut lines = String::new();
    for script in [
        "exit 0",
        "echo noise >&2",
        "echo bad >&2; exit 1",
        "exit 5",
        "kill -TERM $$",
        r#"echo ignored >&2; printf '{"status":"failed"}'; exit 1"#,
        "printf 'a\\377b'",
    ] {
        lines.push_str(&format!(
            "{script}\n  {}\n",
            shown(&space.tool(script, "1").await)
        ));
    }
    insta::assert_snapshot!(lines, @r#"
    exit 0
      passed, no output
    echo noise >&2
      passed, no output
    echo bad >&2; exit 1
      failed "bad", output "bad"
    exit 5
      failed "exit code 5", no output
    kill -TERM $$
      failed "killed by signal 15 (SIGTERM)", no output
    echo ignored >&2; printf '{"status":"failed"}'; exit 1
      failed "the tool answered `failed` without a summary or data (exit code 1)", no output
    printf 'a\377b'
      passed, output "a�b"
    "#);
}

/// spec: Tool steps: the input is JSON text within a JSON string.
#[tokio::test]
async fn the_input_is_text_within_json() {
    let space = Space::new();
    let outcome = space
        .tool("cat; printf .", r#"{"glob":"tests/**","q":"\"é"}"#)
        .await;
    insta::assert_snapshot!(output(&outcome), @r#"{"data":"{\"glob\":\"tests/**\",\"q\":\"\\\"é\"}","log_path":null}."#);
}

/// spec: Tool steps: a big input is written whole while the output is read, and one nobody reads is no fault.
#[tokio::test]
async fn a_big_input_neither_blocks_nor_is_needed() {
    let space = Space::new();
    let big = format!("\"{}\"", "x".repeat(3_000_000));
    let request = big.len() + 2 + r#"{"data":"","log_path":null}"#.len();
    let all = space.tool("cat", &big).await;
    assert_eq!(output(&all).len(), request);
    let first = space
        .tool("head -c 2000000 /dev/zero >&2; wc -c | tr -d ' '", &big)
        .await;
    assert_eq!(shown(&first), format!("passed, output \"{request}\\n\""));
    let closed = space.tool("exec <&-; printf closed", &big).await;
    assert_eq!(shown(&closed), r#"passed, output "closed""#);
    let unread = space.tool("printf unread", &big).await;
    assert_eq!(shown(&unread), r#"passed, output "unread""#);
}

/// ruling 26: a tool that writes for ever is ended once it has written too much, long before its bound.
#[tokio::test]
async fn a_tool_that_writes_for_ever_is_ended_at_its_bound_of_bytes() {
    let space = Space::new();
    let answer = space.tool("exec yes", "1");
    let answer = tokio::time::timeout(Duration::from_secs(60), answer)
        .await
        .unwrap();
    assert!(
        shown(&answer).contains("wrote more than 10485760 bytes"),
        "{}",
        shown(&answer)
    );
}

/// spec: Tool steps: the output is bounded at 10 MiB; one byte more fails the step.
#[tokio::test]
async fn the_output_is_bounded() {
    let space = Space::new();
    let at = space
        .tool("head -c 10485760 /dev/zero | tr '\\0' x", "1")
        .await;
    assert_eq!(output(&at).len(), 10 * 1024 * 1024);
    let past = space.tool("head -c 10485761 /dev/zero", "1").await;
    insta::assert_snapshot!(shown(&past), @r#"failed "the tool wrote more than 10485760 bytes (10 MiB) to standard output; let it write a file and name that in `data_path`, or answer with less", no output"#);
}

/// ruling 26: an error taken from the data is bounded as well.
#[tokio::test]
async fn an_error_from_data_is_bounded() {
    let space = Space::new();
    let outcome = space
        .tool("head -c 200000 /dev/zero | tr '\\0' x; exit 1", "1")
        .await;
    assert_eq!(output(&outcome).len(), 200_000);
    assert!(error(&outcome).len() <= 64 * 1024 && error(&outcome).ends_with("x […]"));
}

/// spec: Tool steps: a program with a `/` is relative to the manifest, one without is looked up on PATH.
#[tokio::test]
async fn a_program_is_found_beside_the_manifest_or_on_path() {
    let space = Space::new();
    // Copied by another process, so that none of this one's ever has it open for writing.
    let made = "mkdir ../tools; printf '#!/bin/sh\\npwd; echo $1\\n' > ../tools/t; chmod +x ../tools/t; pwd";
    let workdir = output(&space.sh(made).await).to_owned();
    let relative = space.tool_program("./tools/t", &["arg"], "1").await;
    assert_eq!(output(&relative), format!("{workdir}arg\n"));
    let absolute = format!("{}/../tools/t", workdir.trim_end());
    let absolute = space.tool_program(&absolute, &[], "1").await;
    assert_eq!(output(&absolute), format!("{workdir}\n"));
    let bare = space.tool_program("t", &[], "1").await;
    assert_eq!(error(&bare), "cannot start `t`: not found on PATH");
    let tools = ToolPrograms::new(space.session(), space.workdir(), [].into()).unwrap();
    let unknown = tools.run(tool_call("other", "1", Cancel::never())).await;
    assert_eq!(error(&unknown), "no program is declared for tool `other`");
}

/// ruling 33: a tool has the same bound; what it wrote before is no answer.
#[tokio::test]
async fn a_tool_has_the_bound_of_a_command() {
    let space = Space::with_bounds(Bounds {
        wall: Duration::from_millis(400),
        ..Bounds::default()
    });
    let outcome = space
        .tool(
            "printf '{\"status\":\"passed\"}'; echo hm >&2; sleep 1000",
            "1",
        )
        .await;
    insta::assert_snapshot!(shown(&outcome), @r#"failed "ran past its bound of 400 ms of wall-clock time and was ended\nhm", no output"#);
}

/// ruling 34: what a tool leaves running ends with its plan.
#[tokio::test]
async fn what_a_tool_leaves_running_ends_with_its_plan() {
    let space = Space::new();
    let script = "sleep 1000 & echo $! > pid; printf '{\"status\":\"passed\",\"data\":\"up\"}'";
    assert_eq!(
        shown(&space.tool(script, "1").await),
        r#"passed, output "up""#
    );
    let pid = space.line_of("pid");
    assert!(crate::space::is_alive(&pid));
    space.session().end_plan(1).await.unwrap();
    assert!(!crate::space::is_alive(&pid));
}
