//! `trace show`: a session in sections.

mod lists;
mod page;
mod plan;
mod session;

use std::io::{self, Write};

use super::{
    ending::{Ending, Writer},
    style::Look,
};
use crate::pair::Run;
use page::Page;

/// Writes `run` in sections: the session, each plan with every step in file order, delegations, refused calls,
/// protected paths, cancels. Sections without an entry are left out.
///
/// # Errors
///
/// Faults of writing to `out`.
pub fn show(out: &mut dyn Write, run: &Run, writer: Writer, look: Look) -> io::Result<()> {
    let ending = Ending::of(run, writer);
    let mut page = Page::new(out, look, ending == Ending::GoingOn);
    page.header(run, ending)?;
    for plan in &run.plans {
        page.plan(plan)?;
    }
    page.delegations(run)?;
    page.denials(run)?;
    page.protections(run)?;
    page.canceled(run)
}

const REASON_INDENT: usize = 6;
/// A longer id is cut: the JSON has it whole.
const WIDEST_ID: usize = 40;
/// More names than this are no help to the eye.
const MOST_NAMED: usize = 8;
