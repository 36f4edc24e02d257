//! What a launcher is told, and what it answers. Both ends are the same build, or say that they are not
//! ([`super::frame`]).

use serde::{Deserialize, Serialize};

use super::{failure::Failure, limits::ProcessLimits, walls::Walls};

/// What a launcher was started for. Paths and words are bytes, as the system has them.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Job<'a> {
    /// To become a step's program, or to supervise it.
    #[serde(borrow)]
    Step(Box<Step<'a>>),
    /// To try what the host allows, on this directory, and say so.
    Probe { directory: &'a [u8] },
    /// To end this scope when the runtime dies.
    Watch { scope: &'a [u8] },
}

/// A step's program and what is put around it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step<'a> {
    /// The program, as `execve` takes it.
    pub(crate) path: &'a [u8],
    /// The word it is called by.
    pub(crate) word: &'a [u8],
    /// What follows the word.
    #[serde(borrow)]
    pub(crate) arguments: Vec<&'a [u8]>,
    /// The whole environment.
    #[serde(borrow)]
    pub(crate) environment: Vec<(&'a [u8], &'a [u8])>,
    /// Where it starts.
    pub(crate) workdir: &'a [u8],
    /// Whether a leaf's `cgroup.procs` came along, the first descriptor.
    pub(crate) joins_leaf: bool,
    /// Whether its standard input came along, the next descriptor; else it is empty.
    pub(crate) has_input: bool,
    /// The variable that is to hold the number of the lifeline's descriptor, which then came along, the last one:
    /// the program inherits it. Such a program is held to no limits.
    pub(crate) lifeline: Option<&'a [u8]>,
    /// Whether the launcher stays, to keep hold of what the program starts.
    pub(crate) supervised: bool,
    pub(crate) limits: ProcessLimits,
    #[serde(borrow)]
    pub(crate) walls: Enclosure<'a>,
}

/// [`Walls`] on their way.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Enclosure<'a> {
    pub(crate) landlock: bool,
    pub(crate) mounts: bool,
    #[serde(borrow)]
    pub(crate) writable: Vec<&'a [u8]>,
    #[serde(borrow)]
    pub(crate) read_only: Vec<&'a [u8]>,
    #[serde(borrow)]
    pub(crate) islands: Vec<&'a [u8]>,
    #[serde(borrow)]
    pub(crate) known: Vec<Known<'a>>,
}

/// [`super::KnownTree`] on its way.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Known<'a> {
    pub(crate) path: &'a [u8],
    pub(crate) identity: Option<(u64, u64)>,
}

impl<'a> From<&'a Walls> for Enclosure<'a> {
    fn from(walls: &'a Walls) -> Self {
        let bytes = |paths: &'a [std::path::PathBuf]| {
            let paths = paths.iter();
            paths
                .map(|path| path.as_os_str().as_encoded_bytes())
                .collect()
        };
        Self {
            landlock: walls.landlock,
            mounts: walls.mounts,
            writable: bytes(&walls.writable),
            read_only: bytes(&walls.read_only),
            islands: bytes(&walls.islands),
            known: walls
                .known
                .iter()
                .map(|known| Known {
                    path: known.path.as_os_str().as_encoded_bytes(),
                    identity: known.identity,
                })
                .collect(),
        }
    }
}

/// What a launcher says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Report {
    /// Everything is in place: what follows is end-of-file when it has become the program, a failure when not.
    /// From a watcher: it watches.
    Ready,
    /// It could not do this, and ends.
    Failed(Failure),
    /// What a probe found.
    Found {
        /// The kernel's Landlock ABI, or why it cannot be had.
        landlock: Result<u32, Failure>,
        /// Whether a mount namespace can be had, or why not.
        mounts: Result<(), Failure>,
    },
    /// From a supervisor: the program runs, as the leader of this group.
    Started { leader: i32 },
    /// From a supervisor: the leader exited with this code.
    ExitedWithCode { code: i32 },
    /// From a supervisor: this signal killed the leader.
    ExitedBySignal { signal: i32 },
}

/// What a launcher that stays is asked. End-of-file means that nobody is left to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// To a supervisor: send this signal to the leader's group.
    Signal { number: i32 },
    /// To a supervisor: kill everything the program has started.
    KillAll,
    /// To a watcher: the scope is gone.
    Dismiss,
}
