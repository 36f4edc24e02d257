//! The program that is started as a launcher: this very one, or one an embedder names.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use super::serve;

/// Does what a launcher is asked for and never returns, when this process was started as one; else returns.
///
/// To be called first thing in `main`, before any thread is started and any descriptor is opened, by a program
/// whose steps are launched by [`LauncherProgram::ThisProgram`]. Costs a look at the first argument.
pub fn serve_as_launcher() {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == ARGUMENT)
    {
        leave(serve::serve());
    }
    SERVES.store(true, Ordering::Relaxed);
}

#[expect(
    clippy::exit,
    reason = "a launcher is not the program its `main` was written for"
)]
fn leave(status: i32) -> ! {
    std::process::exit(status)
}

/// Which program is started as a launcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LauncherProgram {
    /// This very program, which calls [`serve_as_launcher`] first thing in its `main`.
    ThisProgram,
    /// A program that does nothing else than to call [`serve_as_launcher`], by its path. A relative
    /// one is relative to this process's working directory.
    At(PathBuf),
}

impl LauncherProgram {
    /// Checks that this program has called [`serve_as_launcher`], if it is to be its own launcher. What a path
    /// names is only known by a probe.
    ///
    /// # Errors
    /// When it has not.
    pub fn ready(&self) -> Result<(), LauncherError> {
        match self {
            Self::ThisProgram if !SERVES.load(Ordering::Relaxed) => Err(LauncherError::NotServed),
            Self::ThisProgram | Self::At(_) => Ok(()),
        }
    }

    /// Returns the path that is started. It holds a `/`, so nothing is looked up.
    pub(crate) fn path(&self) -> Result<Cow<'_, Path>, LauncherError> {
        self.ready()?;
        match self {
            // Stays right when the file is replaced while this runs.
            #[cfg(target_os = "linux")]
            Self::ThisProgram => Ok(Cow::Borrowed(Path::new("/proc/self/exe"))),
            #[cfg(not(target_os = "linux"))]
            Self::ThisProgram => match std::env::current_exe() {
                Ok(path) => Ok(Cow::Owned(path)),
                Err(source) => Err(LauncherError::NotStarted {
                    program: "this program".into(),
                    source,
                }),
            },
            Self::At(path) if path.as_os_str().as_encoded_bytes().contains(&b'/') => {
                Ok(Cow::Borrowed(path))
            }
            Self::At(path) => Ok(Cow::Owned(Path::new(".").join(path))),
        }
    }

    /// Returns how it is named in an error.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::ThisProgram => "this program".into(),
            Self::At(path) => format!("`{}`", path.display()),
        }
    }
}

/// Why there is no launcher.
#[derive(Debug, thiserror::Error)]
pub enum LauncherError {
    /// The embedder forgot the call.
    #[error(
        "this program is not its own launcher: call `plan_exec::serve_as_launcher()` first thing in `main`, \
         or name a launcher's path"
    )]
    NotServed,
    /// It cannot be started.
    #[error("cannot start {program} as a launcher: {source}")]
    NotStarted {
        /// Which one.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// It does not do as a launcher does.
    #[error("{program} is no launcher of this version: {why}")]
    NoLauncher {
        /// Which one.
        program: String,
        /// What it did instead.
        why: String,
    },
}

/// The hidden first argument.
pub(crate) const ARGUMENT: &str = "__plan-launcher";

/// Whether this program can be its own launcher.
static SERVES: AtomicBool = AtomicBool::new(false);

/// Returns the launcher that was built for this crate's tests.
#[cfg(test)]
pub(super) fn built() -> LauncherProgram {
    let own = std::env::current_exe().expect("a test has a path");
    let built = own
        .ancestors()
        .nth(2)
        .expect("it was built in a folder of one");
    LauncherProgram::At(built.join("plan-launcher"))
}
