//! The lines of a trace as types: keys in the order they are written, and whether a key without a value is left
//! out or `null`. Which line hangs off which is the caller's; the common first keys are the appender's.

mod delegation;
mod denial;
mod plan;
mod session;
mod task;

pub use delegation::{Delegation, DelegationStart};
pub use denial::{CallDenied, ProtectedPathDenied};
pub use plan::{
    PlanEnd, PlanStart, PlanStep, PlanStepStart, PlannedStep, StepSource, Steps, StepsText,
};
pub use session::{SessionEnd, SessionStart, SpawnerEnded};
pub use task::{TaskCanceled, TaskEnd, TaskStart};

use serde::{Deserialize, Deserializer, Serialize};

macro_rules! record {
    ($($(#[$doc:meta])* $name:ident = $event:literal),+ $(,)?) => {
        /// One line of a trace, without the keys every line starts with.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Record<'a> {
            $($(#[$doc])* $name($name<'a>),)+
        }

        /// The kind of a known line: its `event_type`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Event {
            $($(#[$doc])* $name,)+
        }

        impl Event {
            /// Every known kind.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Returns the kind with this name, `None` when this version does not know it.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($event => Some(Self::$name),)+
                    _ => None,
                }
            }

            /// Returns the `event_type`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $event,)+
                }
            }

            /// Reads the payload of a line of this kind; keys it does not know are skipped.
            pub(crate) fn read<'de, D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<Record<'de>, D::Error> {
                match self {
                    $(Self::$name => $name::deserialize(deserializer).map(Record::$name),)+
                }
            }
        }

        impl Record<'_> {
            /// Returns the kind of the line.
            pub const fn event(&self) -> Event {
                match self {
                    $(Self::$name(_) => Event::$name,)+
                }
            }

            /// Returns the same record, borrowing nothing.
            pub fn into_owned(self) -> Record<'static> {
                match self {
                    $(Self::$name(record) => Record::$name(record.into_owned()),)+
                }
            }

            /// Appends the payload as a JSON object.
            pub(crate) fn write(&self, line: &mut Vec<u8>) -> serde_json::Result<()> {
                match self {
                    $(Self::$name(record) => write(record, line),)+
                }
            }
        }

        $(impl<'a> From<$name<'a>> for Record<'a> {
            fn from(record: $name<'a>) -> Self {
                Self::$name(record)
            }
        })+
    };
}

record! {
    /// A session begins: the first line of a trace.
    SessionStart = "session_start",
    /// A task begins.
    TaskStart = "task_start",
    /// A plan begins.
    PlanStart = "plan_start",
    /// A step is dispatched for the first time.
    PlanStepStart = "plan_step_start",
    /// A step settled.
    PlanStep = "plan_step",
    /// A plan ended.
    PlanEnd = "plan_end",
    /// A child was launched and reported itself.
    DelegationStart = "delegation_start",
    /// A delegation ended.
    Delegation = "delegation",
    /// A hook refused a call.
    CallDenied = "call_denied",
    /// A call would have written a protected path.
    ProtectedPathDenied = "protected_path_denied",
    /// A task was cancelled.
    TaskCanceled = "task_canceled",
    /// A task ended.
    TaskEnd = "task_end",
    /// The session's spawner went away.
    SpawnerEnded = "spawner_ended",
    /// A session ended.
    SessionEnd = "session_end",
}

fn write<T: Serialize>(record: &T, line: &mut Vec<u8>) -> serde_json::Result<()> {
    serde_json::to_writer(line, record)
}
