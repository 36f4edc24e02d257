//! Reading a trace, line by line. What a trace says is left to whoever reads; what is wrong with one that can be
//! read, to [`check`](crate::check).
//!
//! Skipped: kinds of line and keys this version does not know, blank lines, and a last line that was torn. Refused,
//! by file and line: everything else that does not fit. A text key that the format requires must be there; a
//! measure, a list or a flag that is missing reads as 0, empty or false, as Murmur's own reader has it.

mod line;
mod reader;

pub use line::{Envelope, Line, LineFault};
pub use reader::{LINE_LIMIT, ReadError, ReadFault, Reader};
