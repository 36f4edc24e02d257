//! Any bytes are read to their end or refused by a line; nothing is read twice and nothing hangs. What is read can
//! be shown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_trace::{
    Reader,
    pair::Run,
    render::{Look, Writer, show, steps},
};

fuzz_target!(|text: &[u8]| {
    let mut reader = Reader::new(text, "trace.jsonl");
    let mut lines = 0;
    loop {
        match reader.next_line() {
            Ok(Some(line)) => {
                lines += 1;
                drop(line.into_owned());
            }
            Ok(None) => break,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return;
            }
        }
    }
    assert!(lines <= text.split(|byte| *byte == b'\n').count());
    let run = Run::read(&mut Reader::new(text, "trace.jsonl")).expect("it was read just now");
    let look = Look {
        width: Some(40),
        colour: true,
    };
    show(&mut std::io::sink(), &run, Writer::NotSeen, look).expect("a sink takes everything");
    steps(&mut std::io::sink(), &run, Writer::NotSeen, look).expect("a sink takes everything");
});
