//! Confines this process and becomes a step's program.

use std::{
    convert::Infallible,
    ffi::{CString, OsStr},
    io::Write as _,
    os::{
        fd::{AsRawFd as _, BorrowedFd, OwnedFd},
        unix::ffi::OsStrExt as _,
    },
    path::Path,
};

use rustix::io::{Errno, FdFlags};

use super::{
    failure::{Failure, Operation},
    instructions::{Report, Step},
    limits, serve, sys,
};

/// Does what `step` says and becomes its program; returns only what went wrong.
///
/// Says [`Report::Ready`] over `socket`, which closes by itself, right before it becomes the program.
pub(super) fn become_program(
    step: &Step<'_>,
    descriptors: Vec<OwnedFd>,
    socket: BorrowedFd<'_>,
) -> Failure {
    match try_become(step, descriptors, socket) {
        Err(failure) => failure,
        Ok(never) => match never {},
    }
}

/// The order matters. The leaf comes first, so that nothing of the step is outside of it. Mounts come before
/// Landlock, which forbids changing them, and before the workdir is entered, which may lie under one. Limits come
/// last, since what is done here is not to be held to them.
fn try_become(
    step: &Step<'_>,
    descriptors: Vec<OwnedFd>,
    socket: BorrowedFd<'_>,
) -> Result<Infallible, Failure> {
    let mut descriptors = descriptors.into_iter();
    let mut expected = |what: &str| {
        descriptors
            .next()
            .ok_or_else(|| Failure::about(Operation::ReadInstructions, what, Errno::BADF))
    };
    if step.joins_leaf {
        join(expected("the leaf's descriptor")?)?;
    }
    let input = match step.has_input {
        true => Some(expected("the descriptor of standard input")?),
        false => None,
    };
    let lifeline = match step.lifeline {
        Some(variable) => Some((variable, expected("the descriptor of the lifeline")?)),
        None => None,
    };
    let known = know(step)?;
    let own_terminals = enclose(step, &known)?;
    let workdir = path(step.workdir);
    rustix::process::chdir(workdir).map_err(|errno| {
        Failure::about(Operation::EnterWorkdir, &workdir.to_string_lossy(), errno)
    })?;
    restrict(step, &known, own_terminals)?;
    if let Some(input) = input {
        nix::unistd::dup2_stdin(&input).map_err(|errno| {
            Failure::from_io(Operation::PlaceStream, "standard input", &errno.into())
        })?;
    }
    let program = c_string(step.path)?;
    let arguments = words(step)?;
    let mut environment = step
        .environment
        .iter()
        .map(|(name, value)| c_string(&[name, &b"="[..], value].concat()))
        .collect::<Result<Vec<_>, _>>()?;
    match &lifeline {
        Some((variable, lifeline)) => environment.push(hand_on(variable, lifeline)?),
        None => limits::set(&step.limits)?,
    }
    sys::reset_signals();
    serve::report(socket, &Report::Ready);
    nix::unistd::execve(&program, &arguments, &environment)
        .map_err(|errno| Failure::from_io(Operation::Execute, "", &errno.into()))
}

/// Lets the program inherit the lifeline, and returns the variable that tells its number.
fn hand_on(variable: &[u8], lifeline: &OwnedFd) -> Result<CString, Failure> {
    rustix::io::fcntl_setfd(lifeline, FdFlags::empty())
        .map_err(|errno| Failure::about(Operation::PlaceStream, "the lifeline", errno))?;
    let number = lifeline.as_raw_fd().to_string();
    c_string(&[variable, b"=", number.as_bytes()].concat())
}

fn words(step: &Step<'_>) -> Result<Vec<CString>, Failure> {
    std::iter::once(&step.word)
        .chain(&step.arguments)
        .map(|word| c_string(word))
        .collect()
}

fn c_string(bytes: &[u8]) -> Result<CString, Failure> {
    CString::new(bytes).map_err(|_| {
        let subject = String::from_utf8_lossy(bytes).escape_debug().to_string();
        Failure::about(Operation::SpellWords, &subject, Errno::INVAL)
    })
}

