//! A launcher that stays with its step and holds what leaves the step's group, where no cgroup can.

use std::{fs, time::Duration};

use plan_exec::{Bounds, Cancel, CancelHandle, Confinement, ShellExecutor};

use crate::{
    launch::{bare, confined, confined_within},
    space::{Space, error, is_alive, output, shell_call, shown, wait_for},
};

fn supervised() -> Space {
    confined(Confinement {
        supervised: true,
        ..bare()
    })
}

/// spec: Shell steps: exits, signals and failures come out the same through a supervisor.
#[tokio::test]
async fn a_supervised_step_comes_out_like_a_plain_one() {
    let spaces = [Space::new(), supervised()];
    for words in [
        &["./nowhere"][..],
        &["sh", "-c", "printf out; echo err >&2; exit 3"],
        &["sh", "-c", "printf out"],
        &["sh", "-c", "exit 255"],
        &["sh", "-c", "kill -TERM $$"],
        &["sh", "-c", "kill -34 $$"],
        &[
            "sh",
            "-c",
            "umask; cat; echo $0; ulimit -c unlimited || :",
            "name",
        ],
        &["env"],
    ] {
        let plain = spaces[0].run(words).await;
        let launched = spaces[1].run(words).await;
        let own = |space: &Space, text: String| {
            let root = space.workdir().parent().unwrap().display().to_string();
            text.replace(&root, "<root>")
        };
        assert_eq!(
            own(&spaces[1], shown(&launched)),
            own(&spaces[0], shown(&plain)),
            "{words:?}"
        );
    }
    let input = format!("\"{}\"", "x".repeat(1 << 20));
    assert_eq!(
        shown(&spaces[1].tool("wc -c", &input).await),
        shown(&spaces[0].tool("wc -c", &input).await)
    );
}

/// ruling 34: a supervised program leads a group of its own, with its streams, no signal blocked and none ignored.
#[tokio::test]
async fn a_supervised_step_has_its_streams_and_nothing_else() {
    let space = supervised();
    let place = space
        .sh("ps -o pgid= -p $$; echo $$; ls -x /proc/$$/fd; cat /proc/self/status")
        .await;
    let lines: Vec<&str> = output(&place).lines().map(str::trim).collect();
    assert_eq!(lines[0], lines[1], "it leads its group");
    assert_eq!(lines[2], "0  1  2");
    for set in ["SigBlk:", "SigIgn:", "SigCgt:"] {
        let mask = lines.iter().find_map(|line| line.strip_prefix(set));
        assert_eq!(mask.unwrap().trim(), "0000000000000000", "{set}");
    }
}

/// decision: a supervisor holds a socket and nothing else of anybody's, and stands in a group of its own.
#[tokio::test]
async fn a_supervisor_holds_its_socket_alone() {
    let space = supervised();
    let seen = space
        .sh(
            "echo $PPID; ps -o pgid= -p $PPID; readlink /proc/$PPID/cwd; \
             for fd in /proc/$PPID/fd/*; do readlink $fd; done",
        )
        .await;
    let lines: Vec<&str> = output(&seen).lines().map(str::trim).collect();
    assert_eq!(
        lines[0], lines[1],
        "it leads a group that is not the step's"
    );
    assert_eq!(&lines[2..6], ["/", "/dev/null", "/dev/null", "/dev/null"]);
    let rest: Vec<&str> = lines[6..]
        .iter()
        .map(|link| link.split_once(':').unwrap().0)
        .collect();
    // The socket to the runtime, and what tells it of exits.
    assert_eq!(rest, ["socket", "anon_inode"]);
}

/// Waits until the supervisor has told of the start: what it was told by is closed then.
const SETTLED: &str = "while [ $(ls /proc/$PPID/fd | wc -l) -gt 5 ]; do :; done";

/// Leaves daemons behind: one by `setsid`, one by a double fork into a session of its own that ignores what can be
/// ignored. Their ids are in `one` and `two`.
const DAEMONS: &str = "\
    setsid sh -c 'echo $$ > one; exec sleep 1000' > /dev/null 2>&1 & \
    (setsid sh -c 'setsid sh -c \"trap : TERM HUP INT; echo \\$\\$ > two; while :; do sleep 1000; done\" & ' \
        > /dev/null 2>&1 &) ; \
    while [ ! -s one ] || [ ! -s two ]; do sleep 0.01; done";

/// Marks every process of a script, so that all of them can be found wherever they are.
fn marked(space: &Space, script: &str) -> String {
    format!("MARK={} exec sh -c '{script}'", space.workdir().display())
}

/// Returns how many live processes carry the mark of a space in their environment.
fn living(space: &Space) -> usize {
    let mark = format!("MARK={}\0", space.workdir().display());
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let environment = fs::read(path.join("environ")).ok()?;
            let carries = environment
                .windows(mark.len())
                .any(|window| window == mark.as_bytes());
            (carries && is_alive(path.file_name()?.to_str()?)).then_some(())
        })
        .count()
}

