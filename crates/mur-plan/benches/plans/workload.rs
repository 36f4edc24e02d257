//! The work that benchmarks and `examples/scale.rs` measure: a plan of any size, and a driver that does nothing.

use std::{fmt::Write as _, num::NonZeroUsize, sync::Arc};

use mur_plan::{
    plan_model::{Grants, Plan},
    plan_sched::{Effect, Input, Limits, Outcome, Sched},
};

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

/// Answers every effect at once, as an executor that does nothing would.
pub(crate) fn schedule(plan: &Arc<Plan>) -> usize {
    let mut sched = Sched::new(Arc::clone(plan), limits());
    let mut settled = 0;
    loop {
        let input = match sched.poll_effect() {
            Effect::Ask { step, .. } => Input::Admitted { step },
            Effect::Dispatch { step, .. } => Input::Finished {
                step,
                outcome: Outcome::Passed { output: None },
            },
            Effect::Settled { .. } => {
                settled += 1;
                continue;
            }
            Effect::EndCapsule { .. } | Effect::Idle => {
                unreachable!("nothing is cancelled or waits")
            }
            Effect::Finished => return settled,
        };
        sched.handle(input).expect("each effect is answered once");
    }
}

/// Returns what the plan is checked against.
pub(crate) fn grants() -> Grants {
    Grants {
        tools: vec!["t".to_owned()],
        shell_allow: vec!["true".to_owned()],
    }
}

/// Returns the limits of a session that says nothing.
pub(crate) fn limits() -> Limits {
    Limits {
        shell: NonZeroUsize::new(64).expect("64 is not 0"),
        capsule: NonZeroUsize::new(4).expect("4 is not 0"),
    }
}
