//! What the reader accepts, skips and refuses.

mod accepts;
mod refuses;
mod torn;

use std::path::Path;

use plan_trace::{Line, Reader};

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/trace")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns one line of text for each line read, then what ended the reading.
fn read(text: impl AsRef<[u8]>) -> String {
    let mut reader = Reader::new(text.as_ref(), "t.jsonl");
    let mut seen = Vec::new();
    loop {
        match reader.next_line() {
            Ok(Some(line)) => seen.push(format!("{} {}", line.number, line.record.event().name())),
            Ok(None) => break,
            Err(error) => {
                seen.push(error.to_string());
                break;
            }
        }
    }
    if let Some(line) = reader.torn() {
        seen.push(format!("{line} torn"));
    }
    seen.join("\n")
}

fn lines(text: &str) -> Vec<Line<'static>> {
    Reader::new(text.as_bytes(), "t.jsonl")
        .collect::<Result<_, _>>()
        .unwrap()
}

const START: &str = r#"{"event_type":"session_start","session_id":"s","capsule_name":"c","capsule_version":"v","model":"m"}
"#;
