//! How much the workdir holds, measured now and then while a plan runs (`workdir_max_bytes`).

use std::{
    collections::HashSet,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::task::JoinHandle;
use walkdir::WalkDir;

/// What counts: the workdir, and the session's own `home/` and `tmp/`.
#[derive(Debug, Clone)]
pub(super) struct Measured {
    /// The trees that count.
    pub(super) roots: Vec<PathBuf>,
    /// Trees inside them that do not: the sessions and records of a home within the workdir.
    pub(super) left_out: Vec<PathBuf>,
    /// The most they may hold together, in bytes.
    pub(super) limit: u64,
}

/// A measuring that goes on until it is dropped.
#[derive(Debug)]
pub(super) struct WorkdirSize {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Shared {
    is_over: AtomicBool,
    stopped: AtomicBool,
}

impl WorkdirSize {
    /// Measures now, and every 10 s.
    pub(super) fn watch(measured: Measured) -> Self {
        let shared = Arc::new(Shared::default());
        let task = tokio::spawn(repeat(Arc::new(measured), Arc::clone(&shared)));
        Self { shared, task }
    }

    /// Returns whether the last measuring found more than there may be.
    pub(super) fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::Relaxed)
    }
}

impl Drop for WorkdirSize {
    fn drop(&mut self) {
        // The walk itself runs on a thread that cannot be aborted: it looks at this at every entry.
        self.shared.stopped.store(true, Ordering::Relaxed);
        self.task.abort();
    }
}

async fn repeat(measured: Arc<Measured>, shared: Arc<Shared>) {
    loop {
        let walk = {
            let (measured, shared) = (Arc::clone(&measured), Arc::clone(&shared));
            move || measured.is_over(&shared.stopped)
        };
        if let Ok(is_over) = tokio::task::spawn_blocking(walk).await {
            shared.is_over.store(is_over, Ordering::Relaxed);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

impl Measured {
    /// Returns whether there is more than there may be; stops as soon as that is sure, or once `stopped` is set.
    ///
    /// Counted is what the file system has set aside, a file with several names once. What cannot be looked at
    /// counts as nothing; no link is followed.
    fn is_over(&self, stopped: &AtomicBool) -> bool {
        let mut seen = HashSet::new();
        let mut total = 0_u64;
        for root in &self.roots {
            let entries = WalkDir::new(root)
                .into_iter()
                .filter_entry(|entry| entry.depth() == 0 || self.counts(entry.path()));
            for entry in entries.filter_map(Result::ok) {
                if stopped.load(Ordering::Relaxed) {
                    return false;
                }
                let Ok(metadata) = entry.metadata() else {
                    continue;
                };
                let is_shared = !metadata.is_dir() && metadata.nlink() > 1;
                if is_shared && !seen.insert((metadata.dev(), metadata.ino())) {
                    continue;
                }
                total = total.saturating_add(metadata.blocks().saturating_mul(BLOCK_BYTES));
                if total > self.limit {
                    return true;
                }
            }
        }
        false
    }

    /// Returns whether an entry counts where it was found; a root inside another one is walked by itself.
    fn counts(&self, path: &Path) -> bool {
        !self
            .left_out
            .iter()
            .chain(&self.roots)
            .any(|other| other == path)
    }
}

/// Between two measurings.
const PAUSE: Duration = Duration::from_secs(10);

/// What `st_blocks` counts in, whatever the file system's own blocks are.
const BLOCK_BYTES: u64 = 512;

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, sync::atomic::AtomicBool};

    use super::Measured;

    fn over(workdir: &Path, limit: u64) -> bool {
        let home = workdir.join("home/records/ses_1/home");
        let measured = Measured {
            roots: vec![workdir.to_owned(), home],
            left_out: vec![workdir.join("home/records")],
            limit,
        };
        measured.is_over(&AtomicBool::new(false))
    }

    /// spec: What a plan may reach. The workdir counts with the session's own folders, each file once, and
    /// neither what a link leads to nor the records of a home inside it.
    #[test]
    fn what_counts_is_counted_once() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("big"), vec![1; 4 << 20]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let workdir = folder.path();
        fs::create_dir_all(workdir.join("home/records/ses_1/home")).unwrap();
        fs::create_dir_all(workdir.join("a/b")).unwrap();
        std::os::unix::fs::symlink(outside.path(), workdir.join("a/link")).unwrap();
        fs::write(workdir.join("home/records/trace"), vec![1; 4 << 20]).unwrap();
        assert!(!over(workdir, 1 << 20), "nothing that counts is there yet");

        fs::write(workdir.join("a/b/file"), vec![1; 600 << 10]).unwrap();
        fs::hard_link(workdir.join("a/b/file"), workdir.join("a/same")).unwrap();
        assert!(!over(workdir, 1 << 20), "one file by two names");
        assert!(over(workdir, 500 << 10));

        let kept = workdir.join("home/records/ses_1/home/cache");
        fs::write(kept, vec![1; 600 << 10]).unwrap();
        assert!(over(workdir, 1 << 20), "the session's home counts");
    }

    /// spec: What a plan may reach. A measuring nobody waits for any more ends.
    #[test]
    fn a_stopped_measuring_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), vec![1; 1 << 20]).unwrap();
        let measured = Measured {
            roots: vec![folder.path().to_owned()],
            left_out: Vec::new(),
            limit: 1,
        };
        assert!(!measured.is_over(&AtomicBool::new(true)));
        assert!(measured.is_over(&AtomicBool::new(false)));
    }
}