/// ruling 34: what left its group serves later steps, and is gone when the plan has ended.
#[tokio::test]
async fn a_daemon_lives_until_the_plan_ends_and_no_longer() {
    let space = supervised();
    assert_eq!(shown(&space.sh(DAEMONS).await), r#"passed, output """#);
    let daemons = [space.line_of("one"), space.line_of("two")];
    assert_eq!(shown(&space.sh("true").await), r#"passed, output """#);
    assert!(daemons.iter().all(|pid| is_alive(pid)));
    space.session().end_plan(1).await.unwrap();
    assert!(!daemons.iter().any(|pid| is_alive(pid)));
}

/// ruling 34: a session that is dropped ends what left its group as well.
#[tokio::test]
async fn a_dropped_session_ends_daemons() {
    let mut space = supervised();
    assert_eq!(shown(&space.sh(DAEMONS).await), r#"passed, output """#);
    let daemons = [space.line_of("one"), space.line_of("two")];
    drop(space.session.take());
    wait_for(|| (!daemons.iter().any(|pid| is_alive(pid))).then_some(()));
}

/// ruling 34: programs that fork without end, in groups and sessions of their own, are gone with their plan.
#[tokio::test]
async fn fork_loops_are_gone_when_the_plan_has_ended() {
    for script in [
        // One that is always another process, each in a session of its own.
        "f() { setsid sh -c \"$F\" & }; export F=\"setsid sh -c \\\"\\$F\\\" & exit\"; f; sleep 0.1",
        // A crowd that replaces whoever dies, as long as one of them is left.
        "export F=\"while :; do (setsid sleep 0.02 &); (sleep 0.02 &); done\"; \
         for i in 1 2 3 4; do setsid sh -c \"$F\" & done; sleep 0.1",
        // A long chain of parents.
        "export F=\"n=\\$((n+1)); export n; [ \\$n -lt 60 ] && sh -c \\\"\\$F\\\" & sleep 1000\"; \
         export n=0; setsid sh -c \"$F\" & sleep 0.3",
    ] {
        let space = supervised();
        let script = marked(&space, script);
        let outcome = space
            .run(&["sh", "-c", &format!("{script} > /dev/null 2>&1")])
            .await;
        assert_eq!(shown(&outcome), r#"passed, output """#);
        // What is never the same process for long is missed by a look now and then.
        wait_for(|| (living(&space) > 0).then_some(()));
        space.session().end_plan(1).await.unwrap();
        for _ in 0..20 {
            assert_eq!(living(&space), 0, "{script}");
        }
    }
}

/// ruling 33: past its bound a supervised step is asked to end, and what ignores that is killed, daemons too.
#[tokio::test]
async fn a_supervised_step_past_its_bound_is_ended() {
    let bounds = Bounds {
        wall: Duration::from_millis(1500),
        grace: Duration::from_millis(300),
        ..Bounds::default()
    };
    let space = confined_within(
        bounds,
        Confinement {
            supervised: true,
            ..bare()
        },
    );
    let asked = space
        .sh("trap 'echo asked; exit 0' TERM; while :; do sleep 0.02; done")
        .await;
    assert!(
        error(&asked).starts_with("ran past its bound of 1500 ms"),
        "{asked:?}"
    );
    assert_eq!(output(&asked), "asked\n");

    let script = format!("{DAEMONS}; trap '' TERM; while :; do sleep 0.02; done");
    let killed = space.sh(&script).await;
    assert!(
        error(&killed).starts_with("ran past its bound of 1500 ms"),
        "{killed:?}"
    );
    for pid in [space.line_of("one"), space.line_of("two")] {
        wait_for(|| (!is_alive(&pid)).then_some(()));
    }
}

/// ruling 27: a repeated cancel kills a supervised step and its daemons at once, even one that has stopped its
/// supervisor.
#[tokio::test]
async fn a_repeated_cancel_reaches_everything_below_a_supervisor() {
    let space = supervised();
    let (handle, cancel) = CancelHandle::new();
    let script = format!("{DAEMONS}; kill -STOP $PPID; echo > begun; sleep 1000");
    let shell = space.shell();
    let run = shell.run(shell_call(&["sh", "-c", &script], 1, cancel));
    let killed = async {
        while !space.workdir().join("begun").exists() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        handle.kill();
    };
    let (outcome, ()) = tokio::join!(run, killed);
    assert_eq!(
        error(&outcome),
        "was killed: a repeated cancel ends everything that still runs"
    );
    for pid in [space.line_of("one"), space.line_of("two")] {
        wait_for(|| (!is_alive(&pid)).then_some(()));
    }
}

/// ruling 34: a supervised step nobody waits for any more is killed at once.
#[tokio::test]
async fn a_dropped_supervised_run_is_killed() {
    let space = supervised();
    let shell = space.shell();
    let script = format!("{DAEMONS}; echo $$ > pid; sleep 1000 & wait");
    let run = shell.run(shell_call(&["sh", "-c", &script], 1, Cancel::never()));
    let runs = async {
        while !space.workdir().join("pid").exists() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::select! {
        outcome = run => panic!("ended by itself: {outcome:?}"),
        () = runs => {}
    }
    for pid in ["pid", "one", "two"] {
        let pid = space.line_of(pid);
        wait_for(|| (!is_alive(&pid)).then_some(()));
    }
}

/// decision: a step that kills its supervisor goes with it, and fails saying that nobody knows how it ended.
#[tokio::test]
async fn a_step_that_kills_its_supervisor_goes_with_it() {
    let space = supervised();
    let outcome = space
        .sh(&format!(
            "echo $$ > pid; {SETTLED}; kill -9 $PPID; exec sleep 1000"
        ))
        .await;
    assert_eq!(
        error(&outcome),
        "its exit status is unknown: what watched over it was killed"
    );
    let pid = space.line_of("pid");
    wait_for(|| (!is_alive(&pid)).then_some(()));
}

/// ruling 34: supervisors go by themselves once nothing is left below them, and are reaped.
#[tokio::test]
async fn supervisors_do_not_pile_up() {
    let space = supervised();
    for _ in 0..20 {
        let parent = space.sh("echo $PPID").await;
        let parent = output(&parent).trim().to_owned();
        wait_for(|| (!is_alive(&parent)).then_some(()));
    }
    let parent = output(&space.sh("echo $PPID").await).trim().to_owned();
    space.session().end_plan(1).await.unwrap();
    assert!(!std::path::Path::new("/proc").join(parent).exists());
}
