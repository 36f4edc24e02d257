//! Policy hooks: the operator's own say on a step, one question at a time.
//!
//! ```text
//! PolicyHooks (a Gate) --> PolicyHook::ask, in the order declared, each within its bound
//!                              HookProgram: the call on standard input, `{}` or a denial on standard output
//! ```
//!
//! Only a clean "no objection" lets a call go on. What a step does with a refusal is told elsewhere.

mod hooks;
mod policy;
mod program;
mod protocol;

pub use hooks::PolicyHooks;
pub use policy::{HookAnswer, HookCall, HookEvent, PolicyHook};
pub use program::{HookProgram, HookProgramError, HookProgramSpec};
