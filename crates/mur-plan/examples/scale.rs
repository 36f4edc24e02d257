//! How long a plan of N steps takes to read, check and schedule, and the memory it takes at most.
//!
//! Run with `cargo run --release --example scale --package mur-plan -- 1000000`.

use std::{error::Error, fs, io::Write, sync::Arc, time::Instant};

use mur_plan::plan_model::PlanDoc;

#[path = "../benches/plans/workload.rs"]
mod workload;

use workload::{grants, plan_text, schedule};

fn main() -> Result<(), Box<dyn Error>> {
    let size = std::env::args()
        .nth(1)
        .map_or(Ok(1_000_000), |word| word.parse())?;
    let text = plan_text(size);
    let bytes = text.len();
    let begun = Instant::now();
    let doc = PlanDoc::read(text);
    let read = begun.elapsed();
    let plan = doc
        .check(Some(&grants()))
        .plan
        .map_err(|_| "the plan has faults")?;
    let checked = begun.elapsed();
    let settled = schedule(&Arc::new(plan));
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
