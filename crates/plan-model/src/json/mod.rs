//! Walking JSON that serde_json has found valid: spans, strings, places. Knows nothing of plans.

mod cursor;
mod decode;
mod place;
mod scan;
mod spelt;
mod syntax;
mod trouble;
mod walk;
mod white;

pub(crate) use cursor::{Cursor, RawString};
pub(crate) use decode::{decode, decoded};
pub(crate) use place::{BOM, pointers, positions};
pub(crate) use spelt::Spelt;
pub(crate) use syntax::{deepest, validate};
pub(crate) use trouble::Trouble;
pub(crate) use walk::{Finding, Walker, repeated};
pub use white::compact;
pub(crate) use white::push_compact;
