//! The trace.

mod append;
mod file;
mod id;
mod json;
mod owned;
pub mod read;
pub mod record;
mod records;
mod text;
mod word;

pub use append::{AppendError, Appender, PlaceFault};
pub use file::OpenError;
pub use id::{EventId, NotAnId, SessionId, id};
pub use json::{Json, NotJson};
pub use read::{Line, ReadError, Reader};
pub use record::{Event, Record};
pub use records::{RecordsError, TRACE_FILE, create_session_dir, records_dir};
pub use text::Text;
pub use word::{
    CallKind, DelegationOutcome, ExitStatus, HookEvent, PlanOutcome, StepKind, StepStatus,
};
