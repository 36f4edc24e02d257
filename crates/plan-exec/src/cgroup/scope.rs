//! A scope: the cgroup around everything that one plan starts.

use std::{
    path::{Path, PathBuf},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use rustix::io::Errno;

use super::{
    base::Base,
    counts::ScopeCounts,
    draft::Draft,
    end::{self, EndError},
    file::FileError,
    leaf::Leaf,
    leaves::Leaves,
    limits::ScopeLimits,
    name,
    slack::Slack,
};

/// The cgroup of a plan. Dropping it ends it, blocking the thread for half a second at the most.
#[derive(Debug)]
pub(crate) struct Scope {
    leaves: Arc<Leaves>,
    slack: Vec<Slack>,
    ended: AtomicBool,
}

impl Scope {
    /// Makes the scope of a plan, with its limits, below `base`. `workdir` says which disk is bounded.
    ///
    /// Fails when it cannot be made, or under a full base when a limit on memory, processes or processor cannot be
    /// set; then nothing is left of it. Any other limit that cannot be set is in [`Scope::slack`].
    pub(crate) fn create(
        base: &Base,
        plan_id: &str,
        limits: &ScopeLimits,
        workdir: &Path,
    ) -> Result<Self, FileError> {
        let dir = make(base, plan_id)?;
        let draft = Draft {
            files: &base.files,
            dir: &dir,
            controllers: base.controllers,
        };
        match draft.bound(limits, workdir, base.demand) {
            Ok(slack) => Ok(Self {
                leaves: Arc::new(Leaves::of(dir, base.files.clone())),
                slack,
                ended: AtomicBool::new(false),
            }),
            Err(error) => {
                // Nobody is inside yet, so what keeps it from going is what keeps the limit from being set.
                drop(base.files.remove(&dir));
                Err(error)
            }
        }
    }

    /// Returns the directory of the scope: what [`end::end_scope_at`] needs once this process is gone.
    pub(crate) fn dir(&self) -> &Path {
        self.leaves.scope()
    }

    /// Returns the ceilings that do not hold.
    pub(crate) fn slack(&self) -> &[Slack] {
        &self.slack
    }

    /// Returns how often its limits were reached.
    pub(crate) fn counts(&self) -> ScopeCounts {
        ScopeCounts::of(self.leaves.files(), self.dir())
    }

    /// Returns whether a retired leaf still has somebody in it, as far as was looked last.
    pub(crate) fn has_left(&self) -> bool {
        self.leaves.has_left()
    }

    /// Makes the leaf of an attempt. Its counters begin at 0.
    pub(crate) fn leaf(&self, step_number: usize, attempt: u32) -> Result<Leaf, FileError> {
        Leaf::make(
            Arc::clone(&self.leaves),
            &format!("s{step_number}-a{attempt}"),
        )
    }

    /// Kills everything inside and removes the scope, 5 s later at the most.
    pub(crate) async fn end(&self) -> Result<(), EndError> {
        end::waiting(self.leaves.files(), self.dir()).await?;
        self.ended.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        if !*self.ended.get_mut() {
            // There is nobody to tell.
            drop(end::blocking(
                self.leaves.files(),
                self.dir(),
                DROP_PATIENCE,
            ));
        }
    }
}

/// Makes its directory, under a name that no other has.
fn make(base: &Base, plan_id: &str) -> Result<PathBuf, FileError> {
    loop {
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let dir = base.dir.join(name::scope(plan_id, process::id(), serial));
        match base.files.make(&dir) {
            Ok(()) => return Ok(dir),
            // Left behind by a process that had our id.
            Err(error) if error.errno() == Some(Errno::EXIST) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Counts the scopes of this process.
static SERIAL: AtomicU64 = AtomicU64::new(0);

/// How long dropping a scope blocks.
const DROP_PATIENCE: Duration = Duration::from_millis(500);
