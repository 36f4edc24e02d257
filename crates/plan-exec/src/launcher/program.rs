//! The program that is started as a launcher: this very one, or one an embedder names.

use std::{
    borrow::Cow,
    io,
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
                    program: self.name(),
                    source,
                }),
            },
            Self::At(path) if path.as_os_str().as_encoded_bytes().contains(&b'/') => {
                Ok(Cow::Borrowed(path))
            }
            Self::At(path) => Ok(Cow::Owned(Path::new(".").join(path))),
        }
    }

    /// Returns the error of one that could not be started by `path`, with the file that is missing where that can
    /// be known: it takes the null device as well.
    pub(crate) fn not_started(&self, path: &Path, source: io::Error) -> LauncherError {
        self.not_started_beside(path, Path::new("/dev/null"), source)
    }

    fn not_started_beside(&self, path: &Path, null: &Path, source: io::Error) -> LauncherError {
        let is_missing = |path: &Path| {
            path.metadata()
                .is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        };
        let is_null =
            source.kind() == io::ErrorKind::NotFound && !is_missing(path) && is_missing(null);
        LauncherError::NotStarted {
            program: match self {
                Self::ThisProgram => format!("this program (`{}`)", path.display()),
                Self::At(_) => self.name(),
            },
            source: if is_null {
                let what = format!("`{}`, which its streams take, is missing", null.display());
                io::Error::new(io::ErrorKind::NotFound, what)
            } else {
                source
            },
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
        source: io::Error,
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

#[cfg(test)]
mod tests {
    use std::{io, path::Path};

    use super::LauncherProgram;

    /// decision: an error of the system names the file it is about, where that can be known.
    #[test]
    fn a_launcher_that_cannot_be_started_names_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let nowhere = Path::new("/nonexistent/exe");
        let said = |path, null, kind: io::ErrorKind| {
            let error = LauncherProgram::ThisProgram.not_started_beside(path, null, kind.into());
            error.to_string()
        };
        let missing = io::ErrorKind::NotFound;
        assert_eq!(
            said(nowhere, nowhere, missing),
            "cannot start this program (`/nonexistent/exe`) as a launcher: entity not found"
        );
        assert_eq!(
            said(here, nowhere, missing),
            format!(
                "cannot start this program (`{}`) as a launcher: `/nonexistent/exe`, which its streams take, is missing",
                here.display()
            )
        );
        for (null, kind) in [(here, missing), (nowhere, io::ErrorKind::PermissionDenied)] {
            assert!(!said(here, null, kind).contains("missing"));
        }
    }
}
