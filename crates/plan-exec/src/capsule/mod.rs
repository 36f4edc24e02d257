//! Capsule steps: a task handed to a sub-agent that a referee daemon approved, and its answer (docs/roost.md).
//!
//! ```text
//! RoostCapsules -> registration -> roost (HTTP)      who may be launched
//!       |
//!    attempt    -> work_folder, environment, launch  the child, holding its lifeline
//!               -> readiness                         where it listens
//!               -> door -> task                      the task over A2A, and how it went
//!               -> result_file, answer               the text of the answer
//!               -> completion                        what a cancel leaves in the child's records
//! ```
//!
//! What a sub-capsule may do is its own manifest's to say and the daemon's to allow. The trace lines are written
//! by the driver from what is reported here ([`crate::Delegation`]).

mod answer;
mod attempt;
mod completion;
mod door;
mod environment;
mod exchange;
mod executor;
mod folder;
mod launch;
mod lines;
mod names;
mod object;
mod readiness;
mod registration;
mod result_file;
mod roost;
mod running;
mod secret;
mod spec;
mod task;
mod undelegated;
mod url;
mod wire;
mod work_folder;

pub use executor::RoostCapsules;
pub use registration::{Standing, ToRegister};
pub use secret::Secret;
pub use spec::{ChildManifests, ChildProgram, DelegationBounds, Echo, RoostSpec, SpawnerFacts};
pub use undelegated::UndelegatedCapsules;
pub use url::{RoostUrl, RoostUrlError};
