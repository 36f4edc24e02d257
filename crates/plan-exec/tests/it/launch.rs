//! A launcher between this process and a step's program: nothing of it shows, save what it takes away.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use plan_exec::{
    Bounds, Cancel, CancelHandle, Confinement, LauncherProgram, ProcessLimits, ShellExecutor, Walls,
};

use crate::space::{Space, error, is_alive, output, shell_call, shown, wait_for};

/// What is started as a launcher here.
pub(crate) fn launcher() -> LauncherProgram {
    LauncherProgram::At(env!("CARGO_BIN_EXE_plan-launcher").into())
}

/// Returns a launcher that puts nothing around a step, so that any kernel will do.
pub(crate) fn bare() -> Confinement {
    Confinement {
        program: launcher(),
        limits: ProcessLimits::default(),
        walls: Walls::default(),
        supervised: false,
    }
}

/// Returns a space whose steps are launched like that.
pub(crate) fn confined(confinement: Confinement) -> Space {
    launched(Space::new(), confinement)
}

/// Returns the same with other bounds.
pub(crate) fn confined_within(bounds: Bounds, confinement: Confinement) -> Space {
    launched(Space::with_bounds(bounds), confinement)
}

fn launched(mut space: Space, confinement: Confinement) -> Space {
    let session = space.session.take().and_then(Arc::into_inner).unwrap();
    space.session = Some(Arc::new(session.confined(confinement).unwrap()));
    space
}

