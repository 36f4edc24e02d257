//! `mur-plan trace`: what a session's trace says, as rows or in sections. Which session is found here; reading and
//! drawing are plan-trace's.

mod find;

use std::io;

use plan_trace::render::{self, Look, data};

use super::{
    args::{Trace, TraceView},
    print,
};
use crate::exit::Exit;
pub(crate) use find::{Asked, Found};

/// Shows a trace.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn trace(args: &Trace) -> io::Result<Exit> {
    let (TraceView::Steps(options) | TraceView::Show(options)) = &args.view;
    let asked = Asked {
        session: &options.session,
        workdir: options.workdir.as_deref(),
        home: options.home.as_deref(),
    };
    let found = match Found::read(asked) {
        Ok(found) => found,
        Err(refusal) => {
            refusal.show();
            return Ok(Exit::Refused);
        }
    };
    let Found { run, writer } = &found;
    let look = Look {
        width: print::data_columns(),
        colour: print::data_has_colour(),
    };
    print::data_with(|out| match (&args.view, options.json) {
        (TraceView::Steps(_), true) => data::steps(out, run, *writer),
        (TraceView::Steps(_), false) => render::steps(out, run, *writer, look),
        (TraceView::Show(_), true) => data::show(out, run, *writer),
        (TraceView::Show(_), false) => render::show(out, run, *writer, look),
    })?;
    Ok(Exit::Completed)
}
