//! The way out.

use std::io;

use mur_plan::cli::print::{ERROR, forgive_broken_pipe, sentence};

/// decision: a reader that went away is not an error; any other fault of writing is.
#[test]
fn only_a_broken_pipe_is_forgiven() {
    assert!(forgive_broken_pipe(Ok(())).is_ok());
    assert!(forgive_broken_pipe(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
    assert!(forgive_broken_pipe(Err(io::ErrorKind::StorageFull.into())).is_err());
}

/// decision: one sentence and a `hint:` line, and nothing in them steers the terminal.
#[test]
fn a_sentence_has_its_hint_on_a_line_of_its_own() {
    let text = |colour| sentence("error", ERROR, "no `\x1b[2J`", Some("write\nit"), colour);
    assert_eq!(text(false), "error: no `␛[2J`\nhint: write\nit\n");
    assert_eq!(
        anstream::adapter::strip_str(&text(true)).to_string(),
        text(false)
    );
    assert_ne!(text(true), text(false));
    assert_eq!(sentence("warning", ERROR, "x", None, false), "warning: x\n");
}
