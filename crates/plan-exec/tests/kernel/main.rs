//! What only a real kernel can show: each test names the ability it needs, and is ignored, with the reason why,
//! where that is missing.
#![cfg_attr(
    target_os = "linux",
    expect(clippy::unwrap_used, reason = "a test that cannot unwrap is to fail")
)]

#[cfg(target_os = "linux")]
mod ability;
#[cfg(target_os = "linux")]
mod inherited;
#[cfg(target_os = "linux")]
mod killed;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod role;
#[cfg(target_os = "linux")]
mod walls;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    plan_exec::serve_as_launcher();
    if let Some(status) = role::play() {
        return status;
    }
    let arguments = libtest_mimic::Arguments::from_args();
    let abilities = ability::Found::look();
    let mut trials = walls::trials(&abilities);
    trials.extend(inherited::trials());
    trials.extend(killed::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

#[cfg(not(target_os = "linux"))]
fn main() {}
