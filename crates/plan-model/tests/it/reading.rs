//! No text makes reading or checking panic, and every diagnostic points into the text.

use plan_model::{Diagnostic, PlanDoc};
use proptest::prelude::*;

use crate::page::grants;

/// A plan with something of everything, to be damaged.
const WHOLE: &str = r#"{"id": "p", "steps": [
  {"id": "a", "tool": "notes", "input": {"x": ["$b.output", "$$b.output", "\u0024HOME", 1.5e3, {"k\n": null}]}},
  {"id": "b", "shell": "bash -c 'x \"y\"' $a.output", "depends_on": ["a"], "if": "$a.status == 'failed' && (\"x\" < 'y')"},
  {"id": "c\ud83d\ude00", "capsule": "w", "input": {"objective": "é"}, "on_error": "continue", "retries": 2, "dependsOn": 1}
]}"#;

fn read(text: &[u8]) {
    let doc = PlanDoc::read(text.to_vec());
    let outlined = doc.outline().count();
    assert_eq!(outlined, doc.declared());
    let has_shape = doc.has_shape();
    let checked = doc.check(Some(&grants()));
    let faults = match &checked.plan {
        Ok(plan) => {
            assert!(has_shape, "a plan has a plan's shape");
            for index in plan.indices() {
                let input = plan.step(index).resolve_input(&mut |_| Ok::<_, ()>("x\""));
                if let plan_model::Action::Tool(_) = plan.step(index).action() {
                    assert!(
                        serde_json::from_str::<serde::de::IgnoredAny>(
                            &input.expect("the lookup does not fail")
                        )
                        .is_ok()
                    );
                }
            }
            &Vec::new()
        }
        Err(refused) => {
            assert!(!refused.faults.is_empty());
            assert!(!refused.report().steps.is_empty());
            &refused.faults
        }
    };
    let json: Option<serde_json::Value> = serde_json::from_str(
        std::str::from_utf8(text)
            .unwrap_or("")
            .trim_start_matches('\u{feff}'),
    )
    .ok();
    // serde_json's tree keeps the last of two keys, so what the first held cannot be found in it.
    let twice = faults.iter().any(|fault| fault.code == "duplicate-key");
    let json = json.filter(|_| !twice);
    for Diagnostic {
        span,
        pointer,
        line,
        column,
        message,
        code,
        ..
    } in faults.iter().chain(&checked.warnings)
    {
        assert!(span.end <= text.len() + 1, "{code}");
        assert!(
            !message.is_empty() && !message.contains('\n') && !message.ends_with('.'),
            "{message}"
        );
        assert!(plan_model::CODES.iter().any(|known| known.name == *code));
        assert_eq!(
            *line,
            1 + text[..span.start]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count()
        );
        assert!(*column >= 1);
        if let Some(json) = &json {
            assert!(json.pointer(pointer).is_some(), "{code} {pointer}");
        }
    }
}

/// ruling 1: the undamaged plan is read.
#[test]
fn the_plan_to_be_damaged_is_a_plan() {
    read(WHOLE.as_bytes());
}

/// ruling 1: a text that is cut off anywhere is refused, without a panic.
#[test]
fn a_plan_cut_off_anywhere_is_refused() {
    for end in 0..WHOLE.len() {
        read(&WHOLE.as_bytes()[..end]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// ruling 1.
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        read(&bytes);
    }

    /// ruling 1.
    #[test]
    fn no_damage_makes_it_panic(
        damage in prop::collection::vec((0..WHOLE.len(), 0_usize..8, prop::sample::select(vec![
            "", "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "$", "é", "\u{0}", "\\u0000", "\\ud800", "\n", "1", "'", "a", "\u{feff}",
        ])), 1..4)
    ) {
        let mut bytes = WHOLE.as_bytes().to_vec();
        for (at, len, put) in damage {
            let at = at.min(bytes.len());
            let end = (at + len).min(bytes.len());
            bytes.splice(at..end, put.bytes());
        }
        read(&bytes);
    }

    /// ruling 1: damage that leaves it JSON reaches the rules behind.
    #[test]
    fn no_swapped_value_makes_it_panic(
        swaps in prop::collection::vec((0_usize..40, prop::sample::select(vec![
            "null", "7", "[]", "{}", "\"a\"", "\"b\"", "\"$a\"", "\"$ghost.output\"", "[\"b\", \"a\"]", "{\"objective\": 1, \"objective\": 2}", "\"\\udc00\"",
        ])), 1..5)
    ) {
        let mut text = WHOLE.to_owned();
        for (nth, value) in swaps {
            // Puts the value after one of the colons, before what stood there.
            let Some((colon, _)) = text.match_indices(": ").nth(nth) else { continue };
            let rest = colon + 2;
            let mut stream = serde_json::Deserializer::from_str(&text[rest..]).into_iter::<serde::de::IgnoredAny>();
            let Some(Ok(_)) = stream.next() else { continue };
            let end = rest + stream.byte_offset();
            text.replace_range(rest..end, value);
        }
        read(text.as_bytes());
    }
}
