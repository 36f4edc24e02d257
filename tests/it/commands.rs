//! Shell steps: how a command is started, what it sees, and what becomes of its output.

use crate::space::Space;

/// ruling 31: the line is split by quoting and by nothing else.
#[test]
fn a_command_line_is_split_and_not_interpreted() {
    let space = Space::new();
    space.file("dir/a.txt", "");
    let lines = [
        (
            r#"printf %s| one 'two words' "three $HOME" fo\ ur "" *.txt"#,
            "one|two words|three $HOME|fo ur||*.txt|",
        ),
        (
            "printf %s| a && b # c ; d > e ~ `f` $(g)",
            "a|&&|b|#|c|;|d|>|e|~|`f`|$(g)|",
        ),
        (
            r#"printf %s| a'b'"c"\d '' 'x\y' "p\\q\"r\$s\`t\u""#,
            r#"abcd||x\y|p\q"r$s`t\u|"#,
        ),
        ("printf %s| \t a\n b ", "a|b|"),
        ("'printf' '%s|' \"{'a':[1]}\"", "{'a':[1]}|"),
    ];
    for (line, output) in lines {
        let step = serde_json::json!({"id": "a", "shell": line});
        let ended = space.steps(&step.to_string()).run();
        assert_eq!(ended.output("a"), output, "{line}");
    }
    for line in [
        "",
        "   ",
        "'printf",
        "printf \\",
        "\"printf a",
        "./printf a",
        "/bin/sh",
        "Printf",
    ] {
        let step = serde_json::json!({"id": "a", "shell": line});
        let ended = space.steps(&step.to_string()).run();
        assert_eq!(ended.status, Some(2), "{line:?}: {}", ended.stdout);
    }
}

/// rulings 9 and 34: no shell stands around a command, and no reference in its line is replaced.
#[test]
fn a_reference_in_a_command_line_is_a_warning_and_text() {
    let space = Space::new().tool("none", "true");
    let ended = space
        .steps(
            r#"{"id": "a", "shell": "echo x"},
               {"id": "b", "shell": "echo $a.output", "depends_on": ["a"], "input": {"x": "$c.output"}},
               {"id": "c", "tool": "none"}"#,
        )
        .run();
    assert_eq!(ended.output("b"), "$a.output\n");
    assert_eq!(ended.status, Some(0));
    let said = ended.said();
    assert!(said.contains("warning["), "{said}");
}

