//! `mur-plan trace`: what a session's trace says, as rows, in sections or on an axis of time. Which session is found here; reading and
//! drawing are plan-trace's.

mod find;
mod timeline;

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
    let options = match &args.view {
        TraceView::Steps(options) | TraceView::Show(options) => options,
        TraceView::Timeline(args) => return timeline::timeline(args),
    };
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
    let is_steps = matches!(args.view, TraceView::Steps(_));
    print::data_with(|out| match (is_steps, options.json) {
        (true, true) => data::steps(out, run, *writer),
        (true, false) => render::steps(out, run, *writer, look()),
        (false, true) => data::show(out, run, *writer),
        (false, false) => render::show(out, run, *writer, look()),
    })?;
    Ok(Exit::Completed)
}

/// How a view is drawn on standard output.
fn look() -> Look {
    Look {
        width: print::data_columns(),
        colour: print::data_has_colour(),
    }
}
