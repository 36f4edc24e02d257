//! The system calls that have no safe form: all `unsafe` of the workspace. For a process with one thread.
#![expect(
    unsafe_code,
    reason = "the launcher closes what it inherited, forks, resets signals and changes mounts: no crate in use has safe forms of these"
)]

#[cfg(target_os = "linux")]
use std::os::fd::BorrowedFd;
use std::os::{fd::AsRawFd as _, unix::fs::OpenOptionsExt as _};

use nix::libc;
#[cfg(target_os = "linux")]
use rustix::io::Errno;

/// Closes every descriptor but the standard streams.
///
/// Only for a launcher that has opened nothing yet: what it inherited belongs to nobody in it.
pub(super) fn close_inherited() {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: takes three integers; the descriptors it closes were inherited, and nothing here owns them.
        let closed = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
        if closed == 0 {
            return;
        }
    }
    // SAFETY: takes an integer and has no other precondition.
    let open_at_most = unsafe { libc::sysconf(libc::_SC_OPEN_MAX) };
    let open_at_most = libc::c_int::try_from(open_at_most).unwrap_or(libc::c_int::MAX);
    for descriptor in 3..open_at_most.min(CLOSED_ONE_BY_ONE) {
        // SAFETY: closing an integer that is no open descriptor fails; one that is was inherited, as above.
        unsafe { libc::close(descriptor) };
    }
}

/// Gives every signal its default disposition and lets every signal through.
pub(super) fn reset_signals() {
    #[cfg(target_os = "linux")]
    {
        // The kernel's own structure, all zero: SIG_DFL, no flags, no restorer, an empty mask. Larger than it is
        // on any architecture. Asked directly because the C library keeps two signals to itself, which can still
        // be inherited ignored.
        let default = [0_u64; 8];
        for signal in 1..=LAST_SIGNAL {
            // SAFETY: the new action is a readable structure, the old one is not asked for, and the last argument
            // is the size of the kernel's set of signals. Fails for SIGKILL and SIGSTOP, which need none.
            unsafe {
                libc::syscall(
                    libc::SYS_rt_sigaction,
                    signal,
                    default.as_ptr(),
                    std::ptr::null_mut::<u64>(),
                    SIGNAL_SET_BYTES,
                )
            };
        }
    }
    #[cfg(not(target_os = "linux"))]
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: the default disposition runs none of our code.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let none = nix::sys::signal::SigSet::empty();
    // Cannot fail for a valid way of setting it.
    let _ = none.thread_set_mask();
}

/// Has the signals that would end or stop a process that only wants to stay ignored.
#[cfg(target_os = "linux")]
pub(super) fn stay() {
    for signal in [
        libc::SIGHUP,
        libc::SIGINT,
        libc::SIGQUIT,
        libc::SIGTERM,
        libc::SIGPIPE,
        libc::SIGALRM,
        libc::SIGUSR1,
        libc::SIGUSR2,
        libc::SIGTSTP,
        libc::SIGTTIN,
        libc::SIGTTOU,
    ] {
        // SAFETY: ignoring a signal runs none of our code.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    // An ignored SIGCHLD would have the kernel reap children before anybody has seen how they exited.
    // SAFETY: the default disposition runs none of our code.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    // SIGSTOP cannot be ignored. Whoever was stopped goes on when the runtime dies, which is when it is needed.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::CONT));
}

/// Lets go of the terminal that controls this process, if one does: what is typed there is not this process's to
/// make up, to read or to steer.
pub(super) fn leave_terminal() {
    let terminal = std::fs::File::options()
        .read(true)
        .custom_flags(libc::O_NOCTTY | libc::O_CLOEXEC)
        .open("/dev/tty");
    if let Ok(terminal) = terminal {
        // SAFETY: the descriptor is open, and the request takes no argument. Fails where there is nothing to leave.
        unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCNOTTY) };
    }
}

/// Has `clone3` answer, from now on and for all this process starts, that there is no such call: it can put a new
/// process into any cgroup whose directory can be opened. Libraries then call `clone`, which cannot.
#[cfg(target_os = "linux")]
pub(super) fn refuse_clone3() -> Result<(), Errno> {
    // The numbers of old calls differ between architectures and ways of calling; this one is the same in all.
    const CLONE3: u32 = 435;
    const X32: u32 = 0x4000_0000;
    const NUMBER_AT: u32 = 0;
    let step = |code: u32, value: u32, hit: u8, miss: u8| libc::sock_filter {
        code: u16::try_from(code).expect("codes of the filter's machine have 16 bits"),
        jt: hit,
        jf: miss,
        k: value,
    };
    let no_such_call = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();
    let mut filter = [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, NUMBER_AT, 0, 0),
        step(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, !X32, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, CLONE3, 0, 1),
        step(libc::BPF_RET | libc::BPF_K, no_such_call, 0, 0),
        step(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW, 0, 0),
    ];
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).expect("the filter is short"),
        filter: filter.as_mut_ptr(),
    };
    // SAFETY: takes integers.
    if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
        return Err(last());
    }
    // SAFETY: the program and its filter live, and the length is the filter's.
    let result = unsafe {
        libc::prctl(
            libc::PR_SET_SECCOMP,
            libc::SECCOMP_MODE_FILTER,
            &raw const program,
        )
    };
    match result {
        0 => Ok(()),
        _ => match last() {
            // A kernel without filters. Landlock came with them, so that this is no host with one.
            Errno::INVAL | Errno::NOSYS => Ok(()),
            errno => Err(errno),
        },
    }
}

/// Which side of a fork this is.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(super) enum Fork {
    /// The new process.
    Child,
    /// The old one, with the new one's id.
    Parent(rustix::process::Pid),
}

/// Forks this process, which has one thread.
#[cfg(target_os = "linux")]
pub(super) fn fork() -> Result<Fork, Errno> {
    // SAFETY: there is one thread, so no lock is held by another one that the child would lack.
    match unsafe { libc::fork() } {
        -1 => Err(last()),
        0 => Ok(Fork::Child),
        child => Ok(Fork::Parent(
            rustix::process::Pid::from_raw(child).expect("a child has a positive process id"),
        )),
    }
}

/// Makes a whole tree of mounts read-only. It is not attached anywhere yet.
#[cfg(target_os = "linux")]
pub(super) fn make_read_only(tree: BorrowedFd<'_>) -> Result<(), Errno> {
    #[repr(C)]
    struct Attributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    const READ_ONLY: u64 = 1;
    let attributes = Attributes {
        set: READ_ONLY,
        clear: 0,
        propagation: 0,
        user_namespace: 0,
    };
    // SAFETY: the descriptor is open, the path is an empty C string, and the structure lives and has the size that
    // is given with it.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | libc::AT_RECURSIVE,
            &raw const attributes,
            size_of::<Attributes>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(last()) }
}

#[cfg(target_os = "linux")]
fn last() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::INVAL)
}

/// The highest number of a signal.
#[cfg(target_os = "linux")]
const LAST_SIGNAL: libc::c_int = 64;

/// The highest number of a signal.
#[cfg(not(target_os = "linux"))]
const LAST_SIGNAL: libc::c_int = 31;

/// The size of the kernel's set of signals.
#[cfg(target_os = "linux")]
const SIGNAL_SET_BYTES: usize = 8;

/// The most descriptors that are closed one by one, where the limit of open ones is unlimited.
const CLOSED_ONE_BY_ONE: libc::c_int = 1 << 20;