/// ruling 32: the environment is built from nothing, without anything that looks like a credential.
#[test]
fn a_command_sees_only_its_own_environment() {
    let space = Space::new().grants(
        "shell: {allow: [env], baseline_env: [WANTED, SECRET_API_KEY, AWS_REGION, STRIPPED_X, HOME], strip_env: [STRIPPED_*]}",
    );
    let ended = space
        .steps(r#"{"id": "a", "shell": "env"}"#)
        .env("WANTED", "yes")
        .env("UNWANTED", "x")
        .env("SECRET_API_KEY", "x")
        .env("AWS_REGION", "x")
        .env("STRIPPED_X", "x")
        .env("LANG", "C")
        .env("USER", "me")
        .env("TERM", "dumb")
        .env("MURMUR_ROOST_URL", "x")
        .env("LD_LIBRARY_PATH", "/none")
        .run();
    let output = ended.masked(&ended.output("a"));
    let mut lines: Vec<_> = output
        .lines()
        .filter(|line| !line.starts_with("PATH="))
        .collect();
    lines.sort_unstable();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    HOME=[space]/home/records[space]/dir/ses_[..]/home
    LANG=C
    MURMUR_RECORDS_DIR=[space]/home/records[space]/dir/ses_[..]
    MURMUR_RUNTIME_DIR=[space]/home/sessions/ses_[..]/runtime
    TEMP=[space]/home/records[space]/dir/ses_[..]/tmp
    TERM=dumb
    TMP=[space]/home/records[space]/dir/ses_[..]/tmp
    TMPDIR=[space]/home/records[space]/dir/ses_[..]/tmp
    USER=me
    WANTED=yes
    "#);
    assert!(output.contains("PATH="));
}

/// ruling 32: `CARGO_HOME` and `RUSTUP_HOME` default to the host user's folders where those exist.
#[test]
fn the_toolchain_of_the_host_user_is_found() {
    let space = Space::new();
    space.file("user/.cargo/x", "");
    let ended = space.steps(r#"{"id": "a", "shell": "env"}"#).run();
    let output = ended.masked(&ended.output("a"));
    assert!(
        output.contains("CARGO_HOME=[space]/user/.cargo\n"),
        "{output}"
    );
    assert!(!output.contains("RUSTUP_HOME"), "{output}");
}

/// spec: Shell steps: standard input is empty, the workdir is where it runs.
#[test]
fn a_command_reads_nothing_and_runs_in_the_workdir() {
    let space = Space::new();
    let ended = space
        .steps(r#"{"id": "in", "shell": "cat"}, {"id": "where", "shell": "pwd"}"#)
        .input("not for it")
        .run();
    assert_eq!(ended.output("in"), "");
    assert_eq!(ended.masked(&ended.output("where")), "[space]/dir\n");
}

/// rulings 23 and 25: output whatever the exit; the error is what it complained of, its code, or its signal.
#[test]
fn every_way_to_end_has_its_words() {
    let cases = [
        "printf ok",
        "printf out; exit 3",
        "echo bad >&2; echo out; exit 1",
        "kill -9 $$",
        "kill -TERM $$",
        "printf '\\377\\376x'",
        "printf 'a\\000b'; exit 1",
    ];
    let space = Space::new();
    let steps: Vec<_> = cases
        .iter()
        .enumerate()
        .map(|(n, script)| {
            let line = format!(
                "sh -c \"{}\"",
                script.replace('\\', "\\\\").replace('$', "\\$")
            );
            serde_json::json!({"id": format!("s{n}"), "shell": line, "on_error": "continue"})
                .to_string()
        })
        .collect();
    let ended = space
        .steps(&format!(
            "{}, {}",
            steps.join(","),
            r#"{"id": "gone", "shell": "ghost x", "on_error": "continue"}"#
        ))
        .args(&["--jobs", "1"])
        .run();
    assert_eq!(ended.status, Some(0));
    insta::assert_snapshot!(ended.shown().lines().take(9).collect::<Vec<_>>().join("\n"), @r#"
    exit 0 completed failed_step null
      s0 success, output "ok"
      s1 failed, output "out", error "exit code 3"
      s2 failed, output "out\n", error "bad"
      s3 failed, output "", error "killed by signal 9 (SIGKILL)"
      s4 failed, output "", error "killed by signal 15 (SIGTERM)"
      s5 success, output "��x"
      s6 failed, output "a\u0000b", error "exit code 1"
      gone failed, error "cannot start `ghost`: not found on PATH"
    "#);
}

/// ruling 26: output over 1 MiB is cut with a mark, and the whole is moved to the records, which is said.
#[test]
fn a_cut_output_is_kept_whole_in_the_records() {
    let space = Space::new();
    let ended = space
        .steps(
            r#"{"id": "small", "shell": "true"},
               {"id": "big", "shell": "sh -c 'yes é | head -c 3000000'", "depends_on": ["small"]}"#,
        )
        .run();
    let output = ended.output("big");
    let (kept, note) = output.split_once(" […]\n").expect("a mark");
    assert!(kept.len() <= 1 << 20, "{} bytes", kept.len());
    insta::assert_snapshot!(note, @r#"[cut at 1048575 of 3000000 bytes; the whole output is outputs/plan-1/2.txt in the runtime directory]"#);
    let records = ended.trace().path.parent().expect("in a folder").to_owned();
    let whole = std::fs::read(records.join("outputs/plan-1/2.txt")).expect("it is kept");
    assert_eq!(whole.len(), 3_000_000);
    insta::assert_snapshot!(ended.said(), @r#"
    start   small (shell)
    success small (shell) in [..] s
    start   big (shell)
    success big (shell) in [..] s
    kept whole: [space]/home/records[space]/dir/ses_[..]/outputs/plan-1/2.txt
    "#);
}

/// ruling 26: an error holds the end of standard error, at most 64 KiB.
#[test]
fn a_long_complaint_keeps_its_end() {
    let ended = Space::new()
        .steps(
            r#"{"id": "a", "shell": "sh -c 'yes no | head -c 600000 >&2; echo last >&2; exit 1'"}"#,
        )
        .run();
    let error = ended.error("a");
    assert!(error.len() <= 64 * 1024, "{} bytes", error.len());
    assert!(
        error.ends_with("no\nlast"),
        "{}",
        &error[error.len() - 20..]
    );
}

/// ruling 19: 64 shell steps run at once unless told otherwise; one more waits.
#[test]
fn sixty_four_commands_run_at_once() {
    let space = Space::new();
    let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
    let steps: Vec<_> = (0..65)
        .map(|n| format!(r#"{{"id": "s{n}", "shell": "sh -c 'echo {n} > ready; read x < go'"}}"#))
        .collect();
    let running = space.steps(&steps.join(",")).start();
    let mut started: Vec<_> = (0..64).map(|_| ready.wait()).collect();
    started.sort_by_key(|n| n.parse::<u32>().expect("a number"));
    assert_eq!(started.last().map(String::as_str), Some("63"));
    go.tell();
    assert_eq!(ready.wait(), "64");
    for _ in 0..64 {
        go.tell();
    }
    let ended = running.wait();
    assert_eq!(ended.status, Some(0));
}

/// ruling 19; ruling 17: with one at a time, commands run in file order and never overlap.
#[test]
fn one_job_serialises_commands() {
    let space = Space::new();
    let steps: Vec<_> = (0..20)
        .map(|n| {
            format!(r#"{{"id": "s{n}", "shell": "sh -c 'mkdir lock && echo {n} && rmdir lock'"}}"#)
        })
        .collect();
    let ended = space.steps(&steps.join(",")).args(&["--jobs", "1"]).run();
    assert_eq!(ended.status, Some(0), "{}", ended.stdout);
    let order: Vec<_> = (0..20).map(|n| format!("s{n} success")).collect();
    assert_eq!(ended.statuses(), order.join(", "));
}

/// ruling 17: a step starts the moment its last dependency settles, whatever else runs.
#[test]
fn a_slow_step_holds_up_nobody_else() {
    let space = Space::new();
    let mut last = space.fifo("last");
    let mut go = space.fifo("go");
    let running = space
        .steps(
            r#"{"id": "slow", "shell": "sh -c 'read x < go'"},
               {"id": "a", "shell": "true"},
               {"id": "b", "shell": "true", "depends_on": ["a"]},
               {"id": "c", "shell": "sh -c 'echo > last'", "depends_on": ["b"]}"#,
        )
        .start();
    last.wait();
    go.tell();
    let ended = running.wait();
    assert_eq!(ended.status, Some(0));
    assert!(ended.statuses().starts_with("a success, b success, "));
}
