//! The trace of a plan: typed records for every line, one appender, one reader, and a checker.
//!
//! A trace is a file of one compact JSON object per line. An [`Appender`] writes it, one write per line, and mints
//! the ids; a [`Reader`] reads it, also where Murmur itself wrote it; [`check::check`] says which rules of the format
//! a trace breaks; [`pair::Run`] joins its lines into what happened, and [`render`] shows that. Where the views go is
//! left to others, and so is the time: nothing here prints or reads a clock.
//!
//! ```
//! use plan_trace::{Appender, PlanOutcome, Reader, Record, SessionId, record};
//!
//! let now_ms = 1_764_600_000_000;
//! let mut file = Vec::new();
//! let mut trace = Appender::new(&mut file, SessionId::new(now_ms));
//! let session = trace.append(now_ms, None, &record::SessionStart::default().into())?;
//! let end = record::PlanEnd {
//!     plan_id: "".into(),
//!     outcome: PlanOutcome::Failed,
//!     failed_step: Some("plan".into()),
//!     steps_total: 0,
//!     steps_succeeded: 0,
//!     steps_failed: 0,
//!     steps_skipped: 0,
//!     duration_ms: 3,
//!     reason: Some("the plan is not JSON".into()),
//! };
//! trace.append(now_ms + 3, Some(&session), &end.into())?;
//!
//! let mut reader = Reader::new(&*file, "trace.jsonl");
//! while let Some(line) = reader.next_line()? {
//!     if let Record::PlanEnd(end) = line.record {
//!         assert_eq!(end.outcome, PlanOutcome::Failed);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod address;
mod append;
mod canceled;
pub mod check;
mod file;
mod id;
mod json;
mod owned;
pub mod pair;
pub mod read;
pub mod record;
mod records;
pub mod render;
mod text;
mod word;

pub use append::{AppendError, Appender, PlaceFault};
pub use canceled::{EndedDelegation, Hanging, canceled_task};
pub use file::{OpenError, is_held};
pub use id::{EventId, NotAnId, SessionId, id};
pub use json::{Json, NotJson};
pub use read::{Line, ReadError, Reader};
pub use record::{Event, Record};
pub use records::{RecordsError, TRACE_FILE, create_session_dir, records_dir};
pub use text::Text;
pub use word::{
    CallKind, DelegationOutcome, ExitStatus, HookEvent, PlanOutcome, StepKind, StepStatus,
};
