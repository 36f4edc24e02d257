//! Where the hierarchy is, read from the text of `/proc`.

use std::path::Path;

use super::super::mount::{Hierarchy, NoHierarchy};

fn locate(mountinfo: &str, cgroup: &str) -> String {
    shown(Hierarchy::locate(
        mountinfo.as_bytes(),
        cgroup.as_bytes(),
        |_| true,
    ))
}

fn shown(found: Result<Hierarchy, NoHierarchy>) -> String {
    match found {
        Ok(found) => format!(
            "{} at {}{}",
            found.own.display(),
            found.mount.display(),
            if found.held_by_v1.is_empty() {
                String::new()
            } else {
                format!(", v1 has {}", found.held_by_v1.join(" "))
            }
        ),
        Err(error) => error.to_string(),
    }
}

const UNIFIED: &str = "\
30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot\n";

/// spec: What a plan may reach. The plain case: one mount, and a cgroup somewhere below it.
#[test]
fn a_cgroup_is_found_below_the_mount() {
    assert_eq!(
        locate(UNIFIED, "0::/user.slice/user-1000.slice/session-2.scope\n"),
        "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope at /sys/fs/cgroup"
    );
    assert_eq!(
        locate(UNIFIED, "0::/\n"),
        "/sys/fs/cgroup at /sys/fs/cgroup"
    );
}

/// spec: What a plan may reach. On a hybrid host version 2 is mounted beside version 1, which has controllers.
#[test]
fn a_hybrid_host_is_understood() {
    let mounts = "\
31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";
    let cgroups = "9:name=systemd:/x\n4:memory:/x\n1:cpu,cpuacct:/\n0::/y\n";
    assert_eq!(
        locate(mounts, cgroups),
        "/sys/fs/cgroup/unified/y at /sys/fs/cgroup/unified, v1 has name=systemd memory cpu cpuacct"
    );
}

/// spec: What a plan may reach. A mount may show a part of the hierarchy: names are relative to its root.
#[test]
fn the_root_of_a_mount_is_taken_off_the_name() {
    let part = "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
    assert_eq!(
        locate(part, "0::/docker/abc\n"),
        "/sys/fs/cgroup at /sys/fs/cgroup"
    );
    assert_eq!(
        locate(part, "0::/docker/abc/x\n"),
        "/sys/fs/cgroup/x at /sys/fs/cgroup"
    );
    for outside in [
        "/docker/abcd",
        "/docker",
        "/",
        "/../docker/abc",
        "/docker/abc/../x",
    ] {
        assert_eq!(
            locate(part, &format!("0::{outside}\n")),
            format!(
                "cgroup v2 is mounted at `/sys/fs/cgroup`, which does not show this process's own cgroup `{outside}`"
            )
        );
    }
}

/// spec: What a plan may reach. Of several mounts the one that shows this process's cgroup is taken, the last of
/// them if many do.
#[test]
fn of_several_mounts_one_that_shows_us_is_taken() {
    let mounts = "\
30 23 0:26 / /first rw - cgroup2 cgroup2 rw
31 23 0:26 /elsewhere /second rw - cgroup2 cgroup2 rw
32 23 0:26 / /third\\040with\\134blanks rw - cgroup2 cgroup2 rw
33 23 0:26 /elsewhere /fourth rw - cgroup2 cgroup2 rw
";
    assert_eq!(
        locate(mounts, "0::/a\n"),
        "/third with\\blanks/a at /third with\\blanks"
    );
    let hidden = |dir: &Path| !dir.starts_with("/third with\\blanks");
    let found = Hierarchy::locate(mounts.as_bytes(), b"0::/a\n", hidden);
    assert_eq!(shown(found), "/first/a at /first");
    let found = Hierarchy::locate(mounts.as_bytes(), b"0::/a\n", |_| false);
    assert_eq!(
        shown(found),
        "cgroup v2 is mounted at `/fourth`, `/third with\\blanks`, `/second`, `/first`, which does not show this \
         process's own cgroup `/a`"
    );
}

/// spec: What a plan may reach. A cgroup that was removed under its process is none to work in.
#[test]
fn a_removed_cgroup_is_not_found() {
    let found = Hierarchy::locate(UNIFIED.as_bytes(), b"0::/gone (deleted)\n", |dir| {
        !dir.ends_with("gone (deleted)")
    });
    assert!(shown(found).ends_with("own cgroup `/gone (deleted)`"));
}

/// spec: What a plan may reach. Without version 2 there is no hierarchy, whatever else is mounted.
#[test]
fn no_mount_is_no_hierarchy() {
    let v1 = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
    for (mounts, cgroups) in [
        ("", "0::/\n"),
        (v1, "0::/\n"),
        (UNIFIED, ""),
        (UNIFIED, "4:memory:/\n"),
    ] {
        assert_eq!(locate(mounts, cgroups), "no cgroup v2 hierarchy is mounted");
    }
}

/// spec: What a plan may reach. A line that does not parse hides no other one.
#[test]
fn garbage_between_the_lines_is_skipped() {
    let mounts =
        format!("\n- - -\n30 x\n\u{fffd} \\999 cgroup2\n{UNIFIED}40 23 0:9 / /x rw - fuse");
    assert_eq!(
        locate(&mounts, "x\n::\n\n9:\n0::/a:b (c)\n"),
        "/sys/fs/cgroup/a:b (c) at /sys/fs/cgroup"
    );
    let bytes = [b"1 2 0:3 / /\xff\xfe rw - ext4 x rw\n", UNIFIED.as_bytes()].concat();
    assert!(Hierarchy::locate(&bytes, b"\xff\n0::/\n", |_| true).is_ok());
}
