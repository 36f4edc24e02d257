//! Tool steps: what a tool program is told, and what its answer comes to.

use crate::space::Space;

/// Runs a tool that is `script`, and shows how its step ended.
fn answered(script: &str) -> String {
    let space = Space::new().tool("t", script);
    space.file("dir/data.txt", "from a file");
    space.file("outside.txt", "secret");
    space.link("dir/link.txt", "data.txt");
    let ended = space.steps(r#"{"id": "t", "tool": "t"}"#).run();
    let step = ended.step("t");
    ended.masked(&format!(
        "{}, output {}, error {}\n",
        step["status"], step["output"], step["error"]
    ))
}

/// ruling 24; spec: Tool steps: a valid answer decides, whatever the exit status; anything else is the data.
#[test]
fn each_form_of_an_answer_has_its_meaning() {
    let cases = [
        r#"echo '{"status": "passed", "summary": "s", "data": "text"}'; exit 7"#,
        r#"echo '{"status": "passed", "data": {"b": 1.50, "a": [1, 2]}}'"#,
        r#"echo '{"status": "passed"}'"#,
        r#"echo '{"status": "passed", "data": null}'"#,
        r#"echo '{"status": "failed", "summary": "boom", "data": "part"}'"#,
        r#"echo '{"status": "error", "data": "only data"}'"#,
        r#"echo '{"status": "failed"}'"#,
        r#"echo '{"status": "passed", "data_path": "data.txt"}'"#,
        r#"echo '{"status": "passed", "data_path": "../outside.txt"}'"#,
        r#"echo '{"status": "passed", "data_path": "/etc/passwd"}'"#,
        r#"echo '{"status": "passed", "data_path": "link.txt"}'"#,
        r#"echo '{"status": "passed", "data_path": "missing.txt"}'"#,
        r#"echo '{"status": "perhaps"}'"#,
        "echo plain text",
        "echo plain text; exit 1",
        "true",
        "echo why >&2; exit 2",
        "exit 2",
        "kill -9 $$",
        r"printf '\377'",
    ];
    let shown: Vec<_> = cases
        .iter()
        .map(|script| format!("{script}\n  {}", answered(script)))
        .collect();
    insta::assert_snapshot!(shown.concat(), @r#"
    echo '{"status": "passed", "summary": "s", "data": "text"}'; exit 7
      "success", output "text", error null
    echo '{"status": "passed", "data": {"b": 1.50, "a": [1, 2]}}'
      "success", output "{\"b\":1.50,\"a\":[1,2]}", error null
    echo '{"status": "passed"}'
      "success", output null, error null
    echo '{"status": "passed", "data": null}'
      "success", output null, error null
    echo '{"status": "failed", "summary": "boom", "data": "part"}'
      "failed", output "part", error "boom"
    echo '{"status": "error", "data": "only data"}'
      "failed", output "only data", error "only data"
    echo '{"status": "failed"}'
      "failed", output null, error "the tool answered `failed` without a summary or data (exit code 0)"
    echo '{"status": "passed", "data_path": "data.txt"}'
      "success", output "from a file", error null
    echo '{"status": "passed", "data_path": "../outside.txt"}'
      "failed", output null, error "`data_path` `../outside.txt`: it leads out of the workdir"
    echo '{"status": "passed", "data_path": "/etc/passwd"}'
      "failed", output null, error "`data_path` `/etc/passwd`: it is absolute; name a file beneath the workdir"
    echo '{"status": "passed", "data_path": "link.txt"}'
      "failed", output null, error "`data_path` `link.txt`: it is, or leads through, a symbolic link"
    echo '{"status": "passed", "data_path": "missing.txt"}'
      "failed", output null, error "`data_path` `missing.txt`: there is no such file"
    echo '{"status": "perhaps"}'
      "success", output "{\"status\": \"perhaps\"}\n", error null
    echo plain text
      "success", output "plain text\n", error null
    echo plain text; exit 1
      "failed", output "plain text\n", error "plain text\n"
    true
      "success", output null, error null
    echo why >&2; exit 2
      "failed", output "why", error "why"
    exit 2
      "failed", output null, error "exit code 2"
    kill -9 $$
      "failed", output null, error "killed by signal 9 (SIGKILL)"
    printf '\377'
      "success", output "�", error null
    "#);
}

/// spec: Tool steps: the request, in the workdir, with the environment of a command.
#[test]
fn a_tool_is_told_its_input_as_json_text() {
    let space = Space::new().tool("show", "cat; echo; pwd; echo $HOME $SECRET_API_KEY.");
    let ended = space
        .steps(
            r#"{"id": "a", "tool": "show", "input": {"b": [1.0, 2e3,  null], "a": "é\u00e9\""}},
               {"id": "b", "tool": "show"},
               {"id": "c", "tool": "show", "input": "text"}"#,
        )
        .env("SECRET_API_KEY", "x")
        .run();
    let shown: Vec<_> = ["a", "b", "c"].iter().map(|id| ended.output(id)).collect();
    insta::assert_snapshot!(ended.masked(&shown.concat()), @r#"
    {"data":"{\"b\":[1.0,2e3,null],\"a\":\"é\\u00e9\\\"\"}","log_path":null}
    [space]/dir
    [space]/home/records[space]/dir/ses_[..]/home .
    {"data":"null","log_path":null}
    [space]/dir
    [space]/home/records[space]/dir/ses_[..]/home .
    {"data":"\"text\"","log_path":null}
    [space]/dir
    [space]/home/records[space]/dir/ses_[..]/home .
    "#);
}

/// spec: The manifest: a program with a `/` is relative to the manifest, one without is looked up on `PATH`.
#[test]
fn a_tool_is_found_beside_the_manifest_or_on_the_path() {
    let space = Space::new()
        .tool_command("beside", "[tools/prog]")
        .tool_command("on-path", "[prog, one]")
        .tool_command("absolute", "[/bin/echo, two]")
        .tool_command("nowhere", "[no-such-program]");
    space.link("tools/prog", "/bin/pwd");
    space.link("bin/prog", "/bin/echo");
    let ended = space
        .steps(
            r#"{"id": "a", "tool": "beside"}, {"id": "b", "tool": "on-path"}, {"id": "c", "tool": "absolute"},
               {"id": "d", "tool": "nowhere"}"#,
        )
        .run();
    assert_eq!(ended.masked(&ended.output("a")), "[space]/dir\n");
    assert_eq!(ended.output("b"), "one\n");
    assert_eq!(ended.output("c"), "two\n");
    insta::assert_snapshot!(ended.error("d"), @r#"cannot start `no-such-program`: not found on PATH"#);
}

/// spec: Tool steps; spec: In the trace: what a tool says of its effect, and its input as dispatched, are traced.
#[test]
fn metadata_and_input_go_to_the_trace() {
    let space = Space::new().tool(
        "make",
        r#"echo '{"status": "passed", "metadata": [["state_effect", "created"], ["resource_id", "r-1"], ["x", "y"]]}'"#,
    );
    let ended = space
        .steps(
            r#"{"id": "up", "shell": "printf %s {\"a\":1}"},
               {"id": "a", "tool": "make", "depends_on": ["up"], "input": {"k": "$up.output", "s": "$up.status"}}"#,
        )
        .run();
    let line = ended.trace().step("plan_step", "a");
    assert_eq!(line["state_effect"], "created");
    assert_eq!(line["resource_id"], "r-1");
    // A reference is replaced by text, never by the JSON in it (ruling 8).
    assert_eq!(line["input"].to_string(), r#"{"k":"{a:1}","s":"success"}"#);
    assert!(ended.trace().step("plan_step", "up").get("input").is_none());
}

/// ruling 19: tools run one at a time across the whole plan, beside commands.
#[test]
fn tools_never_overlap_each_other_but_commands_do() {
    let space = Space::new().tool("alone", "mkdir lock && read x < go && rmdir lock");
    let mut go = space.fifo("go");
    let mut ready = space.fifo("ready");
    let running = space
        .steps(
            r#"{"id": "a", "tool": "alone"}, {"id": "b", "tool": "alone"}, {"id": "c", "tool": "alone"},
               {"id": "s", "shell": "sh -c 'echo > ready'"}"#,
        )
        .start();
    // The command runs although a tool does.
    ready.wait();
    for _ in 0..3 {
        go.tell();
    }
    let ended = running.wait();
    assert_eq!(ended.status, Some(0), "{}", ended.stdout);
    // Whether the command settles before the first tool is anyone's guess.
    let statuses = ended.statuses();
    let tools: Vec<_> = statuses
        .split(", ")
        .filter(|step| !step.starts_with('s'))
        .collect();
    assert_eq!(tools, ["a success", "b success", "c success"]);
}

/// spec: Tool steps: an answer over 10 MiB fails the step instead of filling the memory.
#[test]
fn a_huge_answer_fails_the_step() {
    let ended = Space::new()
        .tool("loud", "yes | head -c 11000000")
        .steps(r#"{"id": "a", "tool": "loud"}"#)
        .run();
    assert_eq!(ended.status, Some(1));
    assert!(ended.error("a").contains("10 MiB"), "{}", ended.error("a"));
}
