//! Landlock: this process and all it starts may write beneath a few directories, and otherwise do as before.

use std::{error::Error, fs, io, path::Path};

use landlock::{
    ABI, AccessFs, BitFlags, LandlockStatus, PathBeneath, PathFd, PathFdError, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetStatus,
};
use rustix::io::Errno;

use super::failure::{Failure, Operation};

/// Grants writing beneath `writable` and to the standard devices and nowhere else. Returns the kernel's ABI.
///
/// Making device nodes is granted nowhere: the superuser could write a disk through one of their own.
///
/// Only rights to write are handled, so that reading and executing need no rule. Of those the kernel has, all: a
/// kernel older than ABI 3 does not hold `truncate` back, and one older than ABI 2 lets nothing be moved between
/// directories.
pub(super) fn restrict<'a>(writable: impl Iterator<Item = &'a Path>) -> Result<u32, Failure> {
    // Control of devices is no writing, and is not handled: ABI 3 is the last one that added a right to write.
    let everything = AccessFs::from_write(ABI::V3);
    let content: BitFlags<AccessFs> = AccessFs::WriteFile | AccessFs::Truncate;
    let beneath = everything & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    let mut rules = Ruleset::default()
        .handle_access(everything)
        .and_then(Ruleset::create)
        .map_err(|error| failure("", &error))?;
    let devices = DEVICES.iter().map(|device| (Path::new(device), content));
    for (path, access) in writable.map(|path| (path, beneath)).chain(devices) {
        let Some(fd) = open(path)? else { continue };
        // A file has fewer rights than a directory.
        let access = match fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
            true => access,
            false => access & content,
        };
        rules = rules
            .add_rule(PathBeneath::new(fd, access))
            .map_err(|error| failure(&path.to_string_lossy(), &error))?;
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

/// What every program expects to be able to write: the standard devices and the terminals.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];
