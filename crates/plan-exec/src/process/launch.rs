//! What is put around a program before its first instruction.

use std::marker::PhantomData;

/// How a program is started.
#[derive(Debug)]
pub(crate) enum Launch<'a> {
    /// As it is, in a process group of its own.
    Plain(PhantomData<&'a ()>),
}
