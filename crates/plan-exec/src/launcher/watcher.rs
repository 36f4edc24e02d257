//! The runtime's side of a watcher: one launcher per scope, which ends the scope when this process has died.

use std::{
    io,
    os::fd::AsFd,
    path::Path,
    time::{Duration, Instant},
};

use super::{
    frame::{encode, put},
    instructions::{Job, Report, Request},
    probe::{Launched, PATIENCE},
    program::LauncherProgram,
};

/// A process that ends a scope when this one dies in any way, and else does nothing.
///
/// Dropping it sends it away, for up to half a second: whoever drops it has ended the scope.
#[derive(Debug)]
pub(crate) struct Watcher {
    launched: Launched,
}

impl Watcher {
    /// Starts one for the scope at `scope_dir` and waits until it watches: some milliseconds, 5 s at most.
    pub(crate) fn start(program: &LauncherProgram, scope_dir: &Path) -> io::Result<Self> {
        let job = encode(&Job::Watch {
            scope: scope_dir.as_os_str().as_encoded_bytes(),
        })?;
        let launched = Launched::start(program, &job).map_err(io::Error::other)?;
        match launched.answer(Instant::now() + PATIENCE) {
            Ok(Report::Ready) => Ok(Self { launched }),
            Ok(Report::Failed(failure)) => Err(io::Error::other(failure.to_string())),
            Ok(_) => Err(io::Error::other("the watcher answered something else")),
            Err(why) => Err(io::Error::other(format!("no watcher: {why}"))),
        }
    }

    /// Sends it away and waits until it has gone. To be called once the scope has ended.
    pub(crate) async fn dismiss(mut self) {
        self.let_go();
        let deadline = Instant::now() + GONE_PATIENCE;
        while !self.launched.reap() && Instant::now() < deadline {
            tokio::time::sleep(GONE_PAUSE).await;
        }
    }

    /// Says that the scope is gone, so that the end of the socket means nothing any more.
    fn let_go(&self) {
        if let Ok(frame) = encode(&Request::Dismiss) {
            let _ = put(self.launched.socket.as_fd(), &frame, 0, &[]);
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.let_go();
        let deadline = Instant::now() + GONE_PATIENCE;
        while !self.launched.reap() && Instant::now() < deadline {
            std::thread::sleep(GONE_PAUSE);
        }
        // What is left is killed with `launched`.
    }
}

/// How long a watcher that was sent away is waited for.
const GONE_PATIENCE: Duration = Duration::from_millis(500);

/// How long it waits before it looks again.
const GONE_PAUSE: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use std::{
        fs,
        path::{Path, PathBuf},
        time::{Duration, Instant},
    };

    use super::{super::program::built, Watcher};

    /// A directory shaped like a scope with a leaf, save that nobody empties it.
    fn scope() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let scope = folder.path().join("scope");
        fs::create_dir_all(scope.join("leaf/below")).unwrap();
        (folder, scope)
    }

    fn proc(watcher: &Watcher) -> PathBuf {
        Path::new("/proc").join(watcher.launched.pid().as_raw_nonzero().to_string())
    }

    fn wait_for(mut look: impl FnMut() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !look() {
            assert!(Instant::now() < deadline, "nothing came of it in 30 s");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// ruling 34: a watcher holds its socket and nothing else, no terminal and no place, in a group of its own.
    #[tokio::test]
    async fn a_watcher_holds_its_socket_alone() {
        let (_folder, scope) = scope();
        let watcher = Watcher::start(&built(), &scope).unwrap();
        let proc = proc(&watcher);
        let mut open: Vec<String> = fs::read_dir(proc.join("fd"))
            .unwrap()
            .map(|entry| fs::read_link(entry.unwrap().path()).unwrap())
            .map(|link| link.to_string_lossy().split(':').next().unwrap().to_owned())
            .collect();
        open.sort();
        assert_eq!(open, ["/dev/null", "/dev/null", "/dev/null", "socket"]);
        assert_eq!(fs::read_link(proc.join("cwd")).unwrap(), Path::new("/"));
        assert_eq!(fs::read(proc.join("environ")).unwrap(), b"");
        let stat = fs::read_to_string(proc.join("stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
        assert_eq!(proc.file_name().unwrap(), fields[2], "it leads its group");
        watcher.dismiss().await;
        assert!(!proc.exists());
        assert!(
            scope.join("leaf/below").exists(),
            "it was told that there is nothing to end"
        );
    }

    /// ruling 34: the end of the runtime, whatever it was, ends the scope.
    #[test]
    fn the_end_of_the_runtime_ends_the_scope() {
        let (_folder, scope) = scope();
        let mut watcher = Watcher::start(&built(), &scope).unwrap();
        let (other, _theirs) = super::super::frame::pair().unwrap();
        fs::write(scope.join("cgroup.kill"), "").unwrap();
        drop(std::mem::replace(&mut watcher.launched.socket, other));
        wait_for(|| fs::read_to_string(scope.join("cgroup.kill")).unwrap() == "1");
        // In a real one, that and the rest of it is the kernel's doing.
        wait_for(|| fs::remove_dir_all(&scope).is_ok() || !scope.exists());
        wait_for(|| watcher.launched.reap());
    }

    /// ruling 34: a watcher that is dropped goes as well, and ends nothing.
    #[test]
    fn a_dropped_watcher_goes() {
        let (_folder, scope) = scope();
        let watcher = Watcher::start(&built(), &scope).unwrap();
        let proc = proc(&watcher);
        drop(watcher);
        assert!(!proc.exists());
        assert!(scope.join("leaf/below").exists());
    }

    /// decision: what is no launcher is no watcher.
    #[test]
    fn what_is_no_launcher_does_not_watch() {
        let (_folder, scope) = scope();
        let program = super::LauncherProgram::At("/bin/true".into());
        let error = Watcher::start(&program, &scope).unwrap_err();
        insta::assert_snapshot!(error, @"no watcher: it ended without an answer");
    }
}