/// Joins the leaf whose `cgroup.procs` this is. There, `0` stands for the process that writes it.
fn join(procs: OwnedFd) -> Result<(), Failure> {
    std::fs::File::from(procs)
        .write_all(b"0")
        .map_err(|error| Failure::from_io(Operation::JoinLeaf, "", &error))
}

/// Enters a mount namespace, and finds there what the walls are about.
#[cfg(target_os = "linux")]
fn know<'s>(step: &'s Step<'_>) -> Result<super::known::KnownTrees<'s>, Failure> {
    if step.walls.mounts {
        super::mounts::enter()?;
    }
    super::known::KnownTrees::open(&step.walls.known)
}

#[cfg(target_os = "linux")]
fn enclose(step: &Step<'_>, known: &super::known::KnownTrees<'_>) -> Result<bool, Failure> {
    if !step.walls.mounts {
        return Ok(false);
    }
    super::mounts::enclose(&step.walls, known)
}

/// Rights are given up last: mounts take them.
#[cfg(target_os = "linux")]
fn restrict(
    step: &Step<'_>,
    known: &super::known::KnownTrees<'_>,
    own_terminals: bool,
) -> Result<(), Failure> {
    let walls = &step.walls;
    if walls.landlock {
        let writable = walls.writable.iter().map(|bytes| path(bytes));
        super::rules::restrict(writable, known, own_terminals)?;
    }
    if walls.landlock || walls.mounts {
        super::privileges::give_up()?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "it fails where trees are known")]
