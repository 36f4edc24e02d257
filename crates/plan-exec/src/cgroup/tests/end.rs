//! The end of a scope.

use std::time::Duration;

use rustix::io::Errno;

use super::{super::end, fake::Fake};

/// Makes a scope with processes in nested cgroups, as steps may make them.
fn nested() -> Fake {
    let fake = Fake::new("");
    let files = fake.files();
    for (dir, procs) in [
        ("scope", ""),
        ("scope/a", "5\n6\n"),
        ("scope/a/b", ""),
        ("scope/a/b/c", "7\n"),
    ] {
        files.make(&fake.path(dir)).unwrap();
        fake.put(&format!("{dir}/cgroup.procs"), procs);
    }
    fake
}

/// Ends the scope, which is expected to work.
fn finish(fake: &Fake) -> Result<(), String> {
    finish_within(fake, Duration::from_secs(60))
}

fn finish_within(fake: &Fake, patience: Duration) -> Result<(), String> {
    let ended = end::blocking(&fake.files(), &fake.path("scope"), patience);
    ended.map_err(|error| fake.mask(&error.to_string()))
}

/// Says why the scope cannot be ended.
fn failure(fake: &Fake) -> String {
    finish_within(fake, Duration::from_millis(30)).unwrap_err()
}

fn log(fake: &Fake) -> String {
    fake.rules().log.join("\n")
}

/// spec: What a plan may reach. Everything inside is killed at once, and its cgroups are removed, the lowest first.
#[test]
fn a_scope_is_killed_and_removed() {
    let fake = nested();
    finish(&fake).unwrap();
    assert_eq!(fake.cgroups(""), ["base"]);
    insta::assert_snapshot!(log(&fake), @"scope/cgroup.kill < 1");
}

/// spec: What a plan may reach. The same on a runtime, at the end of a plan.
#[tokio::test]
async fn a_scope_is_ended_on_a_runtime() {
    let fake = nested();
    let ended = end::waiting(&fake.files(), &fake.path("scope")).await;
    ended.unwrap();
    assert_eq!(fake.cgroups(""), ["base"]);
}

/// spec: What a plan may reach. Without `cgroup.kill` everything is stopped, killed one by one, and let go.
#[test]
fn an_old_kernel_kills_one_by_one() {
    let fake = nested();
    std::fs::remove_file(fake.path("scope/cgroup.kill")).unwrap();
    finish(&fake).unwrap();
    assert_eq!(fake.cgroups(""), ["base"]);
    insta::assert_snapshot!(log(&fake), @r"
    scope/cgroup.freeze < 1
    kill 5
    kill 6
    kill 7
    scope/cgroup.freeze < 0
    ");
}

/// spec: What a plan may reach. Neither this process nor whoever cannot be seen from here is sent a signal.
#[test]
fn nobody_else_is_killed_one_by_one() {
    let fake = nested();
    std::fs::remove_file(fake.path("scope/cgroup.kill")).unwrap();
    let procs = format!("0\n{}\n", std::process::id());
    fake.put("scope/a/cgroup.procs", &procs);
    let _said = failure(&fake);
    let kills: Vec<_> = fake
        .rules()
        .log
        .iter()
        .filter(|line| line.starts_with("kill"))
        .cloned()
        .collect();
    assert_eq!(kills, ["kill 7"]);
}

/// spec: What a plan may reach. A scope that is gone has ended.
#[test]
fn a_scope_that_is_gone_has_ended() {
    let fake = Fake::new("");
    finish(&fake).unwrap();
}

/// spec: What a plan may reach. What the kernel holds is waited for, and then told.
#[test]
fn what_does_not_die_is_told() {
    let fake = nested();
    fake.rules().stubborn.insert(7);
    let said = failure(&fake);
    insta::assert_snapshot!(said, @"killed what a plan left running, and some of `ROOT/scope` does not go");
    // It went at last.
    fake.rules().stubborn.clear();
    finish(&fake).unwrap();
}

/// spec: What a plan may reach. What cannot be killed or removed is told with the reason.
#[test]
fn what_cannot_be_done_is_told() {
    let fake = nested();
    for file in ["cgroup.kill", "a/cgroup.procs"] {
        fake.refuse(file, Errno::ACCESS);
    }
    let said = failure(&fake);
    insta::assert_snapshot!(said, @"cannot kill what a plan left running: cannot read `ROOT/scope/a/cgroup.procs`: Permission denied (os error 13)");

    for (errno, said) in [
        (Errno::ACCESS, "Permission denied"),
        (Errno::BUSY, "Device or resource busy"),
    ] {
        let fake = nested();
        fake.refuse("scope/a/b", errno);
        let error = failure(&fake);
        assert!(
            error.starts_with(&format!(
                "cannot remove the cgroup `ROOT/scope/a/b`: {said}"
            )),
            "{error}"
        );
    }
}

/// spec: What a plan may reach. Many cgroups made by a step are no reason to block for long.
#[test]
fn a_crowd_of_cgroups_is_left_when_time_is_up() {
    let fake = nested();
    fake.rules().lean = true;
    for number in 0..100 {
        let dir = fake.path(&format!("scope/a/b/{number}"));
        fake.files().make(&dir).unwrap();
    }
    let said = finish_within(&fake, Duration::ZERO).unwrap_err();
    insta::assert_snapshot!(said, @"could not remove all cgroups below `ROOT/scope` in time");
    finish(&fake).unwrap();
}
