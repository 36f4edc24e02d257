//! `mur-plan trace timeline`: where the bars of a run go, to the terminal or to a file.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

use plan_trace::render::timeline::{self, Chart, MOST_DRAWN};

use super::{Asked, Found, look};
use crate::{
    cli::{args, print, refusal::Refusal},
    clock,
    exit::Exit,
};

/// Shows a trace on an axis of time.
///
/// # Errors
/// When standard output or the file cannot be written.
pub(super) fn timeline(args: &args::Timeline) -> io::Result<Exit> {
    let asked = Asked {
        session: &args.session,
        workdir: args.workdir.as_deref(),
        home: args.home.as_deref(),
    };
    let found = match Found::read(asked) {
        Ok(found) => found,
        Err(refusal) => {
            refusal.show();
            return Ok(Exit::Refused);
        }
    };
    let chart = Chart::of(&found.run, found.writer, Some(clock::now_ms()));
    let (path, draw): (&Path, Draw) = match (&args.svg, &args.html) {
        (Some(path), _) => (path, timeline::svg),
        (None, Some(path)) => (path, timeline::html),
        (None, None) => {
            print::data_with(|out| timeline::text(out, &chart, look()))?;
            return Ok(Exit::Completed);
        }
    };
    if chart.rows() > MOST_DRAWN {
        let message = format!(
            "{} rows are too many for one picture or page, which holds {MOST_DRAWN}",
            chart.rows()
        );
        let hint = "leave out `--svg` and `--html`: text has no such bound";
        Refusal::new(message, hint).show();
        return Ok(Exit::Refused);
    }
    if path == Path::new("-") {
        print::plain_data_with(|out| draw(out, &chart))?;
    } else {
        write(path, &chart, draw).map_err(|error| {
            let message = format!("cannot write `{}`: {error}", path.display());
            io::Error::new(error.kind(), message)
        })?;
    }
    Ok(Exit::Completed)
}

fn write(path: &Path, chart: &Chart<'_>, draw: Draw) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    draw(&mut file, chart)?;
    file.flush()
}

/// What draws a chart for a file.
type Draw = fn(&mut dyn Write, &Chart<'_>) -> io::Result<()>;