/// spec: Shell steps: a start failure, an exit, a signal and what was written come out the same with a launcher.
#[tokio::test]
async fn a_launched_step_comes_out_like_a_plain_one() {
    let spaces = [Space::new(), confined(bare())];
    for space in &spaces {
        space.write("plain", "not executable");
        space.write("no-interpreter", "#!/nonexistent/interpreter\n");
        space.write("no-format", "just text\n");
        space.write("script", "#!/bin/sh\necho \"$0 $1\"\n");
        let made =
            "cp no-interpreter s1; cp no-format s2; cp script s3; chmod +x s1 s2 s3; mkdir folder";
        assert_eq!(shown(&space.sh(made).await), r#"passed, output """#);
    }
    let long = "a".repeat(1 << 17);
    let many: Vec<&str> = std::iter::once("printf")
        .chain(std::iter::repeat_n("a", 100_000))
        .collect();
    for words in [
        &["no-such-program-here", "x"][..],
        &["./nowhere"],
        &["./plain"],
        &["./s1"],
        &["./s2"],
        &["./s3", "x y"],
        &["./folder"],
        &["/nonexistent/folder/program"],
        &["sh", "-c", "printf out; echo err >&2; exit 3"],
        &["sh", "-c", "exit 255"],
        &["sh", "-c", "kill -SEGV $$"],
        &["sh", "-c", "kill -34 $$"],
        &["sh", "-c", "pwd; umask; cat; echo $0", "name"],
        &["env"],
        &["printf", &long],
        &many,
    ] {
        let plain = spaces[0].run(words).await;
        let launched = spaces[1].run(words).await;
        // Each has a workdir of its own.
        let own = |space: &Space, text: String| {
            let root = space.workdir().parent().unwrap().display().to_string();
            text.replace(&root, "<root>")
        };
        assert_eq!(
            own(&spaces[1], shown(&launched)),
            own(&spaces[0], shown(&plain)),
            "{words:.3?}"
        );
    }
}

/// spec: Shell steps: a workdir that went away is named, with a launcher as without.
#[tokio::test]
async fn a_launched_step_names_a_missing_workdir() {
    let space = confined(bare());
    fs::remove_dir(space.workdir()).unwrap();
    assert_eq!(
        error(&space.sh("true").await),
        format!(
            "cannot start `sh`: the working directory `{}` does not exist",
            space.workdir().display()
        )
    );
}

/// spec: Tool steps: a tool's input reaches it through a launcher, however long, and ends.
#[tokio::test]
async fn a_launched_tool_gets_its_input() {
    let space = confined(bare());
    let input = format!("\"{}\"", "x".repeat(1 << 20));
    let outcome = space.tool("wc -c", &input).await;
    let plain = Space::new().tool("wc -c", &input).await;
    assert_eq!(shown(&outcome), shown(&plain));
}

/// ruling 34: the program leads a group of its own, has an empty mask, default dispositions, and 0, 1 and 2 open.
#[tokio::test]
async fn a_launched_step_has_its_streams_and_nothing_else() {
    let space = confined(bare());
    let place = space
        .sh("ps -o pgid= -p $$; echo $$; ls -x /proc/$$/fd")
        .await;
    let lines: Vec<&str> = output(&place).lines().map(str::trim).collect();
    assert_eq!(lines[0], lines[1], "it leads its group");
    assert_eq!(lines[2], "0  1  2");
    let status = space.run(&["cat", "/proc/self/status"]).await;
    for set in ["SigBlk:", "SigIgn:", "SigCgt:"] {
        let mask = output(&status)
            .lines()
            .find_map(|line| line.strip_prefix(set));
        assert_eq!(mask.unwrap().trim(), "0000000000000000", "{set}");
    }
}

/// spec: What a plan may reach: limits are hard, and none is raised above what this process has.
#[tokio::test]
async fn a_process_is_limited_and_nothing_is_raised() {
    let space = confined(Confinement {
        limits: ProcessLimits {
            open_files: Some(100),
            file_size: Some(4096),
            cpu_seconds: Some(7),
            address_space: Some(1 << 30),
            processes: Some(u64::MAX - 1),
        },
        ..bare()
    });
    let limits = space.run(&["cat", "/proc/self/limits"]).await;
    let limits = output(&limits);
    assert_eq!(row(limits, "Max open files"), ["100", "100"]);
    assert_eq!(row(limits, "Max file size"), ["4096", "4096"]);
    assert_eq!(row(limits, "Max cpu time"), ["7", "8"]);
    assert_eq!(
        row(limits, "Max address space"),
        ["1073741824", "1073741824"]
    );
    assert_eq!(row(limits, "Max core file size"), ["0", "0"]);
    let own = fs::read_to_string("/proc/self/limits").unwrap();
    assert_eq!(row(limits, "Max processes"), row(&own, "Max processes"));
    assert_eq!(row(limits, "Max stack size"), row(&own, "Max stack size"));

    let outcome = space.sh("exec head -c 5000 /dev/zero > big").await;
    assert_eq!(error(&outcome), "killed by signal 25 (SIGXFSZ)");
}

/// spec: What a plan may reach: a limit above what the kernel counts to is none, and leaves what is inherited.
#[tokio::test]
async fn a_limit_beyond_counting_is_none() {
    let own = fs::read_to_string("/proc/self/limits").unwrap();
    for beyond in [1 << 63, u64::MAX] {
        let space = confined(Confinement {
            limits: ProcessLimits {
                open_files: Some(beyond),
                file_size: Some(beyond),
                cpu_seconds: Some(beyond),
                address_space: Some(beyond),
                processes: Some(beyond),
            },
            ..bare()
        });
        let ran = space
            .sh("echo text > file; cat file /proc/self/limits")
            .await;
        let limits = output(&ran).strip_prefix("text\n").unwrap();
        for name in [
            "Max open files",
            "Max file size",
            "Max cpu time",
            "Max address space",
            "Max processes",
        ] {
            assert_eq!(row(limits, name), row(&own, name));
        }
    }
}

/// Returns the soft and the hard limit of this name.
fn row(limits: &str, name: &str) -> Vec<String> {
    let row = limits.lines().find_map(|line| line.strip_prefix(name));
    row.unwrap()
        .split_whitespace()
        .take(2)
        .map(str::to_owned)
        .collect()
}

/// spec: What a plan may reach: past its CPU seconds a process gets SIGXCPU, which says so.
#[tokio::test]
async fn a_process_past_its_cpu_seconds_gets_sigxcpu() {
    let space = confined(Confinement {
        limits: ProcessLimits {
            cpu_seconds: Some(1),
            ..ProcessLimits::default()
        },
        ..bare()
    });
    let outcome = space.run(&["sh", "-c", "while :; do :; done"]).await;
    assert_eq!(error(&outcome), "killed by signal 24 (SIGXCPU)");
}

/// Writes a program that is no launcher, and returns one that takes it for one.
fn impostor(space: &Space, script: &str) -> LauncherProgram {
    let path = space.write("impostor", &format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    LauncherProgram::At(path)
}

/// decision: a launcher that dies, or is none, fails the step in words of its own; nothing hangs and nothing runs.
#[tokio::test]
async fn a_launcher_that_is_none_fails_the_step() {
    let folder = Space::new();
    for (script, expected) in [
        (
            "exit 0",
            "the launcher could not live until the program began",
        ),
        (
            "kill -9 $$",
            "the launcher could not live until the program began",
        ),
        (
            // Answers on the socket, with something else.
            "printf 'HTTP/1.1 200 OK' >&0; sleep 1000",
            "the launcher could not live until the program began `it speaks version 47 of the protocol, not 1`: \
             Bad message (os error 74)",
        ),
    ] {
        let space = confined(Confinement {
            program: impostor(&folder, script),
            ..bare()
        });
        let outcome = space.run(&["touch", "ran"]).await;
        assert_eq!(error(&outcome), format!("cannot start `touch`: {expected}"));
        assert!(!space.workdir().join("ran").exists());
    }
    let space = confined(Confinement {
        program: LauncherProgram::At("/nonexistent/launcher".into()),
        ..bare()
    });
    assert_eq!(
        error(&space.run(&["true"]).await),
        "cannot start `true`: cannot start `/nonexistent/launcher` as a launcher: No such file or directory \
         (os error 2)"
    );
}

/// ruling 27: a repeated cancel kills a launcher that has not become the program yet.
#[tokio::test]
async fn a_repeated_cancel_ends_a_start() {
    let folder = Space::new();
    let pid = folder.workdir().join("pid");
    let script = format!(
        "echo $$ > {0}.new; mv {0}.new {0}; sleep 1000 & wait",
        pid.display()
    );
    let space = confined(Confinement {
        program: impostor(&folder, &script),
        ..bare()
    });
    let (handle, cancel) = CancelHandle::new();
    let shell = space.shell();
    let run = shell.run(shell_call(&["true"], 1, cancel));
    let killed = async {
        while !pid.exists() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        handle.kill();
    };
    let (outcome, ()) = tokio::join!(run, killed);
    assert_eq!(
        error(&outcome),
        "was killed: a repeated cancel ends everything that still runs"
    );
    let pid = folder.line_of("pid");
    wait_for(|| (!is_alive(&pid)).then_some(()));
}

/// ruling 34: a start that nobody waits for any more is killed, and one that hangs holds up no other step.
#[tokio::test]
async fn a_dropped_start_is_killed_and_holds_nothing_up() {
    let folder = Space::new();
    let script = format!(
        "echo $$ > {}/pid; sleep 1000 & wait",
        folder.workdir().display()
    );
    let hanging = confined(Confinement {
        program: impostor(&folder, &script),
        ..bare()
    });
    let shell = hanging.shell();
    let other = confined(bare());
    let start = shell.run(shell_call(&["true"], 1, Cancel::never()));
    let beside = async {
        let outcome = other.sh("printf done").await;
        while !folder.workdir().join("pid").exists() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        outcome
    };
    let outcome = tokio::select! {
        outcome = start => panic!("it started: {outcome:?}"),
        outcome = beside => outcome,
    };
    assert_eq!(shown(&outcome), r#"passed, output "done""#);
    let pid = folder.line_of("pid");
    wait_for(|| (!is_alive(&pid)).then_some(()));
}

/// decision: what is no launcher is found out by the probe, in five seconds at most.
#[test]
fn a_probe_tells_a_launcher_from_another_program() {
    let space = Space::new();
    let runtime = space.runtime();
    assert!(launcher().probe(&runtime).is_ok());
    let started = Instant::now();
    let mut said = String::new();
    for program in [
        LauncherProgram::At("/nonexistent/launcher".into()),
        LauncherProgram::At("true".into()),
        LauncherProgram::At("/bin/true".into()),
        LauncherProgram::At("/bin/cat".into()),
        impostor(&space, "exec sleep 1000"),
        LauncherProgram::ThisProgram,
    ] {
        let error = program.probe(&runtime).unwrap_err().to_string();
        said.push_str(&error.replace(&space.workdir().display().to_string(), "<workdir>"));
        said.push('\n');
    }
    assert!(started.elapsed() < Duration::from_secs(15));
    insta::assert_snapshot!(said, @r"
    cannot start `/nonexistent/launcher` as a launcher: No such file or directory (os error 2)
    cannot start `true` as a launcher: No such file or directory (os error 2)
    `/bin/true` is no launcher of this version: it ended without an answer
    `/bin/cat` is no launcher of this version: it ended without an answer
    `<workdir>/impostor` is no launcher of this version: it did not answer in 5 s
    this program is not its own launcher: call `plan_exec::serve_as_launcher()` first thing in `main`, or name a launcher's path
    ");
}

/// decision: a program that does not serve as a launcher is told so when its session is made, not when a step hangs.
#[test]
fn a_forgotten_call_is_an_error_at_once() {
    let mut space = Space::new();
    let session = space.session.take().and_then(Arc::into_inner).unwrap();
    let refused = session.confined(Confinement {
        program: LauncherProgram::ThisProgram,
        ..bare()
    });
    assert_eq!(
        refused.unwrap_err().to_string(),
        "this program is not its own launcher: call `plan_exec::serve_as_launcher()` first thing in `main`, \
         or name a launcher's path"
    );
}

/// decision: a launcher called by hand says what it is and ends.
#[test]
fn a_launcher_called_by_hand_explains_itself() {
    let program: PathBuf = env!("CARGO_BIN_EXE_plan-launcher").into();
    for arguments in [&["__plan-launcher"][..], &[]] {
        let called = std::process::Command::new(&program)
            .args(arguments)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert!(!called.status.success());
        let said = String::from_utf8(called.stderr).unwrap();
        assert!(
            said.starts_with("this is how commands of a plan are started"),
            "{said}"
        );
    }
}
