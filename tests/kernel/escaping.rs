//! A step that tries to get around what holds it, the superuser's included.

use crate::{
    host::Host,
    scene::Scene,
    trial::{Trial, trial},
};

pub(crate) const TRIALS: &[Trial] = &[
    trial!(a_command_has_no_right_that_leads_around_its_walls, Landlock),
    trial!(a_signal_reaches_nobody_outside, SignalScope),
    trial!(a_folder_above_what_is_protected_cannot_be_moved, Mounts),
    trial!(a_home_inside_the_workdir_cannot_be_moved, Mounts),
    trial!(a_home_that_was_swapped_is_not_written, Landlock),
];

/// spec: Confinement: not even the superuser keeps the rights to change mounts, to open files by handle or to look into
/// other processes; no program gains rights; the call that starts a process in any cgroup is gone.
fn a_command_has_no_right_that_leads_around_its_walls(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let ended = scene.run(r#"{"id": "a", "shell": "cat /proc/self/status"}"#);
        let output = ended.output("a");
        let field = |name: &str| {
            let mut lines = output.lines().filter_map(|line| line.strip_prefix(name));
            lines.next().expect("the kernel tells it").trim().to_owned()
        };
        for set in ["CapEff:", "CapPrm:", "CapInh:", "CapBnd:", "CapAmb:"] {
            let held = u64::from_str_radix(&field(set), 16).expect("a set is a number");
            // The bounding set of an ordinary user means nothing, since no program gains a right.
            if set != "CapBnd:" || nix::unistd::geteuid().is_root() {
                assert_eq!(held & AROUND, 0, "{set} {held:x}");
            }
        }
        assert_eq!(field("NoNewPrivs:"), "1");
        assert_eq!(field("Seccomp:"), "2");
        scene.wait_gone();
    }
}

/// spec: Confinement: what runs a plan, or watches over it, cannot be signalled by its steps.
fn a_signal_reaches_nobody_outside(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let ended = scene.run(r#"{"id": "a", "shell": "signal-parent"}"#);
        assert!(
            ended.error("a").contains("not permitted"),
            "{}",
            ended.shown()
        );
        assert_eq!(ended.status, Some(1));
        scene.wait_gone();
    }
}

/// spec: Confinement: a protected subtree cannot be had by another name.
fn a_folder_above_what_is_protected_cannot_be_moved(host: &'static Host) {
    for bounding in host.boundings() {
        let declared = "filesystem: {read_only: [a/b/tests]}";
        let scene = Scene::new(host, bounding, &[declared]);
        let file = scene.file("a/b/tests/x", "as it was");
        let ended = scene.run(
            r#"{"id": "outer", "shell": "move a other", "on_error": "continue"},
               {"id": "inner", "shell": "move a/b a/other", "on_error": "continue"},
               {"id": "beside", "shell": "sh -c 'echo text > a/b/free && cat a/b/free'"}"#,
        );
        for id in ["outer", "inner"] {
            assert!(ended.error(id).contains("busy"), "{}", ended.shown());
        }
        assert_eq!(ended.output("beside"), "text\n");
        assert_eq!(std::fs::read_to_string(file).unwrap(), "as it was");
        scene.wait_gone();
    }
}

/// spec: Confinement: nor can the home, with the plan and the trace in it.
fn a_home_inside_the_workdir_cannot_be_moved(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        scene.keep_home_in_workdir();
        let ended =
            scene.run(r#"{"id": "a", "shell": "move .murmur other", "on_error": "continue"}"#);
        assert!(ended.error("a").contains("busy"), "{}", ended.shown());
        scene.wait_gone();
    }
}

/// spec: Confinement: a step that puts a link in the place of its home gains no folder by that for the next one.
fn a_home_that_was_swapped_is_not_written(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let outside = scene.outside("victim");
        std::fs::create_dir(&outside).unwrap();
        scene.keep_home_in_workdir();
        let ended = scene.run(&format!(
            r#"{{"id": "swap", "shell": "sh -c 'mv $HOME $HOME.old && ln -s {} $HOME'", "on_error": "continue"}},
               {{"id": "use", "shell": "sh -c 'exec write-file $HOME/x'", "depends_on": ["swap"], "on_error": "continue"}}"#,
            outside.display()
        ));
        assert!(!outside.join("x").exists(), "{}", ended.shown());
        scene.wait_gone();
    }
}

/// CAP_DAC_READ_SEARCH, CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_SYS_BOOT, CAP_MKNOD,
/// CAP_PERFMON, CAP_BPF.
const AROUND: u64 =
    1 << 2 | 1 << 16 | 1 << 17 | 1 << 19 | 1 << 21 | 1 << 22 | 1 << 27 | 1 << 38 | 1 << 39;
