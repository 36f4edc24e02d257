//! Scopes and their leaves.

use std::time::Duration;

use rustix::{fd::AsFd, io::Errno};

use super::{
    super::{
        base::Base,
        candidate,
        counts::{Counts, ScopeCounts},
        limits::ScopeLimits,
        scope::Scope,
    },
    fake::Fake,
};

const ALL: &str = "cpu io memory pids";

async fn full(fake: &Fake) -> Base {
    let patience = Duration::from_secs(60);
    candidate::full(&fake.files(), &fake.hierarchy(), patience)
        .await
        .unwrap()
}

async fn lesser(fake: &Fake) -> Base {
    candidate::lesser(&fake.files(), &fake.hierarchy(), Duration::ZERO)
        .await
        .unwrap()
}

fn create(base: &Base, fake: &Fake) -> Scope {
    Scope::create(base, "p", &ScopeLimits::default(), &fake.path("")).unwrap()
}

/// Returns the path of a scope's file below the fake's root.
fn inside(scope: &Scope, file: &str) -> String {
    let name = scope.dir().file_name().unwrap().to_str().unwrap();
    format!("base/{name}/{file}")
}

/// spec: What a plan may reach. A scope is named for its plan and holds the limits, by default those of the
/// manifest.
#[tokio::test]
async fn a_scope_holds_the_limits() {
    let fake = Fake::new(ALL);
    let base = full(&fake).await;
    let scope = create(&base, &fake);
    for (file, value) in [
        ("memory.max", "4294967296"),
        ("memory.swap.max", "0"),
        ("pids.max", "256"),
        ("cpu.max", "200000 100000"),
        ("cgroup.max.depth", "12"),
        ("cgroup.max.descendants", "4096"),
        ("cgroup.subtree_control", "memory pids cpu io"),
    ] {
        assert_eq!(fake.text(&inside(&scope, file)), value, "{file}");
    }
    let limits = ScopeLimits {
        memory_bytes: u64::MAX,
        pids: u64::MAX,
        cpu_percent: 1,
        io_bytes_per_sec: 1,
    };
    let other = Scope::create(&base, "p", &limits, &fake.path("")).unwrap();
    assert_ne!(scope.dir(), other.dir(), "two runs of one plan");
    for (file, value) in [
        ("memory.max", "18446744073709551615"),
        ("pids.max", "max"),
        ("cpu.max", "1000 100000"),
    ] {
        assert_eq!(fake.text(&inside(&other, file)), value, "{file}");
    }
}

/// spec: What a plan may reach. A scope that cannot be bounded as required is none, and nothing is left of it.
#[tokio::test]
async fn a_scope_that_cannot_be_bounded_is_none() {
    for file in ["memory.max", "memory.swap.max", "pids.max", "cpu.max"] {
        let fake = Fake::new(ALL);
        let base = full(&fake).await;
        fake.refuse(file, Errno::INVAL);
        let limits = ScopeLimits::default();
        let error = Scope::create(&base, "p", &limits, &fake.path("")).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains(&format!("/{file}`: Invalid argument")),
            "{error}"
        );
        assert_eq!(fake.cgroups("base"), ["murmur-supervisor"]);
    }
}

/// spec: What a plan may reach. The limit on swap is set where there is swap.
#[tokio::test]
async fn a_kernel_without_swap_is_bounded_all_the_same() {
    let fake = Fake::new(ALL);
    let base = full(&fake).await;
    fake.rules().absent.insert("memory.swap.max");
    let scope = create(&base, &fake);
    assert!(
        scope
            .slack()
            .iter()
            .all(|slack| slack.controller.name() == "io")
    );
}

