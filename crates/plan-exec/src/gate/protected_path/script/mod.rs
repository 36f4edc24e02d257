//! A script as a shell would read it, followed for what it writes.
//!
//! ```text
//! text -> reader (token, frame, word) -> commands -> expand (variables) -> arguments -> program/ -> judge
//!                                    -> lists     -> bases: the directories it may be in
//! ```

mod bases;
mod choice;
mod document;
mod expand;
mod frame;
mod listener;
mod quoting;
mod reader;
mod token;
mod variables;
mod walk;
mod word;

pub(super) use walk::Walk;
