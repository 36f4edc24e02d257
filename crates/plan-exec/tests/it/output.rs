//! Big outputs: cut, marked, kept whole.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::PathBuf,
    time::Duration,
};

use plan_exec::{Bounds, Cancel, LastLine, ShellExecutor, ToolExecutor, ToolProgram, ToolPrograms};

use crate::space::{Space, error, output, shell_call, tool_call, wait_for};

const MIB: usize = 1024 * 1024;

fn file(space: &Space) -> PathBuf {
    space.runtime().join("outputs/plan-1/1.txt")
}

fn note(text: &str) -> &str {
    text.rsplit_once('\n').expect("a cut output has a note").1
}

/// ruling 26: an output of exactly 1 MiB is whole, one byte more is cut, marked and kept.
#[tokio::test]
async fn an_output_is_cut_past_one_mib() {
    let space = Space::new();
    let whole = space.sh("head -c 1048576 /dev/zero | tr '\\0' x").await;
    assert_eq!(output(&whole), "x".repeat(MIB));
    assert!(!space.runtime().join("outputs").exists());

    let cut = space
        .sh("head -c 1048576 /dev/zero | tr '\\0' x; printf y")
        .await;
    let (kept, mark) = output(&cut).split_at(MIB);
    assert_eq!(kept, "x".repeat(MIB));
    insta::assert_snapshot!(mark, @r"
     […]
    [cut at 1048576 of 1048577 bytes; the whole output is outputs/plan-1/1.txt in the runtime directory]
    ");
    assert_eq!(
        fs::read_to_string(file(&space)).unwrap(),
        format!("{kept}y")
    );
}

/// ruling 26: the cut falls between characters, wherever the limit does.
#[tokio::test]
async fn the_cut_falls_between_characters() {
    let space = Space::new();
    for (lead, kept) in [("", MIB), ("x", MIB - 3), ("xx", MIB - 2), ("xxx", MIB - 1)] {
        // Each 𝄞 is four bytes, so the lead shifts the limit into one.
        let script = format!("printf '{lead}'; yes 𝄞 | head -n 300000 | tr -d '\\n'");
        let outcome = space.sh(&script).await;
        let total = lead.len() + 4 * 300_000;
        let text = output(&outcome);
        assert_eq!(
            note(text),
            format!(
                "[cut at {kept} of {total} bytes; the whole output is outputs/plan-1/1.txt \
                 in the runtime directory]"
            )
        );
        let expected = format!("{lead}{} […]\n", "𝄞".repeat((kept - lead.len()) / 4));
        assert!(text.starts_with(&expected), "lead {lead:?}");
        assert_eq!(fs::metadata(file(&space)).unwrap().len(), total as u64);
    }
}

/// ruling 26: a failed command's output is cut the same way; ruling 25: the file holds the bytes as they were.
#[tokio::test]
async fn the_file_holds_the_bytes_as_written() {
    let space = Space::new();
    let outcome = space
        .sh("head -c 2000000 /dev/zero | tr '\\0' '\\377'; exit 4")
        .await;
    assert_eq!(error(&outcome), "exit code 4");
    assert!(output(&outcome).starts_with('\u{fffd}'));
    assert_eq!(fs::read(file(&space)).unwrap(), vec![0xff; 2_000_000]);
    let metadata = fs::metadata(file(&space)).unwrap();
    assert_eq!(metadata.mode() & 0o777, 0o600);
    for folder in ["outputs", "outputs/plan-1"] {
        let mode = fs::metadata(space.runtime().join(folder))
            .unwrap()
            .permissions();
        assert_eq!(mode.mode() & 0o777, 0o700);
    }
}

/// ruling 26: the file holds the last attempt, and is gone when that was not cut.
#[tokio::test]
async fn a_retry_replaces_or_removes_the_file() {
    let space = Space::new();
    let big = |letter| format!("head -c 1500000 /dev/zero | tr '\\0' {letter}; exit 1");
    space.attempt(&big('a'), 1).await;
    space.attempt(&big('b'), 2).await;
    assert_eq!(
        fs::read_to_string(file(&space)).unwrap(),
        "b".repeat(1_500_000)
    );
    space.attempt("printf small", 3).await;
    assert!(!file(&space).exists());
    space.attempt(&big('c'), 4).await;
    space.run_missing_program(5).await;
    assert!(!file(&space).exists());
}

impl Space {
    async fn run_missing_program(&self, number: u32) {
        use plan_exec::{Cancel, ShellExecutor};
        let call = shell_call(&["no-such-program-here"], number, Cancel::never());
        assert!(error(&self.shell().run(call).await).contains("not found"));
    }
}

/// ruling 26: the file ends at its bound and the note says so; the command is never blocked.
#[tokio::test]
async fn the_file_is_bounded() {
    let space = Space::with_bounds(Bounds {
        whole_output: 3_000_000,
        ..Bounds::default()
    });
    let outcome = space.sh("head -c 300000000 /dev/zero | tr '\\0' z").await;
    insta::assert_snapshot!(note(output(&outcome)), @"[cut at 1048576 of 300000000 bytes; its first 3000000 bytes are outputs/plan-1/1.txt in the runtime directory, which holds no more]");
    assert_eq!(fs::metadata(file(&space)).unwrap().len(), 3_000_000);
}

/// ruling 26: a command that writes for ever costs bounded memory and ends at its bound.
#[tokio::test]
async fn an_endless_writer_costs_bounded_memory() {
    let space = Space::with_bounds(Bounds {
        wall: Duration::from_millis(700),
        grace: Duration::from_secs(5),
        whole_output: 2_000_000,
    });
    let outcome = space.sh("yes & yes >&2").await;
    let said = error(&outcome);
    assert!(
        said.starts_with("ran past its bound of 700 ms"),
        "{said:.80}"
    );
    assert!(said.len() <= 64 * 1024 && said.ends_with("y\ny"));
    assert!(output(&outcome).len() < MIB + 200);
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(
        peak < 400_000,
        "{peak} kB at the peak, with all tests beside"
    );
}

/// ruling 26: a runtime directory that is missing or full does not fail the step; the note says why.
#[tokio::test]
async fn an_output_that_cannot_be_kept_says_why() {
    let script = "head -c 1048580 /dev/zero | tr '\\0' x";
    let missing = Space::new();
    fs::remove_dir(missing.runtime()).unwrap();
    let planted = Space::new();
    symlink("/tmp", planted.runtime().join("outputs")).unwrap();
    let mut notes = String::new();
    for space in [missing, planted] {
        let outcome = space.sh(script).await;
        assert_eq!(outcome.verdict, plan_exec::Verdict::Passed);
        notes.push_str(note(output(&outcome)));
        notes.push('\n');
    }
    insta::assert_snapshot!(notes, @r"
    [cut at 1048576 of 1048580 bytes; the whole output could not be kept: No such file or directory (os error 2)]
    [cut at 1048576 of 1048580 bytes; the whole output could not be kept: Not a directory (os error 20)]
    ");
}

/// ruling 26: what is planted in the file's place is replaced, never written through.
#[tokio::test]
async fn a_planted_link_is_not_written_through() {
    let space = Space::new();
    let victim = space.write("victim", "precious");
    fs::create_dir_all(space.runtime().join("outputs/plan-1")).unwrap();
    symlink(&victim, file(&space)).unwrap();
    let outcome = space.sh("head -c 1048580 /dev/zero | tr '\\0' x").await;
    assert!(note(output(&outcome)).contains("outputs/plan-1/1.txt"));
    assert_eq!(fs::read_to_string(victim).unwrap(), "precious");
    let kept = fs::symlink_metadata(file(&space)).unwrap();
    assert!(kept.is_file() && kept.len() == 1_048_580);
}

/// ruling 26: `error` holds the end of standard error, 64 KiB at most.
#[tokio::test]
async fn an_error_is_the_end_of_standard_error() {
    let space = Space::new();
    let outcome = space.sh("seq 100000 >&2; exit 1").await;
    let said = error(&outcome);
    assert_eq!(said.len(), 64 * 1024);
    assert!(said.ends_with("\n99999\n100000"));
}

/// spec: The command: the last line of output of a running command, of both streams as they come
#[tokio::test]
async fn a_running_command_tells_its_last_line() {
    let space = Space::new();
    let line = LastLine::default();
    let script = "echo one; printf 'half a line'; mkfifo go; read x < go; echo three >&2";
    let mut call = shell_call(&["sh", "-c", script], 1, Cancel::never());
    call.last_line = Some(line.clone());
    let shell = space.shell();
    let running = tokio::spawn(async move { shell.run(call).await });
    let go = space.workdir().join("go");
    let seen = line.clone();
    let told = tokio::task::spawn_blocking(move || {
        wait_for(|| (go.exists() && seen.text() == "half a line").then_some(()));
        fs::write(go, "x\n").unwrap();
    });
    told.await.unwrap();
    assert_eq!(output(&running.await.unwrap()), "one\nhalf a line");
    assert_eq!(line.text(), "three");
}

/// spec: The command: what a tool says on standard error is watched; its answer is not
#[tokio::test]
async fn a_tool_tells_the_last_line_of_its_standard_error() {
    let space = Space::new();
    let line = LastLine::default();
    let tool = ToolProgram {
        program: "sh".into(),
        arguments: [
            "-c",
            r#"echo asking >&2; echo '{"status": "passed", "data": "x"}'"#,
        ]
        .map(Into::into)
        .into(),
    };
    let tools = ToolPrograms::new(
        space.session(),
        space.workdir(),
        [("t".into(), tool)].into(),
    );
    let mut call = tool_call("t", "{}", Cancel::never());
    call.last_line = Some(line.clone());
    let outcome = tools.unwrap().run(call).await;
    assert_eq!(output(&outcome), "x");
    assert_eq!(line.text(), "asking");
}
