//! Supervising a step where no cgroup can: the launcher stays, as the subreaper of what the program starts.
//!
//! ```text
//! runtime <--socket--> supervisor (a group of its own) --> the step's program (leader of the step's group)
//!                          ^-- whatever below it loses its parent
//! ```
//!
//! It ends when nothing is left below it, or when the socket does, at the end of the plan or with the runtime: then
//! it kills what is left first. It holds the socket and nothing else, no pipe of the step in particular, which would
//! keep the runtime from seeing their end.

use std::{
    fs::File,
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use nix::sys::{
    signal::{SigSet, Signal as NixSignal},
    signalfd::{SfdFlags, SignalFd},
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
    process::{
        Pid, Signal, getpid, getppid, set_child_subreaper, set_parent_process_death_signal, setpgid,
    },
};

use super::{
    birth::{Birth, Born},
    children::{Children, LeaderExit},
    failure::{Failure, Operation},
    frame::{Arrival, FrameReader, pair},
    instructions::{Report, Request, Step},
    serve::{self, report},
    step, sys,
};

/// Starts the step's program and supervises it until nothing of it is left.
pub(super) fn serve(
    step: &Step<'_>,
    descriptors: Vec<OwnedFd>,
    socket: BorrowedFd<'_>,
    reader: FrameReader,
) -> Result<(), Failure> {
    sys::stay();
    let failed = |error: io::Error| Failure::from_io(Operation::Supervise, "", &error);
    let exits = exits().map_err(failed)?;
    let own = getpid();
    set_child_subreaper(Some(own)).map_err(|errno| failed(errno.into()))?;
    let (birth, births_end) = pair().map_err(failed)?;
    match sys::fork().map_err(|errno| Failure::new(Operation::Fork, errno))? {
        sys::Fork::Child => become_leader(step, descriptors, births_end.as_fd(), own),
        sys::Fork::Parent(leader) => {
            drop((births_end, descriptors));
            // Done on both sides: whoever is first, it is done before a signal is sent to the group. It fails once
            // the other side has become the program, and has done it then.
            let _ = setpgid(Some(leader), Some(leader));
            let_go(socket).map_err(failed)?;
            let mut supervisor = Supervisor {
                socket,
                reader,
                exits,
                children: Children::new(leader),
            };
            let supervised = supervisor.await_birth(birth, leader) && supervisor.run();
            if !supervised {
                supervisor.end();
            }
            Ok(())
        }
    }
}

/// Has SIGCHLD show on a descriptor.
fn exits() -> io::Result<SignalFd> {
    let mut mask = SigSet::empty();
    mask.add(NixSignal::SIGCHLD);
    mask.thread_block()?;
    let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
    Ok(SignalFd::with_flags(&mask, flags)?)
}

/// In the new process: becomes the step's program, in a group of its own.
fn become_leader(
    step: &Step<'_>,
    descriptors: Vec<OwnedFd>,
    births_end: BorrowedFd<'_>,
    supervisor: Pid,
) -> Result<(), Failure> {
    let _ = setpgid(None, None);
    // A supervisor that is killed can end nothing any more; at least its program goes with it.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    if getppid() == Some(supervisor) {
        let failure = step::become_program(step, descriptors, births_end);
        report(births_end, &Report::Failed(failure));
    }
    leave()
}

/// Ends a process that shares its socket with another one: it has nothing more to say there.
#[expect(clippy::exit, reason = "a forked process has no caller to return to")]
fn leave() -> Result<(), Failure> {
    std::process::exit(serve::FAILED)
}

/// Lets go of the step's pipes and of the working directory. The socket stays.
fn let_go(socket: BorrowedFd<'_>) -> io::Result<()> {
    let nothing = File::options().write(true).open("/dev/null")?;
    nix::unistd::dup2_stdout(&nothing)?;
    nix::unistd::dup2_stderr(&nothing)?;
    rustix::process::chdir("/")?;
    // For whoever lists processes: it would be called after the file it was started from.
    rustix::thread::set_name(c"plan-supervisor")?;
    // It is waited for together with what the children do.
    rustix::io::ioctl_fionbio(socket, true)?;
    Ok(())
}

struct Supervisor<'a> {
    socket: BorrowedFd<'a>,
    reader: FrameReader,
    exits: SignalFd,
    children: Children,
}

impl Supervisor<'_> {
    /// Waits until the new process has become the program and passes on how that went; returns whether it has.
    fn await_birth(&mut self, socket: OwnedFd, leader: Pid) -> bool {
        let mut birth = Birth::default();
        let failure = loop {
            // What came with the instructions shows on no descriptor.
            if !self.obey() {
                return false;
            }
            match birth.look(socket.as_fd()) {
                Some(Ok(Born::Itself)) => {
                    let leader = leader.as_raw_nonzero().get();
                    report(self.socket, &Report::Started { leader });
                    return true;
                }
                Some(Ok(Born::Supervised(_))) => {
                    break Failure::new(Operation::Survive, Errno::BADMSG);
                }
                Some(Err(failure)) => break failure,
                None => {}
            }
            let mut both = [
                PollFd::from_borrowed_fd(socket.as_fd(), PollFlags::IN),
                PollFd::from_borrowed_fd(self.socket, PollFlags::IN),
            ];
            wait_for(&mut both);
        };
        report(self.socket, &Report::Failed(failure));
        false
    }

    /// Supervises until nothing is left; returns whether that came by itself, with nobody gone who asks.
    fn run(&mut self) -> bool {
        loop {
            // Read off first: what exits from here on shows again.
            while let Ok(Some(_)) = self.exits.read_signal() {}
            let exit = self.children.reap();
            self.tell(exit);
            if self.children.all_gone() {
                return true;
            }
            let mut both = [
                PollFd::from_borrowed_fd(self.exits.as_fd(), PollFlags::IN),
                PollFd::from_borrowed_fd(self.socket, PollFlags::IN),
            ];
            wait_for(&mut both);
            if !both[1].revents().is_empty() && !self.obey() {
                return false;
            }
        }
    }

    /// Does what is asked; returns whether somebody is left to ask.
    fn obey(&mut self) -> bool {
        loop {
            match self.reader.next() {
                Ok(Some(Request::Signal { number })) => self.children.signal(number),
                Ok(Some(Request::KillAll)) => self.end(),
                Ok(Some(Request::Dismiss)) | Err(_) => return false,
                Ok(None) => match self.reader.fill(self.socket) {
                    Ok(Arrival::Some) => {}
                    Ok(Arrival::None) => return true,
                    Ok(Arrival::End) | Err(_) => return false,
                },
            }
        }
    }

    /// Kills everything that is left.
    fn end(&mut self) {
        let exit = self.children.kill_all();
        self.tell(exit);
    }

    fn tell(&self, exit: Option<LeaderExit>) {
        match exit {
            Some(LeaderExit::Code(code)) => report(self.socket, &Report::ExitedWithCode { code }),
            Some(LeaderExit::Signal(signal)) => {
                report(self.socket, &Report::ExitedBySignal { signal });
            }
            None => {}
        }
    }
}

/// Waits until one of them can be read, or has ended.
fn wait_for(descriptors: &mut [PollFd<'_>]) {
    while let Err(Errno::INTR) = poll(descriptors, None) {}
}
