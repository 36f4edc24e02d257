//! Landlock and read-only mounts around a step.

use std::fs;

use libtest_mimic::Trial;
use plan_exec::ShellExecutor as _;

use crate::{
    ability::{Found, trial},
    place::{Place, alone, call},
    role,
};

pub(crate) fn trials(found: &Found) -> Vec<Trial> {
    let Found {
        landlock,
        mounts,
        user,
    } = found;
    vec![
        trial(
            "landlock_holds_writes_to_the_workdir_home_and_tmp",
            &[landlock],
            landlock_holds_writes,
        ),
        trial(
            "landlock_leaves_reading_executing_and_devices_alone",
            &[landlock],
            landlock_leaves_the_rest_alone,
        ),
        trial(
            "mounts_protect_a_subtree_of_the_workdir",
            &[mounts],
            mounts_protect_a_subtree,
        ),
        trial(
            "mounts_leave_islands_writable",
            &[mounts],
            mounts_leave_islands,
        ),
        trial(
            "mounts_do_not_show_on_the_host",
            &[mounts],
            mounts_do_not_show,
        ),
        trial(
            "both_together_hold_and_cannot_be_undone",
            &[landlock, mounts],
            both_hold_for_this_user,
        ),
        trial(
            "both_together_hold_for_an_ordinary_user",
            &[landlock, mounts, user],
            both_hold_for_an_ordinary_user,
        ),
        trial(
            "a_supervised_step_stands_behind_the_same_walls",
            &[landlock, mounts],
            supervised_steps_have_walls,
        ),
    ]
}

