//! The way out.

use std::io;

use anstyle::Style;
use mur_plan::cli::print::{forgive_broken_pipe, sentence};

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
    let text = sentence("error", Style::new(), "no `\x1b[2J`", Some("write\nit"));
    let text = anstream::adapter::strip_str(&text).to_string();
    assert_eq!(text, "error: no `␛[2J`\nhint: write\nit\n");
    let text = sentence("warning", Style::new(), "x", None);
    assert_eq!(text, "warning: x\n");
}
