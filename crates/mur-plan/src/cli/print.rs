//! The way out: standard output is data, standard error is talk. Nothing else in the crate prints.
//!
//! Styles in a text reach a terminal that shows them; they are taken out elsewhere and under `NO_COLOR`.

use std::io::{self, BufWriter, IsTerminal, Stderr, Write};
use std::panic;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use rustix::process::getpgrp;
use rustix::termios::tcgetpgrp;

use super::live::{Mode, View, Window};
use super::visible::{visible, visible_lines};

/// Writes `text` to standard output. A reader that went away is not an error.
///
/// # Errors
/// Any other fault of writing, such as a full disk.
pub fn data(text: &str) -> io::Result<()> {
    data_with(|out| out.write_all(text.as_bytes()))
}

/// Lets `write` write to standard output, buffered. A reader that went away is not an error.
///
/// # Errors
/// Any other fault of writing, such as a full disk.
pub fn data_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let stdout = io::stdout();
    let choice = AutoStream::choice(&stdout);
    data_to(AutoStream::new(stdout.lock(), choice), write)
}

/// Lets `write` write to standard output as it is, buffered: what it writes has no styles. A reader that went away
/// is not an error.
///
/// # Errors
/// Any other fault of writing, such as a full disk.
pub fn plain_data_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    data_to(io::stdout().lock(), write)
}

fn data_to(to: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(to);
    let written = write(&mut out).and_then(|()| out.flush());
    // What could not be written must not be tried again on drop.
    let _unwritten = out.into_parts();
    forgive_broken_pipe(written).map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("cannot write to standard output: {error}"),
        )
    })
}

/// Returns `written` with the fault of a reader that went away taken as success.
///
/// # Errors
/// Every other fault.
pub fn forgive_broken_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes `text`, which ends with a line break, to standard error. Nobody can be told when that fails.
pub fn talk(text: &str) {
    let stderr = io::stderr();
    let mut shown = AutoStream::new(Vec::new(), AutoStream::choice(&stderr));
    // One write, so that lines of other processes on the same terminal stay whole.
    let written = shown
        .write_all(text.as_bytes())
        .and_then(|()| stderr.lock().write_all(&shown.into_inner()));
    drop(written);
}

/// Writes `error: <message>` and, where there is one, `hint: <advice>` to standard error.
pub fn error(message: &str, hint: Option<&str>) {
    talk(&sentence("error", ERROR, message, hint, true));
}

/// Writes `warning: <message>` and, where there is one, `hint: <advice>` to standard error.
pub fn warning(message: &str, hint: Option<&str>) {
    talk(&sentence("warning", WARNING, message, hint, true));
}

/// Returns `warning: <message>` as it looks on standard error, for whoever has to place it.
pub fn warned(message: &str) -> String {
    sentence("warning", WARNING, message, None, talk_has_colour())
}

/// Returns a line that a sub-capsule wrote as it is shown, with control characters made visible.
pub fn echoed(line: &str) -> String {
    format!("{}\n", visible(line))
}

/// Returns one sentence and its advice, each on a line, with control characters made visible.
pub fn sentence(
    word: &str,
    style: Style,
    message: &str,
    hint: Option<&str>,
    colour: bool,
) -> String {
    let painted = |style| if colour { style } else { Style::new() };
    let (style, advice) = (painted(style), painted(HINT));
    let message = visible_lines(message);
    let mut text = format!("{style}{word}:{style:#} {message}\n");
    if let Some(hint) = hint {
        let hint = visible_lines(hint);
        text.push_str(&format!("{advice}hint:{advice:#} {hint}\n"));
    }
    text
}

/// Returns whether standard error shows colours.
pub fn talk_has_colour() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Returns whether standard output shows colours.
pub fn data_has_colour() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Returns how many columns standard output has, `None` when it is not a terminal.
pub fn data_columns() -> Option<usize> {
    size_of(&io::stdout()).map(|(columns, _)| columns)
}

/// Returns how many columns standard error has, `None` when it is not a terminal.
pub fn talk_columns() -> Option<usize> {
    size_of(&io::stderr()).map(|(columns, _)| columns)
}

/// Returns the view of a running plan for standard error: live on a terminal, else (and under `CI`) line by line.
pub fn view() -> View<Stderr> {
    let stderr = io::stderr();
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let mode = if stderr.is_terminal() && !is_dumb && !is_set("CI") {
        make_room_for_panics();
        Mode::Live(talk_window)
    } else {
        Mode::Lines
    };
    View::new(stderr, mode, talk_has_colour())
}

/// The window of the terminal that is standard error.
fn talk_window() -> Window {
    let stderr = io::stderr();
    // A terminal that is not this session's own has no jobs that take turns.
    if tcgetpgrp(&stderr).is_ok_and(|in_front| in_front != getpgrp()) {
        return Window::Behind;
    }
    match size_of(&stderr) {
        Some((columns, rows)) => Window::Of { columns, rows },
        None => Window::Unknown,
    }
}

/// Has a panic's message start on a line of its own, in place of what is drawn.
fn make_room_for_panics() {
    let show = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        // Past the lock, which the panicking thread may hold.
        rustix::io::write(io::stderr(), b"\r\x1b[J").ok();
        show(panic);
    }));
}

fn size_of(terminal: &impl std::os::fd::AsFd) -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    // A terminal that does not know its size says 0.
    (size.ws_col > 0 && size.ws_row > 0)
        .then(|| (usize::from(size.ws_col), usize::from(size.ws_row)))
}

/// How the word `error` looks.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// How the word `warning` looks.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// How the word `hint` looks.
pub const HINT: Style = AnsiColor::Cyan.on_default().bold();
