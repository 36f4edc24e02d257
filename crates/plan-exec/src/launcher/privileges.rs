//! What a step's program may not do even as the superuser, whose rights would lead around its walls.

use rustix::{
    io::Errno,
    thread::{
        CapabilitySet, capabilities, clear_ambient_capability_set,
        remove_capability_from_bounding_set, set_capabilities,
    },
};

use super::{
    failure::{Failure, Operation},
    sys,
};

/// Gives up, for this process and all it starts, the rights that lead around the walls, the controlling terminal, and
/// the one way into another cgroup that needs no write to a file.
pub(super) fn give_up() -> Result<(), Failure> {
    let failed = |errno| Failure::new(Operation::GiveUpPrivileges, errno);
    sys::leave_terminal();
    sys::refuse_clone3().map_err(failed)?;
    let held = capabilities(None).map_err(failed)?;
    for capability in AROUND_THE_WALLS.iter() {
        match remove_capability_from_bounding_set(capability) {
            // Without the right to do so there is none to be gained either: no program gains any here. An older
            // kernel does not know every one.
            Ok(()) | Err(Errno::PERM | Errno::INVAL) => {}
            Err(errno) => return Err(failed(errno)),
        }
    }
    clear_ambient_capability_set().map_err(failed)?;
    let mut kept = held;
    kept.effective -= AROUND_THE_WALLS;
    kept.permitted -= AROUND_THE_WALLS;
    kept.inheritable -= AROUND_THE_WALLS;
    set_capabilities(None, kept).map_err(failed)
}

/// Changing mounts and namespaces, opening files by handle, looking into other processes, devices and the kernel
/// itself. What root needs to read and write files as before is not among them.
const AROUND_THE_WALLS: CapabilitySet = CapabilitySet::SYS_ADMIN
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::SYS_PTRACE)
    .union(CapabilitySet::PERFMON)
    .union(CapabilitySet::BPF)
    .union(CapabilitySet::CHECKPOINT_RESTORE)
    .union(CapabilitySet::SYS_MODULE)
    .union(CapabilitySet::SYS_RAWIO)
    .union(CapabilitySet::SYS_BOOT)
    .union(CapabilitySet::SYS_TTY_CONFIG)
    .union(CapabilitySet::MKNOD)
    .union(CapabilitySet::MAC_ADMIN)
    .union(CapabilitySet::MAC_OVERRIDE);