fn know(_: &Step<'_>) -> Result<(), Failure> {
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn enclose(step: &Step<'_>, (): &()) -> Result<bool, Failure> {
    match step.walls.mounts {
        true => Err(Failure::new(Operation::EnterNamespace, Errno::NOTSUP)),
        false => Ok(false),
    }
}

#[cfg(not(target_os = "linux"))]
fn restrict(step: &Step<'_>, (): &(), _: bool) -> Result<(), Failure> {
    match step.walls.landlock {
        true => Err(Failure::new(Operation::Restrict, Errno::NOTSUP)),
        false => Ok(()),
    }
}

/// Returns the path these bytes spell.
pub(super) fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{self, File},
        os::fd::{AsFd, BorrowedFd, OwnedFd},
        path::Path,
        time::{Duration, Instant},
    };

    use rustix::event::{PollFd, PollFlags, poll};

    use crate::launcher::{
        Birth, Born, Failure, Job, LauncherProgram, ProcessLimits, Step,
        frame::{encode, pair, put},
        instructions::{Enclosure, Request},
        program::built,
    };

    /// Has a launcher do `step` and returns what it says of it.
    fn launch(step: Step<'_>, descriptors: &[BorrowedFd<'_>]) -> Result<Born, Failure> {
        let (socket, theirs): (OwnedFd, OwnedFd) = pair().unwrap();
        let LauncherProgram::At(path) = built() else {
            unreachable!("tests name their launcher");
        };
        let outputs = crate::process::Outputs::Nowhere;
        let launcher = crate::process::spawn_launcher(&path, &theirs, outputs).unwrap();
        drop(theirs);
        let frame = encode(&Job::Step(Box::new(step))).unwrap();
        assert_eq!(
            put(socket.as_fd(), &frame, 0, descriptors).unwrap(),
            frame.len()
        );
        let deadline = Instant::now() + Duration::from_secs(30);
        let mut birth = Birth::default();
        let born = loop {
            if let Some(born) = birth.look(socket.as_fd()) {
                break born;
            }
            assert!(Instant::now() < deadline);
            poll(&mut [PollFd::new(&socket, PollFlags::IN)], None).unwrap();
        };
        crate::process::kill_and_reap(launcher.leader);
        born
    }

    fn step(workdir: &Path) -> Step<'_> {
        Step {
            path: b"/bin/true",
            word: b"true",
            arguments: Vec::new(),
            environment: Vec::new(),
            workdir: workdir.as_os_str().as_encoded_bytes(),
            joins_leaf: false,
            has_input: false,
            lifeline: None,
            supervised: false,
            limits: ProcessLimits::default(),
            walls: Enclosure::default(),
        }
    }

    /// decision: the leaf is joined before anything else is done, the workdir entered included.
    #[test]
    fn a_leaf_is_joined_first() {
        let folder = tempfile::tempdir().unwrap();
        let procs = File::create(folder.path().join("cgroup.procs")).unwrap();
        let mut step = step(Path::new("/nonexistent/workdir"));
        step.joins_leaf = true;
        let failure = launch(step, &[procs.as_fd()]).unwrap_err();
        insta::assert_snapshot!(failure, @r"
        the launcher could not enter the working directory `/nonexistent/workdir`: No such file or directory (os error 2)
        ");
        let joined = fs::read_to_string(folder.path().join("cgroup.procs")).unwrap();
        assert_eq!(joined, "0");
    }

    /// ruling 27: what is called off before the launcher has read its instructions does not run on.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_step_that_is_called_off_at_once_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let (socket, theirs) = pair().unwrap();
        let LauncherProgram::At(path) = built() else {
            unreachable!("tests name their launcher");
        };
        let step = Step {
            path: b"/bin/sleep",
            word: b"sleep",
            arguments: vec![b"1000"],
            supervised: true,
            ..step(folder.path())
        };
        let mut frames = encode(&Job::Step(Box::new(step))).unwrap();
        frames.extend(encode(&Request::KillAll).unwrap());
        assert_eq!(put(socket.as_fd(), &frames, 0, &[]), Ok(frames.len()));
        let outputs = crate::process::Outputs::Nowhere;
        let launcher = crate::process::spawn_launcher(&path, &theirs, outputs).unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while !crate::process::reap(launcher.leader) {
            assert!(
                Instant::now() < deadline,
                "it supervises what was called off"
            );
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// decision: a failure before the program names the operation, what it was about and the system's answer.
    #[test]
    fn a_failure_names_what_failed() {
        let folder = tempfile::tempdir().unwrap();
        let workdir = folder.path();
        fs::write(workdir.join("procs"), "").unwrap();
        let closed = File::open(workdir.join("procs")).unwrap();
        let mut said = String::new();
        let mut say = |born: Result<Born, Failure>| {
            let line = match born {
                Ok(Born::Itself) => "it began".into(),
                Ok(Born::Supervised(_)) => "it began below".into(),
                Err(failure) => failure.to_string(),
            };
            said.push_str(&line.replace(&*workdir.to_string_lossy(), "<workdir>"));
            said.push('\n');
        };
        say(launch(step(workdir), &[]));
        say(launch(
            Step {
                supervised: true,
                ..step(workdir)
            },
            &[],
        ));
        say(launch(
            Step {
                joins_leaf: true,
                ..step(workdir)
            },
            &[closed.as_fd()],
        ));
        say(launch(
            Step {
                joins_leaf: true,
                ..step(workdir)
            },
            &[],
        ));
        say(launch(
            Step {
                has_input: true,
                ..step(workdir)
            },
            &[],
        ));
        say(launch(
            Step {
                path: b"/nonexistent",
                ..step(workdir)
            },
            &[],
        ));
        say(launch(
            Step {
                path: b"/nonexistent",
                supervised: true,
                ..step(workdir)
            },
            &[],
        ));
        say(launch(
            Step {
                word: b"a\0b",
                ..step(workdir)
            },
            &[],
        ));
        say(launch(
            Step {
                environment: vec![(b"A", b"\0")],
                ..step(workdir)
            },
            &[],
        ));
        let file = workdir.join("procs");
        say(launch(step(&file), &[]));
        insta::assert_snapshot!(said, @r"
        it began
        it began below
        the launcher could not join the step's cgroup: Bad file descriptor (os error 9)
        the launcher could not read its instructions `the leaf's descriptor`: Bad file descriptor (os error 9)
        the launcher could not read its instructions `the descriptor of standard input`: Bad file descriptor (os error 9)
        the launcher could not become the program: No such file or directory (os error 2)
        the launcher could not become the program: No such file or directory (os error 2)
        the launcher could not hand over `a\0b`: Invalid argument (os error 22)
        the launcher could not hand over `A=\0`: Invalid argument (os error 22)
        the launcher could not enter the working directory `<workdir>/procs`: Not a directory (os error 20)
        ");
    }
}
