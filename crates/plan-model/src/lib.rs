//! What a plan is, and when it is refused.
//!
//! [`PlanDoc::read`] takes the text (ruling 1), [`PlanDoc::check`] turns it into a [`Plan`] that only validation
//! can make, or into every fault at once:
//!
//! ```
//! use plan_model::{Grants, PlanDoc};
//!
//! let grants = Grants {
//!     tools: vec!["notes".to_owned()],
//!     shell_allow: vec!["cargo".to_owned()],
//! };
//! let text = r#"{"id": "p", "steps": [
//!     {"id": "check", "shell": "cargo test", "on_error": "continue"},
//!     {"id": "note", "tool": "notes", "depends_on": ["check"], "input": {"body": "$check.output"}}
//! ]}"#;
//! let checked = PlanDoc::read(text.as_bytes().to_vec()).check(Some(&grants));
//! let plan = checked.plan.expect("nothing is wrong with it");
//! let note = plan.indices().last().expect("there are two steps");
//! let input = plan.step(note).resolve_input(&mut |_| Ok::<_, ()>("all \"good\""));
//! assert_eq!(input, Ok(r#"{"body":"all \"good\""}"#.to_owned()));
//!
//! let text = text.replace("[\"check\"]", "[\"chekc\"]");
//! let refused = PlanDoc::read(text.into_bytes()).check(Some(&grants)).plan.unwrap_err();
//! let fault = &refused.faults[0];
//! assert_eq!(fault.message, "depends_on names `chekc`, which the plan does not declare");
//! assert_eq!(fault.hint.as_deref(), Some("did you mean `check`?"));
//! assert_eq!((fault.pointer.as_str(), fault.line), ("/steps/1/depends_on/0", 3));
//! ```
//!
//! Opens no file, reads no environment, and knows nothing of running a plan beyond the three words of [`Status`].

pub mod argv;
mod check;
mod diagnostic;
mod doc;
mod grants;
mod ids;
mod json;
mod kind;
mod nearest;
mod plan;
mod problem;
mod refused;
mod report;
#[cfg(feature = "schema")]
pub mod schema;
mod status;
mod step;
mod template;
mod text;

pub use check::Checked;
pub use diagnostic::{Diagnostic, FaultyStep, Severity};
pub use doc::{PlanDoc, StepOutline};
pub use grants::Grants;
pub use ids::StepIdx;
pub use json::compact;
pub use kind::{Kind, OnError};
pub use nearest::nearest;
pub use plan::{Plan, Ref};
pub use plan_cond::Field;
pub use problem::{CODES, Code};
pub use refused::Refused;
pub use report::{CANCELED_BEFORE_RUN, CANCELED_WITH_CAPSULE, Counts, Report, StepReport};
pub use status::Status;
pub use step::{Action, Step};
