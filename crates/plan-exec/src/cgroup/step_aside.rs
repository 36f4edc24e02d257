//! Stepping aside: what to do so that controllers can be enabled in a cgroup that holds processes.
//!
//! The kernel refuses that with EBUSY, the root of the hierarchy excepted. This process is then moved into a leaf
//! of its own, and it is tried again for a while: a process that is on its way out still counts.
//!
//! ```text
//! Enable --ok------------------------------> Done
//!    |--EBUSY, first time--> Enter --ok----> Enable
//!    |                         `--failed---> Fail(CannotEnter)
//!    |--EBUSY, in time-----> Pause --------> Enable
//!    |--EBUSY, too late----> Return -------> Fail(Occupied)
//!    `--another error------> (Return ------>) Fail(Refused)
//! ```

use std::time::Duration;

use rustix::io::Errno;

use super::file::FileError;

/// The state: told what came of the last order, it gives the next.
#[derive(Debug)]
pub(super) struct StepAside {
    /// How long it is tried in total.
    patience: Duration,
    aside: bool,
}

/// What to do next.
#[derive(Debug)]
pub(super) enum Order {
    /// Try to enable the controllers, then call [`StepAside::enabled`].
    Enable,
    /// Move this process into the leaf, then call [`StepAside::entered`].
    Enter,
    /// Wait a moment, then try again.
    Pause,
    /// The controllers are enabled.
    Done,
    /// They cannot be. Move this process back first, if `back`.
    Fail { cause: Failure, back: bool },
}

/// Why controllers cannot be enabled.
#[derive(Debug)]
pub(super) enum Failure {
    /// The kernel refuses for another reason than processes in the cgroup.
    Refused(FileError),
    /// This process cannot be moved into a leaf.
    CannotEnter(FileError),
    /// Other processes are in the cgroup, and stay there.
    Occupied,
}

impl StepAside {
    /// Begins with [`Order::Enable`]. With no patience at all, nothing is moved.
    pub(super) const fn new(patience: Duration) -> (Self, Order) {
        let aside = false;
        (Self { patience, aside }, Order::Enable)
    }

    /// Takes in what came of [`Order::Enable`], `elapsed` after the beginning.
    pub(super) fn enabled(&mut self, result: Result<(), FileError>, elapsed: Duration) -> Order {
        let back = self.aside;
        match result {
            Ok(()) => Order::Done,
            Err(error) if error.errno() != Some(Errno::BUSY) => Order::Fail {
                cause: Failure::Refused(error),
                back,
            },
            Err(_) if elapsed >= self.patience => Order::Fail {
                cause: Failure::Occupied,
                back,
            },
            Err(_) if self.aside => Order::Pause,
            Err(_) => Order::Enter,
        }
    }

    /// Takes in what came of [`Order::Enter`].
    pub(super) fn entered(&mut self, result: Result<(), FileError>) -> Order {
        match result {
            Ok(()) => {
                self.aside = true;
                Order::Enable
            }
            Err(error) => Order::Fail {
                cause: Failure::CannotEnter(error),
                back: false,
            },
        }
    }
}
