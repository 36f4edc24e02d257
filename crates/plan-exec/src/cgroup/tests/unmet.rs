//! What a person reads when there is no base.

use std::path::Path;

use rustix::{io::Errno, process::Pid};

use super::super::{
    controllers::Controller,
    file::FileError,
    mount::NoHierarchy,
    unmet::{Condition, Unmet},
};

/// spec: What a plan may reach. E-RUN-012 says which condition failed and how to meet it.
#[test]
fn every_condition_says_how_to_meet_it() {
    let error = |errno: Errno| FileError::reading(Path::new("/cg/x"), errno.into());
    let pids = |count| (1..=count).filter_map(Pid::from_raw).collect();
    let conditions = [
        Condition::NoHierarchy(NoHierarchy::Unreadable(error(Errno::NOENT))),
        Condition::NoHierarchy(NoHierarchy::NotMounted),
        Condition::NoHierarchy(NoHierarchy::NotShown {
            own: "/../x".into(),
            mounts: vec!["/cg".into()],
        }),
        Condition::MissingControllers {
            dir: "/cg".into(),
            missing: Controller::NEEDED.into(),
            held_by_v1: true,
        },
        Condition::MissingControllers {
            dir: "/cg".into(),
            missing: vec![Controller::Cpu],
            held_by_v1: false,
        },
        Condition::Unreadable(error(Errno::ACCESS)),
        Condition::NotDelegated(error(Errno::ACCESS)),
        Condition::NotDelegated(error(Errno::ROFS)),
        Condition::Threaded("/cg".into()),
        Condition::CannotEnable(error(Errno::OPNOTSUPP)),
        Condition::CannotStepAside(error(Errno::ACCESS)),
        Condition::Occupied {
            dir: "/cg".into(),
            pids: pids(1),
        },
        Condition::Occupied {
            dir: "/cg".into(),
            pids: pids(11),
        },
        Condition::Occupied {
            dir: "/cg".into(),
            pids: vec![],
        },
    ];
    let texts: Vec<_> = conditions
        .into_iter()
        .map(|condition| {
            let unmet = Unmet {
                condition,
                declined: None,
            };
            format!("{unmet}\n  = {}", unmet.fix())
        })
        .collect();
    insta::assert_snapshot!(texts.join("\n"), @"
    cannot read `/cg/x`: No such file or directory (os error 2)
      = mount `/proc` where this process can read it
    no cgroup v2 hierarchy is mounted
      = boot with `systemd.unified_cgroup_hierarchy=1`, or mount it: `mount -t cgroup2 none /sys/fs/cgroup`
    cgroup v2 is mounted at `/cg`, which does not show this process's own cgroup `/../x`
      = in a container, start it with a cgroup namespace of its own (`--cgroupns=private`); elsewhere, mount the whole hierarchy: `mount -t cgroup2 none /sys/fs/cgroup`
    the cgroup `/cg` does not offer the controllers `memory`, `pids` and `cpu`
      = the host runs cgroup v1 beside v2, and v1 holds the controllers: boot with `systemd.unified_cgroup_hierarchy=1` or `cgroup_no_v1=all`
    the cgroup `/cg` does not offer the controller `cpu`
      = write `+cpu` to `cgroup.subtree_control` of each cgroup above it; under systemd, write `Delegate=cpu io memory pids` below `[Service]` in a drop-in of `user@.service`
    cannot read `/cg/x`: Permission denied (os error 13)
      = start this program in a scope delegated to it: `systemd-run --user --scope -p Delegate=yes <command>`, as root without `--user`
    the cgroup of this process is not delegated to it: cannot read `/cg/x`: Permission denied (os error 13)
      = start this program in a scope delegated to it: `systemd-run --user --scope -p Delegate=yes <command>`, as root without `--user`
    the cgroup of this process is not delegated to it: cannot read `/cg/x`: Read-only file system (os error 30)
      = in a container, have `/sys/fs/cgroup` mounted writable and give the container a cgroup namespace of its own (`--cgroupns=private`)
    the cgroup `/cg` is threaded, so that no process can be moved into a child of it
      = start this program in a scope delegated to it: `systemd-run --user --scope -p Delegate=yes <command>`, as root without `--user`
    the controllers cannot be enabled: cannot read `/cg/x`: Operation not supported (os error 95)
      = start this program in a scope delegated to it: `systemd-run --user --scope -p Delegate=yes <command>`, as root without `--user`
    this process cannot step aside for the controllers to be enabled: cannot read `/cg/x`: Permission denied (os error 13)
      = start this program in a scope delegated to it: `systemd-run --user --scope -p Delegate=yes <command>`, as root without `--user`
    the controllers of `/cg` cannot be enabled while it holds other processes (pid 1)
      = start this program in a scope that holds nothing else: `systemd-run --user --scope -p Delegate=yes <command>`, as root without `--user`
    the controllers of `/cg` cannot be enabled while it holds other processes (pids 1, 2, 3, 4, 5, 6, 7, 8 and 3 more)
      = start this program in a scope that holds nothing else: `systemd-run --user --scope -p Delegate=yes <command>`, as root without `--user`
    the controllers of `/cg` cannot be enabled while it holds other processes (of another PID namespace)
      = start this program in a scope that holds nothing else: `systemd-run --user --scope -p Delegate=yes <command>`, as root without `--user`
    ");
}

/// spec: What a plan may reach. What came of asking the user manager stands beside the condition.
#[cfg(feature = "systemd")]
#[test]
fn what_the_user_manager_said_is_told() {
    use super::super::manager::Declined;

    let second = std::time::Duration::from_secs(2);
    let texts: Vec<_> = [
        Declined::NoBus,
        Declined::Bus("Handshake failed".into()),
        Declined::Refused {
            name: "org.freedesktop.DBus.Error.ServiceUnknown".into(),
            message: "nobody has that name".into(),
        },
        Declined::Silent(second),
        Declined::NotMoved(second),
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    insta::assert_snapshot!(texts.join("\n"), @"
    there is no session bus
    Handshake failed
    it answered `org.freedesktop.DBus.Error.ServiceUnknown`: nobody has that name
    nobody answered within 2 s
    it agreed, but had not moved this process after 2 s
    ");

    let unmet = Unmet {
        condition: Condition::Occupied {
            dir: "/cg".into(),
            pids: vec![],
        },
        declined: Some(Declined::NoBus),
    };
    insta::assert_snapshot!(unmet, @"the controllers of `/cg` cannot be enabled while it holds other processes (of another PID namespace) (the systemd user manager was asked for a scope first: there is no session bus)");
}
