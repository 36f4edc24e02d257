//! Landlock: this process and all it starts may write beneath a few directories, and otherwise do as before.

use std::{error::Error, io, os::fd::AsFd, path::Path};

use landlock::{
    ABI, AccessFs, BitFlags, LandlockStatus, PathBeneath, PathFd, PathFdError, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};
use rustix::{
    fs::{FileType, fstat},
    io::Errno,
};

use super::{
    failure::{Failure, Operation},
    known::KnownTrees,
};

/// Grants writing beneath `writable` and to the standard devices and nowhere else. Returns the kernel's ABI.
///
/// Making device nodes is granted nowhere: the superuser could write a disk through one of their own.
///
/// Only rights to write are handled, so that reading and executing need no rule. Of those the kernel has, all: a
/// kernel older than ABI 3 does not hold `truncate` back, and one older than ABI 2 lets nothing be moved between
/// directories.
///
/// A signal reaches nobody outside, the runtime and whoever watches over the step included, where the kernel can hold
/// that (ABI 6). Terminals may be written where `own_terminals` says that they are this process's own.
pub(super) fn restrict<'a>(
    writable: impl Iterator<Item = &'a Path>,
    known: &KnownTrees<'_>,
    own_terminals: bool,
) -> Result<u32, Failure> {
    // Control of devices is no writing, and is not handled: ABI 3 is the last one that added a right to write.
    let everything = AccessFs::from_write(ABI::V3);
    let content: BitFlags<AccessFs> = AccessFs::WriteFile | AccessFs::Truncate;
    let beneath = everything & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    let mut rules = Ruleset::default()
        .handle_access(everything)
        .and_then(|rules| rules.scope(Scope::Signal))
        .and_then(Ruleset::create)
        .map_err(|error| failure("", &error))?;
    for path in writable {
        let failed = |error: &RulesetError| failure(&path.to_string_lossy(), error);
        rules = match (known.get(path), open(path)?) {
            (Some(tree), _) => rules.add_rule(PathBeneath::new(tree, rights(tree, beneath))),
            (None, Some(tree)) => {
                let access = rights(&tree, beneath);
                rules.add_rule(PathBeneath::new(tree, access))
            }
            (None, None) => continue,
        }
        .map_err(|error| failed(&error))?;
    }
    let terminals = TERMINALS.iter().filter(|_| own_terminals);
    for device in DEVICES.iter().chain(terminals) {
        let Some(fd) = open(Path::new(device))? else {
            continue;
        };
        rules = rules
            .add_rule(PathBeneath::new(fd, content))
            .map_err(|error| failure(device, &error))?;
    }
    let status = rules.restrict_self().map_err(|error| failure("", &error))?;
    let abi = match status.landlock {
        LandlockStatus::Available {
            effective_abi,
            kernel_abi,
        } => kernel_abi
            .and_then(|abi| u32::try_from(abi).ok())
            .unwrap_or(effective_abi as u32),
        LandlockStatus::NotEnabled => {
            return Err(Failure::new(Operation::Restrict, Errno::OPNOTSUPP));
        }
        LandlockStatus::NotImplemented => {
            return Err(Failure::new(Operation::Restrict, Errno::NOSYS));
        }
    };
    match status.ruleset {
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(abi),
        RulesetStatus::NotEnforced => Err(Failure::new(Operation::Restrict, Errno::OPNOTSUPP)),
    }
}

/// Returns what of `access` there is for it: a file has fewer rights than a directory.
fn rights(tree: impl AsFd, access: BitFlags<AccessFs>) -> BitFlags<AccessFs> {
    let is_folder = fstat(tree).is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_dir());
    match is_folder {
        true => access,
        false => access & (AccessFs::WriteFile | AccessFs::Truncate),
    }
}

/// Opens what a rule is about, `None` when there is no such thing.
fn open(path: &Path) -> Result<Option<PathFd>, Failure> {
    match PathFd::new(path) {
        Ok(fd) => Ok(Some(fd)),
        Err(PathFdError::OpenCall { source, .. })
            if matches!(
                source.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(failure(&path.to_string_lossy(), &error)),
    }
}

/// Keeps the system's error, which the crate has at the end of its chain.
fn failure(subject: &str, error: &(dyn Error + 'static)) -> Failure {
    let mut next = Some(error);
    let mut errno = 0;
    while let Some(error) = next {
        if let Some(system) = error.downcast_ref::<io::Error>() {
            errno = system.raw_os_error().unwrap_or_default();
        }
        next = error.source();
    }
    let subject = match (subject, errno) {
        ("", 0) => error.to_string(),
        _ => subject.into(),
    };
    Failure {
        operation: Operation::Restrict,
        subject,
        errno,
    }
}

/// What every program expects to be able to write: the standard devices.
const DEVICES: [&str; 6] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
];

/// Where a program makes terminals for others, and where those are.
const TERMINALS: [&str; 2] = ["/dev/ptmx", "/dev/pts"];
