//! The command while it runs: signals go to it, and its end is waited for, but not for ever.

use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::ended::Ended;

/// A started command. Dropping it kills it, so that a test that fails leaves nothing.
#[must_use = "wait for its end"]
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    said: Receiver<Said>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    open: usize,
    root: PathBuf,
    /// Whether its trace can be written to its end.
    is_whole: bool,
    deadline: Instant,
}

#[derive(Debug)]
enum Said {
    Out(Vec<u8>),
    Err(Vec<u8>),
    Closed,
}

impl Running {
    pub(crate) fn start(
        mut command: Command,
        input: Option<Vec<u8>>,
        root: &Path,
        is_whole: bool,
    ) -> Self {
        if input.is_some() {
            command.stdin(Stdio::piped());
        }
        let mut child = command.spawn().expect("the command can be started");
        if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
            // Whether it reads everything is its own affair.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        let (sender, said) = mpsc::channel();
        let mut open = 0;
        if let Some(stdout) = child.stdout.take() {
            open += 1;
            relay(stdout, Said::Out, sender.clone());
        }
        if let Some(stderr) = child.stderr.take() {
            open += 1;
            relay(stderr, Said::Err, sender);
        }
        Self {
            child,
            said,
            stdout: Vec::new(),
            stderr: Vec::new(),
            open,
            root: root.to_owned(),
            is_whole,
            deadline: Instant::now() + PATIENCE,
        }
    }

    /// Sends it a signal. It is reaped by [`Running::wait`] alone, so the signal reaches no other process.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id()).expect("process ids are small");
        kill(Pid::from_raw(id), signal).expect("the command is there");
    }

    /// Waits until standard error holds `text`.
    pub(crate) fn wait_for(&mut self, text: &str) {
        while !String::from_utf8_lossy(&self.stderr).contains(text) {
            assert!(self.open > 0, "it ended without saying {text:?}");
            self.listen();
        }
    }

    /// Waits for its end.
    pub(crate) fn wait(mut self) -> Ended {
        let status = self.exit();
        let (stdout, stderr) = (
            std::mem::take(&mut self.stdout),
            std::mem::take(&mut self.stderr),
        );
        Ended::read(status, stdout, &stderr, &self.root, self.is_whole)
    }

    fn exit(&mut self) -> ExitStatus {
        while self.open > 0 {
            self.listen();
        }
        // Its streams are closed, so it is about to exit.
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status;
            }
            assert!(Instant::now() < self.deadline, "{}", self.late());
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn listen(&mut self) {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.said.recv_timeout(left) {
            Ok(Said::Out(bytes)) => self.stdout.extend(bytes),
            Ok(Said::Err(bytes)) => self.stderr.extend(bytes),
            Ok(Said::Closed) => self.open -= 1,
            Err(RecvTimeoutError::Timeout) => panic!("{}", self.late()),
            Err(RecvTimeoutError::Disconnected) => unreachable!("each stream says that it closed"),
        }
    }

    fn late(&self) -> String {
        format!(
            "the command did not end in {PATIENCE:?}; it said:\n{}\n{}",
            String::from_utf8_lossy(&self.stdout),
            String::from_utf8_lossy(&self.stderr)
        )
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both do nothing to one that has been waited for.
        let _killed = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn relay(mut stream: impl Read + Send + 'static, said: fn(Vec<u8>) -> Said, to: Sender<Said>) {
    thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) | Err(_) => break,
                Ok(length) => {
                    // A test that has failed no longer listens.
                    if to.send(said(buffer[..length].to_vec())).is_err() {
                        return;
                    }
                }
            }
        }
        drop(to.send(Said::Closed));
    });
}

/// How long a command may take before its test fails.
const PATIENCE: Duration = Duration::from_secs(60);
