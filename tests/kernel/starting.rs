//! What a step's program finds when it starts.

use crate::{
    host::Host,
    scene::Scene,
    trial::{Trial, trial},
};

pub(crate) const TRIALS: &[Trial] = &[
    trial!(a_command_holds_three_descriptors),
    trial!(a_command_has_default_signals),
    trial!(a_command_runs_in_a_cgroup_of_its_own, Controllers),
];

/// ruling 34: a command holds the descriptors 0, 1 and 2, and no other of the runtime or of a step beside it.
fn a_command_holds_three_descriptors(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let steps: Vec<String> = (0..8)
            .map(|n| format!(r#"{{"id": "s{n}", "shell": "descriptors"}}"#))
            .collect();
        let ended = scene.run(&steps.join(","));
        for n in 0..8 {
            assert_eq!(ended.output(&format!("s{n}")), "0 1 2\n");
        }
        scene.wait_gone();
    }
}

/// ruling 34: a command starts with no signal blocked and none ignored.
fn a_command_has_default_signals(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let ended = scene.run(r#"{"id": "a", "shell": "cat /proc/self/status"}"#);
        let output = ended.output("a");
        for name in ["SigBlk:", "SigIgn:"] {
            let mut lines = output.lines().filter_map(|line| line.strip_prefix(name));
            let signals = u64::from_str_radix(lines.next().unwrap().trim(), 16).unwrap();
            assert_eq!(signals & !C_LIBRARY, 0, "{name} {signals:x}");
        }
        scene.wait_gone();
    }
}

/// The signals 32 and 33 are the C library's own; it lets no program change what they do.
const C_LIBRARY: u64 = 0b11 << 31;

/// spec: What a plan may reach: each step has a cgroup of its own, below that of its plan.
fn a_command_runs_in_a_cgroup_of_its_own(host: &'static Host) {
    let scene = Scene::new(host, "required", &[]);
    let ended = scene.run(
        r#"{"id": "a", "shell": "cat /proc/self/cgroup"}, {"id": "b", "shell": "cat /proc/self/cgroup"}"#,
    );
    let of = |id: &str| {
        let output = ended.output(id);
        let path = output.lines().find_map(|line| line.strip_prefix("0::"));
        path.unwrap().to_owned()
    };
    let (a, b) = (of("a"), of("b"));
    assert_ne!(a, b);
    assert_eq!(a.rsplit_once('/').unwrap().0, b.rsplit_once('/').unwrap().0);
    assert!(a.contains("/murmur-p-"), "{a}");
    scene.wait_gone();
}
