//! The plan that benchmarks and `examples/scale.rs` measure.

use std::fmt::Write as _;

/// A plan of `size` steps with two edges a step, of mixed kinds, some with conditions: about 120 bytes a step.
pub(crate) fn plan_text(size: usize) -> Vec<u8> {
    let mut text = String::from("{\"id\": \"bench\", \"steps\": [");
    for n in 0..size {
        let comma = if n == 0 { "" } else { ",\n" };
        let (a, b) = (n.saturating_sub(1), n / 2);
        write!(text, "{comma}{{\"id\": \"step-{n}\"").expect("a string takes any text");
        if n > 1 {
            write!(text, ", \"depends_on\": [\"step-{a}\", \"step-{b}\"]")
                .expect("a string takes any text");
        }
        match n % 4 {
            0 => text.push_str(", \"shell\": \"true --some 'argument here'\"}"),
            1 => text
                .push_str(", \"tool\": \"t\", \"input\": {\"path\": \"src/lib.rs\", \"n\": 17}}"),
            2 => {
                text.push_str(", \"shell\": \"true\", \"on_error\": \"continue\", \"retries\": 1}")
            }
            _ => write!(
                text,
                ", \"tool\": \"t\", \"if\": \"$step-{a}.status == 'success'\"}}"
            )
            .expect("a string takes any text"),
        }
    }
    text.push_str("]}");
    text.into_bytes()
}
