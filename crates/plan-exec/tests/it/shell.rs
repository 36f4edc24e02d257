//! What a command's exit comes to, and how it is started.

use std::fs;

use plan_exec::{
    Bounds, Cancel, CommandSession, ContainmentSpec, SessionSpec, ShellCommands, ShellExecutor,
};

use crate::space::{Space, error, output, shell_call, shown};

async fn table(cases: &[&str]) -> String {
    let space = Space::new();
    let mut lines = String::new();
    for script in cases {
        let outcome = space.sh(script).await;
        lines.push_str(&format!("{script:<44} {}\n", shown(&outcome)));
    }
    lines
}

/// ruling 23: the output is what it printed whatever the exit, the error what it complained of or how it exited.
#[tokio::test]
async fn an_exit_decides_and_the_streams_are_kept() {
    let cases = [
        "printf ok",
        "true",
        "echo warned >&2",
        "printf out; exit 3",
        "echo out; echo bad >&2; exit 1",
        "printf 'a\\nb\\r\\n\\n\\n' >&2; exit 1",
        "printf '\\n\\n' >&2; exit 9",
        "exit 255",
    ];
    insta::assert_snapshot!(table(&cases).await, @r#"
    printf ok                                    passed, output "ok"
    true                                         passed, output ""
    echo warned >&2                              passed, output ""
    printf out; exit 3                           failed "exit code 3", output "out"
    echo out; echo bad >&2; exit 1               failed "bad", output "out\n"
    printf 'a\nb\r\n\n\n' >&2; exit 1            failed "a\nb", output ""
    printf '\n\n' >&2; exit 9                    failed "exit code 9", output ""
    exit 255                                     failed "exit code 255", output ""
    "#);
}

/// ruling 23: a signal is named by number and name.
#[tokio::test]
async fn a_death_by_signal_is_named() {
    let cases = [
        "kill -TERM $$",
        "printf part; kill -KILL $$",
        "kill -SEGV $$",
        "kill -34 $$",
        "echo last words >&2; kill -9 $$",
    ];
    insta::assert_snapshot!(table(&cases).await, @r#"
    kill -TERM $$                                failed "killed by signal 15 (SIGTERM)", output ""
    printf part; kill -KILL $$                   failed "killed by signal 9 (SIGKILL)", output "part"
    kill -SEGV $$                                failed "killed by signal 11 (SIGSEGV)", output ""
    kill -34 $$                                  failed "killed by signal 34", output ""
    echo last words >&2; kill -9 $$              failed "last words", output ""
    "#);
}

/// ruling 25: what is not UTF-8 becomes replacement characters.
#[tokio::test]
async fn text_that_is_not_utf_8_is_converted() {
    let cases = [
        "printf 'a\\377b'",
        "printf '\\303'",
        "printf 'x\\303\\251y'",
        "printf '\\377' >&2; exit 1",
    ];
    insta::assert_snapshot!(table(&cases).await, @r#"
    printf 'a\377b'                              passed, output "a�b"
    printf '\303'                                passed, output "�"
    printf 'x\303\251y'                          passed, output "xéy"
    printf '\377' >&2; exit 1                    failed "�", output ""
    "#);
}

/// spec: Shell steps: a start failure fails the step with the command's name.
#[tokio::test]
async fn a_start_failure_names_the_command() {
    let space = Space::new();
    space.write("plain", "not executable");
    space.write("no-interpreter", "#!/nonexistent/interpreter\n");
    space.write("no-format", "just text\n");
    let made = "cp no-interpreter s1; cp no-format s2; chmod +x s1 s2; mkdir folder";
    assert_eq!(shown(&space.sh(made).await), r#"passed, output """#);
    let mut lines = String::new();
    for word in [
        "no-such-program-here",
        "",
        "./nowhere",
        "./plain",
        "./s1",
        "./s2",
        "./folder",
        "nul\0inside",
    ] {
        lines.push_str(&shown(&space.run(&[word, "x"]).await));
        lines.push('\n');
    }
    lines.push_str(&shown(&space.run(&[]).await));
    insta::assert_snapshot!(lines, @r#"
    failed "cannot start `no-such-program-here`: not found on PATH", no output
    failed "cannot start ``: not found on PATH", no output
    failed "cannot start `./nowhere`: no such file", no output
    failed "cannot start `./plain`: it is not an executable file", no output
    failed "cannot start `./s1`: the interpreter its first line names does not exist", no output
    failed "cannot start `./s2`: it is not a program of this system, nor a script whose first line names one", no output
    failed "cannot start `./folder`: it is not an executable file", no output
    failed "cannot start `nul\0inside`: not found on PATH", no output
    failed "the command line is empty", no output
    "#);
}

/// ruling 34: the program is found on the step's own PATH, called by its bare word, and only files that can be
/// executed count.
#[tokio::test]
async fn a_bare_word_is_looked_up_on_the_steps_path() {
    let space = Space::new();
    let made = "mkdir -p a/prog b c d; echo text > b/prog; cp /bin/sh c/prog; cp /bin/sh d/prog";
    assert_eq!(shown(&space.sh(made).await), r#"passed, output """#);
    let workdir = space.workdir();
    let run = async |path: Option<String>, words: &[&str]| {
        let environment = path.map(|path| ("PATH".into(), path.into()));
        let session = CommandSession::open(SessionSpec {
            workdir: workdir.clone(),
            environment: environment.into_iter().collect(),
            runtime_dir: None,
            bounds: Bounds::default(),
            containment: ContainmentSpec::off(),
        });
        let session = session.await;
        ShellCommands::new(session.unwrap().into())
            .run(shell_call(words, 1, Cancel::never()))
            .await
    };
    let full = workdir.display();
    let path = format!("{full}/nowhere:{full}/a:{full}/b:{full}/c:{full}/d");
    let seen = run(
        Some(path),
        &[
            "prog",
            "-c",
            "/bin/readlink /proc/$$/exe; tr '\\0' ' ' < /proc/$$/cmdline; echo $PATH",
        ],
    );
    let seen = seen.await;
    assert!(
        output(&seen).starts_with(&format!("{full}/c/prog\n")),
        "{seen:?}"
    );
    // `tr` is not on this PATH: nothing of the host's was added.
    assert!(output(&seen).ends_with(&format!("{full}/d\n")), "{seen:?}");

    let named = run(Some("c".into()), &["prog", "-c", "printf %s $0"]).await;
    assert_eq!(shown(&named), r#"passed, output "prog""#);
    let refused = run(Some("b".into()), &["prog"]).await;
    assert_eq!(
        error(&refused),
        format!("cannot start `prog`: `{full}/b/prog` is not executable")
    );
    let elsewhere = run(Some("/nowhere".into()), &["sh", "-c", "exit"]).await;
    assert_eq!(error(&elsewhere), "cannot start `sh`: not found on PATH");
    assert_eq!(shown(&run(None, &["true"]).await), r#"passed, output """#);
    assert_eq!(
        shown(&run(Some("/nowhere".into()), &["c/prog", "-c", "printf %s $0"]).await),
        r#"passed, output "c/prog""#
    );
}

/// spec: Shell steps: it runs in the workdir, in a group of its own, with an empty standard input; ruling 34: and
/// with nothing of this process's open.
#[tokio::test]
async fn a_command_runs_in_the_workdir_with_nothing_but_its_streams() {
    let space = Space::new();
    let workdir = fs::canonicalize(space.workdir()).unwrap();
    let place = space
        .sh("pwd -P; ps -o pgid= -p $$ | tr -d ' '; echo $$; cat; ls -x /proc/$$/fd")
        .await;
    let lines: Vec<&str> = output(&place).lines().collect();
    assert_eq!(lines[0], workdir.to_str().unwrap());
    assert_eq!(lines[1], lines[2], "it leads its group");
    // What this process itself inherited open is the launcher's to close.
    let plain = std::process::Command::new("sh")
        .args(["-c", "ls -x /proc/$$/fd"])
        .output()
        .unwrap();
    assert_eq!(
        lines[3],
        String::from_utf8(plain.stdout).unwrap().trim_end()
    );
    let status = space.run(&["cat", "/proc/self/status"]).await;
    let mask = |name: &str| {
        let lines = output(&status).lines();
        let mask = lines.filter_map(|line| line.strip_prefix(name)).next();
        u64::from_str_radix(mask.unwrap().trim(), 16).unwrap()
    };
    assert_eq!(mask("SigBlk:"), 0);
    // This process ignores SIGPIPE; a command must not.
    assert_eq!(mask("SigIgn:") & 1 << (13 - 1), 0);
}

/// ruling 32: the environment is what the session was given, and nothing of this process's.
#[tokio::test]
async fn the_environment_is_the_sessions() {
    let space = Space::new();
    let outcome = space.run(&["env"]).await;
    let mut names: Vec<&str> = output(&outcome)
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0))
        .collect();
    names.retain(|name| !["USER", "LOGNAME", "LANG", "LC_ALL", "TERM"].contains(name));
    names.retain(|name| !["CARGO_HOME", "RUSTUP_HOME"].contains(name));
    assert_eq!(
        names,
        [
            "HOME",
            "MURMUR_RECORDS_DIR",
            "MURMUR_RUNTIME_DIR",
            "PATH",
            "TEMP",
            "TMP",
            "TMPDIR"
        ]
    );
}

/// spec: Shell steps: a session whose workdir is missing says so, and so does a step whose workdir went away.
#[tokio::test]
async fn a_missing_workdir_is_named() {
    let space = Space::new();
    fs::remove_dir(space.workdir()).unwrap();
    let gone = space.sh("true").await;
    assert_eq!(
        error(&gone),
        format!(
            "cannot start `sh`: the working directory `{}` does not exist",
            space.workdir().display()
        )
    );
    let opened = CommandSession::open(SessionSpec {
        workdir: "/nonexistent/workdir".into(),
        environment: Vec::new(),
        runtime_dir: None,
        bounds: Bounds::default(),
        containment: ContainmentSpec::off(),
    });
    insta::assert_snapshot!(opened.await.unwrap_err(), @"cannot open the workdir `/nonexistent/workdir`: No such file or directory (os error 2)");
}
