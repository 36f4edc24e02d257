//! The command with a pseudo-terminal as its standard input, output and error. What it shows is `window.rs`'s.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::OpenOptionsExt,
    },
    process::{Child, Command, ExitStatus},
    time::{Duration, Instant},
};

use nix::{
    fcntl::OFlag,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        signal::{Signal, kill},
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::Pid,
};
use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Termios, Winsize, tcgetattr, tcsetwinsize},
};

use super::window::Window;
use crate::space::Call;

/// A command that runs on a terminal.
pub(super) struct Session {
    terminal: File,
    child: Guarded,
    pub(super) window: Window,
    before: Termios,
    deadline: Instant,
}

/// Killed when it is dropped, so that a test that fails leaves nothing.
struct Guarded(Child);

impl Session {
    /// Starts it on a terminal that holds a line already, as of a shell.
    pub(super) fn start(call: Call<'_>, columns: u16, rows: u16) -> Self {
        let call = call.env("TERM", "xterm-256color");
        Self::run(call.prepare(), columns, rows)
    }

    /// Starts it on a terminal whose keys send it signals.
    pub(super) fn start_with_keys(call: Call<'_>, columns: u16, rows: u16) -> Self {
        let call = call.env("TERM", "xterm-256color");
        let prepared = call.prepare();
        let mut command = Command::new("setsid");
        command
            .args(["--ctty"])
            .arg(prepared.get_program())
            .args(prepared.get_args())
            .env_clear();
        for (name, value) in prepared.get_envs() {
            command.env(name, value.expect("the environment begins empty"));
        }
        command.current_dir(prepared.get_current_dir().expect("a space has a folder"));
        Self::run(command, columns, rows)
    }

    /// Starts a command as it is.
    pub(super) fn run(mut command: Command, columns: u16, rows: u16) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        // A command that held this side too would keep its own terminal.
        #[cfg(target_os = "linux")]
        let flags = flags | OpenptFlags::CLOEXEC;
        let terminal = openpt(flags).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let name = name.to_str().expect("its name is text");
        let side = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(OFlag::O_NOCTTY.bits())
            .open(name);
        let side: OwnedFd = side.expect("the other side can be opened").into();
        set_size(&terminal, columns, rows);
        let before = tcgetattr(&terminal).unwrap();
        command
            .stdin(side.try_clone().unwrap())
            .stdout(side.try_clone().unwrap())
            .stderr(side);
        let child = command.spawn().expect("the command can be started");
        // It holds the other side, and the terminal would never look closed.
        drop(command);
        let mut window = Window::new(columns, rows);
        window.feed(b"$ mur-plan\r\n");
        Self {
            terminal: terminal.into(),
            child: Guarded(child),
            window,
            before,
            deadline: Instant::now() + PATIENCE,
        }
    }

    /// Makes the window smaller or larger.
    pub(super) fn resize(&mut self, columns: u16, rows: u16) {
        set_size(&self.terminal, columns, rows);
        self.window.resize(columns, rows);
    }

    /// Presses keys.
    pub(super) fn press(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).unwrap();
    }

    pub(super) fn signal(&self, signal: Signal) {
        kill(self.id(), signal).expect("the command is there");
    }

    /// Waits until what stands in the window, whole, is as wanted.
    pub(super) fn wait_until(&mut self, is_wanted: impl Fn(&Window) -> bool) {
        while !(self.window.is_whole() && is_wanted(&self.window)) {
            assert!(self.listen(), "it ended early:\n{}", self.window.cut());
        }
    }

    /// Waits until this text is shown.
    pub(super) fn wait_for(&mut self, text: &str) {
        self.wait_until(|window| window.cut().contains(text) && window.broken().contains(text));
    }

    /// Waits until it has stopped.
    pub(super) fn wait_stopped(&mut self) {
        let flags = WaitPidFlag::WUNTRACED | WaitPidFlag::WNOHANG;
        while !matches!(waitpid(self.id(), Some(flags)), Ok(WaitStatus::Stopped(..))) {
            self.read(PollTimeout::from(10_u8));
            assert!(Instant::now() < self.deadline, "it never stopped");
        }
        // What it wrote before.
        self.read(PollTimeout::ZERO);
    }

    /// Takes the terminal away.
    pub(super) fn hang_up(self) -> Orphan {
        Orphan {
            child: self.child,
            deadline: self.deadline,
        }
    }

    /// Waits for its end, and holds it to leaving the terminal as it was.
    pub(super) fn end(mut self) -> (Option<i32>, Window) {
        while self.listen() {}
        let after = tcgetattr(&self.terminal).unwrap();
        assert_eq!(format!("{:?}", self.before), format!("{after:?}"));
        assert!(self.window.is_left_clean(), "{}", self.window.cut());
        let status = status_by(&mut self.child.0, self.deadline);
        (status.code(), self.window)
    }

    /// Takes in what comes next; returns `false` when nothing more comes.
    fn listen(&mut self) -> bool {
        let left = self.deadline.saturating_duration_since(Instant::now());
        assert!(!left.is_zero(), "too late:\n{}", self.window.cut());
        self.read(PollTimeout::try_from(left).expect("the patience fits"))
    }

    fn read(&mut self, timeout: PollTimeout) -> bool {
        let mut polled = [PollFd::new(self.terminal.as_fd(), PollFlags::POLLIN)];
        if poll(&mut polled, timeout).expect("the terminal can be polled") == 0 {
            return true;
        }
        let mut bytes = [0; 4096];
        // Once nobody has the other side any more, this is an error on some systems.
        match self.terminal.read(&mut bytes) {
            Ok(0) | Err(_) => false,
            Ok(length) => {
                self.window.feed(&bytes[..length]);
                true
            }
        }
    }

    fn id(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.0.id()).expect("process ids are small"))
    }
}

/// A command whose terminal has gone.
pub(super) struct Orphan {
    child: Guarded,
    deadline: Instant,
}

impl Orphan {
    /// Waits for its end.
    pub(super) fn end(mut self) -> Option<i32> {
        status_by(&mut self.child.0, self.deadline).code()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // Both do nothing to one that has been waited for.
        let _killed = self.0.kill();
        let _reaped = self.0.wait();
    }
}

fn status_by(child: &mut Child, deadline: Instant) -> ExitStatus {
    loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            return status;
        }
        assert!(Instant::now() < deadline, "it did not exit");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn set_size(terminal: impl AsFd, columns: u16, rows: u16) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(terminal, size).expect("a terminal has a size");
}

/// How long anything may take that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);
