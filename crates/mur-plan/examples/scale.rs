//! How long a plan of N steps takes to read, check and schedule, and the memory it takes at most.
//!
//! Run with `cargo run --release --example scale --package mur-plan -- 1000000`.

use std::{error::Error, fs, io::Write, num::NonZeroUsize, sync::Arc, time::Instant};

use mur_plan::{
    plan_model::{Grants, PlanDoc},
    plan_sched::{Effect, Input, Limits, Outcome, Sched},
};

#[path = "../benches/plans/plan_text.rs"]
mod plan_text;

fn main() -> Result<(), Box<dyn Error>> {
    let size = std::env::args()
        .nth(1)
        .map_or(Ok(1_000_000), |word| word.parse())?;
    let text = plan_text::plan_text(size);
    let bytes = text.len();
    let grants = Grants {
        tools: vec!["t".to_owned()],
        shell_allow: vec!["true".to_owned()],
    };
    let limits = Limits {
        shell: NonZeroUsize::new(64).ok_or("64 is not 0")?,
        capsule: NonZeroUsize::new(4).ok_or("4 is not 0")?,
    };
    let begun = Instant::now();
    let doc = PlanDoc::read(text);
    let read = begun.elapsed();
    let plan = doc
        .check(Some(&grants))
        .plan
        .map_err(|_| "the plan has faults")?;
    let checked = begun.elapsed();
    let mut sched = Sched::new(Arc::new(plan), limits);
    let mut settled = 0_usize;
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
            Effect::EndCapsule { .. } | Effect::Idle => return Err("nothing is cancelled".into()),
            Effect::Finished => break,
        };
        sched.handle(input)?;
    }
    let scheduled = begun.elapsed();
    writeln!(
        std::io::stdout(),
        "{settled} of {size} steps, {bytes} bytes: read {read:?}, check {:?}, schedule {:?}, all {scheduled:?}; \
         peak memory {}",
        checked - read,
        scheduled - checked,
        peak_memory()?,
    )?;
    Ok(())
}

/// Returns the most memory this process has held, as the kernel words it.
fn peak_memory() -> Result<String, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(line.ok_or("the kernel does not say")?.trim().to_owned())
}