/// spec: What a plan may reach: a command writes the workdir, its `home/` and `tmp/`, and nothing else.
fn landlock_holds_writes() {
    let place = Place::new();
    let table = place.table(
        &place.confinement(true, false),
        &[
            "echo x > new",
            "mkdir d; mv src/c d/c",
            "ln d/c src/c; ln -s /etc/passwd link",
            "rm -r d link; mkfifo fifo; truncate -s 0 src/c",
            "echo x > ../records/home/x",
            "echo x > ../records/tmp/x",
            "echo x > ../outside",
            "echo x >> ../outside",
            "truncate -s 0 ../outside",
            "rm ../outside",
            "mv ../outside .",
            "mv new ../new",
            "ln ../outside stolen",
            "mkdir ../d",
            "ln -s x ../link",
            "mknod ../fifo p",
            "mknod disk b 1 0",
            "mknod zero c 1 5",
            "echo x > ../records/trace.jsonl",
            "echo x > ../runtime/plans/plan-1.json",
            "ln -s ../outside way; echo x > way",
            "sh -c 'setsid sh -c \"echo x > ../outside\"'",
            "dd if=/dev/zero of=../outside count=1 2>&1; tail -n1 ../outside",
        ],
    );
    insta::assert_snapshot!(table, @r#"
    echo x > new                                 ok
    mkdir d; mv src/c d/c                        ok
    ln d/c src/c; ln -s /etc/passwd link         ok
    rm -r d link; mkfifo fifo; truncate -s 0 src/c ok
    echo x > ../records/home/x                   ok
    echo x > ../records/tmp/x                    ok
    echo x > ../outside                          Permission denied
    echo x >> ../outside                         Permission denied
    truncate -s 0 ../outside                     Permission denied
    rm ../outside                                Permission denied
    mv ../outside .                              Permission denied
    mv new ../new                                Permission denied
    ln ../outside stolen                         Invalid cross-device link
    mkdir ../d                                   Permission denied
    ln -s x ../link                              Permission denied
    mknod ../fifo p                              Permission denied
    mknod disk b 1 0                             Permission denied
    mknod zero c 1 5                             Permission denied
    echo x > ../records/trace.jsonl              Permission denied
    echo x > ../runtime/plans/plan-1.json        Permission denied
    ln -s ../outside way; echo x > way           Permission denied
    sh -c 'setsid sh -c "echo x > ../outside"'   Permission denied
    dd if=/dev/zero of=../outside count=1 2>&1; tail -n1 ../outside as it was
    "#);
}

/// spec: What a plan may reach: it reads and executes as before, and writes the standard devices.
fn landlock_leaves_the_rest_alone() {
    let place = Place::new();
    let table = place.table(
        &place.confinement(true, false),
        &[
            "cat ../outside",
            "cat ../runtime/plans/plan-1.json",
            "/bin/true",
            "ls / > /dev/null",
            "echo x > /dev/null; echo x >> /dev/zero",
            "(echo x > /dev/full) 2> /dev/null || echo full",
            "echo x > /dev/stdout",
            "echo x > /dev/stderr",
            "printf '#!/bin/sh\\necho ran\\n' > s; chmod +x s; ./s",
            "chmod 600 ../outside; echo $?",
        ],
    );
    insta::assert_snapshot!(table, @r"
    cat ../outside                               as it was
    cat ../runtime/plans/plan-1.json             as it was
    /bin/true                                    ok
    ls / > /dev/null                             ok
    echo x > /dev/null; echo x >> /dev/zero      ok
    (echo x > /dev/full) 2> /dev/null || echo full full
    echo x > /dev/stdout                         x
    echo x > /dev/stderr                         ok
    printf '#!/bin/sh\necho ran\n' > s; chmod +x s; ./s ran
    chmod 600 ../outside; echo $?                0
    ");
}

/// spec: What a plan may reach: a protected subtree is read-only to the command itself, and cannot be moved away.
fn mounts_protect_a_subtree() {
    let place = Place::new();
    let table = place.table(
        &place.confinement(false, true),
        &[
            "cat tests/a",
            "echo x > tests/a",
            "echo x > tests/deep/b",
            "echo x > tests/new",
            "rm tests/a",
            "chmod 777 tests/a",
            "mv tests elsewhere",
            "mv tests/a .",
            "rm -rf tests/deep",
            "ln tests/a hard",
            "echo x > locked",
            "mv locked elsewhere",
            "rm locked",
            "cp src/c copy; mv copy locked",
            "echo x > new; mkdir d; mv src/c d/c",
            "mkdir nowhere; echo x > nowhere/x",
            "echo x > ../runtime/plans/plan-1.json",
            "ln -s tests/a way; echo x > way",
            "cd tests; echo x > ../tests/./a",
            "echo x > ../outside",
        ],
    );
    insta::assert_snapshot!(table, @r"
    cat tests/a                                  as it was
    echo x > tests/a                             Read-only file system
    echo x > tests/deep/b                        Read-only file system
    echo x > tests/new                           Read-only file system
    rm tests/a                                   Read-only file system
    chmod 777 tests/a                            Read-only file system
    mv tests elsewhere                           Device or resource busy
    mv tests/a .                                 Read-only file system
    rm -rf tests/deep                            Read-only file system
    ln tests/a hard                              Invalid cross-device link
    echo x > locked                              Read-only file system
    mv locked elsewhere                          Device or resource busy
    rm locked                                    Device or resource busy
    cp src/c copy; mv copy locked                Device or resource busy
    echo x > new; mkdir d; mv src/c d/c          ok
    mkdir nowhere; echo x > nowhere/x            ok
    echo x > ../runtime/plans/plan-1.json        Read-only file system
    ln -s tests/a way; echo x > way              Read-only file system
    cd tests; echo x > ../tests/./a              Read-only file system
    echo x > ../outside                          ok
    ");
    let kept = ["workdir/tests/a", "workdir/tests/deep/b", "workdir/locked"];
    for file in kept {
        let text = fs::read_to_string(place.root().join(file)).unwrap();
        assert_eq!(text, "as it was\n", "{file}");
    }
}

/// spec: What a plan may reach: `home/` and `tmp/` stay writable inside of records that are not.
fn mounts_leave_islands() {
    let place = Place::new();
    let table = place.table(
        &place.confinement(false, true),
        &[
            "echo x > ../records/home/x; cat ../records/home/x",
            "mkdir ../records/tmp/d; echo x > ../records/tmp/d/x",
            "echo x > ../records/trace.jsonl",
            "mv ../records/home ../records/away",
            "rm -r ../records/tmp",
        ],
    );
    insta::assert_snapshot!(table, @r"
    echo x > ../records/home/x; cat ../records/home/x x
    mkdir ../records/tmp/d; echo x > ../records/tmp/d/x ok
    echo x > ../records/trace.jsonl              Read-only file system
    mv ../records/home ../records/away           Read-only file system
    rm -r ../records/tmp                         Read-only file system
    ");
    assert!(place.root().join("records/home/x").exists());
}

/// spec: What a plan may reach: this process and everybody else see no mount and write as before.
fn mounts_do_not_show() {
    let place = Place::new();
    let mounts = || {
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let own = place.root().to_string_lossy().into_owned();
        mounts.lines().filter(|line| line.contains(&own)).count()
    };
    let session = place.session(place.confinement(false, true));
    let shell = plan_exec::ShellCommands::new(session.into());
    let script =
        "echo > begun; while [ ! -e go ]; do sleep 0.01; done; grep -c $PWD /proc/self/mountinfo";
    let (outcome, seen) = alone(async {
        let run = shell.run(call(script));
        let meanwhile = async {
            while !place.workdir().join("begun").exists() {
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
            let seen = mounts();
            fs::write(place.workdir().join("tests/a"), "changed\n").unwrap();
            fs::write(place.workdir().join("go"), "").unwrap();
            seen
        };
        tokio::join!(run, meanwhile)
    });
    assert_eq!(seen, 0);
    assert_eq!(outcome.output.unwrap(), "2\n", "tests and locked");
    assert_eq!(mounts(), 0);
}

/// Runs what both together hold back, undoing it included. The answers do not depend on who asks.
pub(crate) fn both(place: &Place) -> String {
    place.table(
        &place.confinement(true, true),
        &[
            "cat tests/a ../runtime/plans/plan-1.json",
            "echo x > tests/a",
            "mv tests elsewhere",
            "echo x > ../runtime/plans/plan-1.json",
            "rm ../runtime/plans/plan-1.json",
            "echo x > ../outside",
            "echo x > ../records/trace.jsonl",
            "echo x > ../records/home/x; mkdir -p d; mv src/c d/c; mv d/c src/c",
            "umount tests > /dev/null 2>&1; echo x > tests/a",
            "mount -o remount,bind,rw tests > /dev/null 2>&1; echo x > tests/a",
            "unshare -rm umount tests > /dev/null 2>&1; echo x > tests/a",
            "unshare -rm sh -c 'umount tests; mount -o remount,bind,rw tests; echo x > tests/a' 2>&1",
            "echo x > /proc/$PPID/root$PWD/tests/a",
            "echo x > /proc/$PPID/cwd$PWD/tests/a",
            "grep NoNewPrivs /proc/self/status",
            "ulimit -c; id -u > /dev/null",
        ],
    )
}

/// spec: What a plan may reach: an interpreter's own `open` fails, and no mount can be changed from inside.
fn both_hold_for_this_user() {
    insta::assert_snapshot!(both(&Place::new()), @r"
    cat tests/a ../runtime/plans/plan-1.json     as it was
    echo x > tests/a                             Read-only file system
    mv tests elsewhere                           Device or resource busy
    echo x > ../runtime/plans/plan-1.json        Read-only file system
    rm ../runtime/plans/plan-1.json              Read-only file system
    echo x > ../outside                          Permission denied
    echo x > ../records/trace.jsonl              Read-only file system
    echo x > ../records/home/x; mkdir -p d; mv src/c d/c; mv d/c src/c ok
    umount tests > /dev/null 2>&1; echo x > tests/a Read-only file system
    mount -o remount,bind,rw tests > /dev/null 2>&1; echo x > tests/a Read-only file system
    unshare -rm umount tests > /dev/null 2>&1; echo x > tests/a Read-only file system
    unshare -rm sh -c 'umount tests; mount -o remount,bind,rw tests; echo x > tests/a' 2>&1 exit code 1
    echo x > /proc/$PPID/root$PWD/tests/a        Permission denied
    echo x > /proc/$PPID/cwd$PWD/tests/a         Permission denied
    grep NoNewPrivs /proc/self/status            NoNewPrivs:	1
    ulimit -c; id -u > /dev/null                 0
    ");
}

/// spec: What a plan may reach: the same for an ordinary user, through a user namespace.
fn both_hold_for_an_ordinary_user() {
    let mine = both(&Place::new());
    let place = Place::new();
    assert_eq!(role::as_user("walls", &place.root()).unwrap(), mine);
}

/// spec: What a plan may reach: a launcher that stays changes nothing about the walls.
fn supervised_steps_have_walls() {
    let mine = both(&Place::new());
    let place = Place::new();
    let mut confinement = place.confinement(true, true);
    confinement.supervised = true;
    let table = place.table(&confinement, &["echo x > tests/a", "echo x > ../outside"]);
    let first = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| {
            line.starts_with("echo x > tests/a ") || line.starts_with("echo x > ../outside ")
        });
        lines.map(str::to_owned).collect()
    };
    assert_eq!(first(&table), first(&mine));
    assert_eq!(first(&table).len(), 2);
}