/// spec: What a plan may reach. Best effort goes without what cannot be limited, and says what.
#[tokio::test]
async fn best_effort_says_which_ceilings_do_not_hold() {
    let said = |scope: &Scope| {
        let slack = scope.slack().iter();
        let lines = slack.map(|slack| format!("{}: {}", slack.controller.name(), slack.cause));
        lines.collect::<Vec<_>>().join("\n")
    };
    let fake = Fake::new("hugetlb");
    let scope = create(&lesser(&fake).await, &fake);
    insta::assert_snapshot!(said(&scope), @r"
    memory: the controller `memory` is not to be had
    pids: the controller `pids` is not to be had
    cpu: the controller `cpu` is not to be had
    io: the controller `io` is not to be had
    ");

    let fake = Fake::new("memory pids cpu");
    fake.put("base/cgroup.procs", "");
    let base = lesser(&fake).await;
    fake.refuse("pids.max", Errno::INVAL);
    let scope = create(&base, &fake);
    let said = said(&scope).replace(&scope.dir().display().to_string(), "SCOPE");
    insta::assert_snapshot!(said, @r"
    pids: cannot write `256` to `SCOPE/pids.max`: Invalid argument (os error 22)
    io: the controller `io` is not to be had
    ");
}

/// spec: What a plan may reach. A scope left behind under the same name is not taken for the new one.
#[tokio::test]
async fn a_name_that_is_taken_is_passed_over() {
    let fake = Fake::new(ALL);
    let base = full(&fake).await;
    let first = create(&base, &fake);
    let (name, serial) = first.dir().to_str().unwrap().rsplit_once('-').unwrap();
    // Other tests count as well: take all numbers that may come next.
    let taken = (1..=30).map(|next| format!("{name}-{}", serial.parse::<u64>().unwrap() + next));
    let taken: Vec<_> = taken.collect();
    for dir in &taken {
        std::fs::create_dir(dir).unwrap();
    }
    let second = create(&base, &fake);
    assert!(!taken.contains(&second.dir().display().to_string()));
}

/// spec: What a plan may reach. Every attempt has a leaf, whose counters are its own.
#[tokio::test]
async fn a_leaf_counts_for_its_attempt() {
    let fake = Fake::new(ALL);
    let scope = create(&full(&fake).await, &fake);
    let leaf = scope.leaf(3, 2).unwrap();
    assert_eq!(leaf.counts(), Counts::default());
    rustix::io::write(leaf.procs(), b"77\n").unwrap();
    assert_eq!(fake.text(&inside(&scope, "s3-a2/cgroup.procs")), "77\n");
    let flags = rustix::io::fcntl_getfd(leaf.procs().as_fd()).unwrap();
    assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));

    for (file, text) in [
        ("s3-a2/memory.events", "low 0\noom_kill 2\n"),
        ("s3-a2/pids.events", "max 9\n"),
        ("s3-a2/pids.peak", "41\n"),
        ("memory.events", "oom 8\n"),
        ("memory.events.local", "oom 7\n"),
        ("pids.events", "max 6\n"),
        ("pids.events.local", "max 5\n"),
        ("pids.peak", "256\n"),
    ] {
        fake.put(&inside(&scope, file), text);
    }
    let counts = Counts {
        oom_kills: 2,
        forks_refused: 9,
        pids_peak: Some(41),
        cpu_usec: None,
    };
    assert_eq!(leaf.counts(), counts);
    let mut counts = ScopeCounts {
        memory_exhausted: 7,
        forks_refused: 5,
        pids_peak: Some(256),
    };
    assert_eq!(scope.counts(), counts);

    // Linux before 6.11, and before 5.3.
    for file in ["pids.events.local", "memory.events.local"] {
        std::fs::remove_file(scope.dir().join(file)).unwrap();
    }
    counts.memory_exhausted = 8;
    counts.forks_refused = 6;
    assert_eq!(scope.counts(), counts);

    leaf.kill();
}

/// ruling 34. A leaf is removed with its attempt when nobody is left inside, and else stays until the plan ends.
#[tokio::test]
async fn a_leaf_stays_while_somebody_is_inside() {
    let fake = Fake::new(ALL);
    let scope = create(&full(&fake).await, &fake);
    let leaves = |scope: &Scope| fake.cgroups(&inside(scope, ""));
    drop(scope.leaf(0, 1).unwrap());
    drop(scope.leaf(1, 1).unwrap());
    assert!(leaves(&scope).is_empty());

    let left = scope.leaf(2, 1).unwrap();
    fake.put(&inside(&scope, "s2-a1/cgroup.procs"), "5\n");
    drop(left);
    assert_eq!(leaves(&scope), ["s2-a1"]);
    scope.end().await.unwrap();
    assert_eq!(fake.cgroups("base"), ["murmur-supervisor"]);
}

/// ruling 34. Thousands of steps that leave something running for a moment do not leave thousands of directories.
#[tokio::test]
async fn leaves_that_empty_later_are_removed_before_the_end() {
    let fake = Fake::new(ALL);
    let scope = create(&full(&fake).await, &fake);
    // Of the leaves nothing is needed but this.
    fake.rules().lean = true;
    let mut most = 0;
    for step in 0..100 {
        let leaf = scope.leaf(step, 1).unwrap();
        fake.put(&inside(&scope, &format!("s{step}-a1/cgroup.procs")), "5\n");
        drop(leaf);
        if let Some(before) = step.checked_sub(1) {
            fake.put(&inside(&scope, &format!("s{before}-a1/cgroup.procs")), "");
        }
        most = most.max(fake.cgroups(&inside(&scope, "")).len());
    }
    assert!((50..=70).contains(&most), "{most}");
}

/// spec: What a plan may reach. A leaf that cannot be entered is no leaf, and is not left behind.
#[tokio::test]
async fn a_leaf_that_cannot_be_entered_is_none() {
    let fake = Fake::new(ALL);
    let scope = create(&full(&fake).await, &fake);
    fake.refuse("s0-a1/cgroup.procs", Errno::ACCESS);
    let error = scope.leaf(0, 1).unwrap_err().to_string();
    assert!(error.starts_with("cannot open `"), "{error}");
    assert!(fake.cgroups(&inside(&scope, "")).is_empty());
}

/// spec: What a plan may reach. A scope that nobody ends is ended with whoever held it.
#[tokio::test]
async fn a_dropped_scope_is_ended() {
    let fake = Fake::new(ALL);
    let scope = create(&full(&fake).await, &fake);
    let leaf = scope.leaf(0, 1).unwrap();
    fake.put(&inside(&scope, "s0-a1/cgroup.procs"), "5\n");
    drop(scope);
    assert_eq!(fake.cgroups("base"), ["murmur-supervisor"]);
    leaf.kill();
    drop(leaf);
}
