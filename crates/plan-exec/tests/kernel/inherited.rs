//! What this process was given by whoever started it, and a step is not.

use std::process::Command;

use libtest_mimic::Trial;

use crate::{
    ability::trial,
    place::{Place, alone, call},
    role,
};

pub(crate) fn trials() -> Vec<Trial> {
    vec![trial(
        "a_step_inherits_no_descriptor_mask_or_disposition",
        &[],
        nothing_is_inherited,
    )]
}

/// ruling 34: whatever this process inherited open, ignored and blocked, a step starts with 0, 1 and 2, everything
/// at its default and nothing blocked.
fn nothing_is_inherited() {
    let place = Place::new();
    let own = std::env::current_exe().unwrap();
    // The shell leaves descriptors open and signals ignored; the mask is the role's own doing.
    let played = Command::new("sh")
        .arg("-c")
        .arg("trap '' HUP PIPE USR1 RTMIN+3; exec 5< /etc/passwd 9> /dev/null 8<> /dev/zero; exec \"$0\" \"$@\"")
        .arg(own)
        .args(role::arguments("leaky", &place.root()))
        .output()
        .unwrap();
    let said = String::from_utf8(played.stdout).unwrap();
    insta::assert_snapshot!(said, @r"
    this process:
    SigBlk: [14, 15]
    SigIgn: [1, 10, 13, 37]
    3 inheritable descriptors
    a step, supervised false:
    0  1  2
    SigBlk: 0000000000000000
    SigIgn: 0000000000000000
    a step, supervised true:
    0  1  2
    SigBlk: 0000000000000000
    SigIgn: 0000000000000000
    ");
}

/// In the role: says what this process has, then what a plain and a supervised step have.
pub(crate) fn say_what_a_step_has(place: &Place) -> String {
    let mut blocked = nix::sys::signal::SigSet::empty();
    blocked.add(nix::sys::signal::Signal::SIGTERM);
    blocked.add(nix::sys::signal::Signal::SIGALRM);
    blocked.thread_block().unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mut said = String::from("this process:\n");
    for (name, expected) in [
        ("SigBlk:", [14, 15].as_slice()),
        // Whoever started this may ignore others.
        ("SigIgn:", &[1, 10, 13, 37]),
    ] {
        let mask = status.lines().find_map(|line| line.strip_prefix(name));
        let mask = u64::from_str_radix(mask.unwrap().trim(), 16).unwrap();
        let held: Vec<i32> = expected
            .iter()
            .copied()
            .filter(|signal| mask & 1 << (signal - 1) != 0)
            .collect();
        said.push_str(&format!("{name} {held:?}\n"));
    }
    let inheritable = [5, 8, 9]
        .iter()
        .filter(|fd| std::path::Path::new(&format!("/proc/self/fd/{fd}")).exists())
        .count();
    said.push_str(&format!("{inheritable} inheritable descriptors\n"));
    for supervised in [false, true] {
        let mut confinement = place.confinement(false, false);
        confinement.supervised = supervised;
        let shell = plan_exec::ShellCommands::new(place.session(confinement).into());
        let script = "ls -x /proc/$$/fd; while read name mask; do \
                          case $name in Sig[BI]*) echo $name $mask;; esac; \
                      done < /proc/$$/status";
        let outcome = alone(plan_exec::ShellExecutor::run(&shell, call(script)));
        said.push_str(&format!(
            "a step, supervised {supervised}:\n{}",
            outcome.output.unwrap()
        ));
    }
    said
}
