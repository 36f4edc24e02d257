//! Any text is words or refused at a place in it; words survive being quoted and split again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_model::argv::split;

fuzz_target!(|line: &str| {
    match split(line) {
        Ok(words) => {
            assert!(!words.is_empty());
            let quoted: Vec<String> = words
                .iter()
                .map(|word| format!("'{}'", word.replace('\'', r"'\''")))
                .collect();
            assert_eq!(split(&quoted.join(" ")).as_ref(), Ok(&words));
        }
        Err(error) => {
            assert!(error.span.start <= error.span.end && error.span.end <= line.len());
        }
    }
});
