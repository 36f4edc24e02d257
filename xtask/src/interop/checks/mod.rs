//! What is expected of runs with the real daemon, its children and its viewer.

mod answering;
mod crowding;
mod ending;
mod reading;
mod refusing;

use super::verdict::Check;

/// In this order; the viewer comes last, since it reads what the others had written.
pub(super) const ALL: &[Check] = &[
    ("a worker answers", answering::a_worker_answers),
    (
        "workers that exit at once are heard",
        answering::workers_that_exit_are_heard,
    ),
    (
        "a failing worker fails its step",
        answering::a_failing_worker_fails_its_step,
    ),
    (
        "an answer of 70 KiB is cut and kept whole",
        answering::a_long_answer_is_kept_whole,
    ),
    (
        "a worker that asks for a bearer token gets it",
        answering::a_guarded_worker_answers,
    ),
    ("a cancel ends the child", ending::a_cancel_ends_the_child),
    (
        "a child learns that its parent was killed",
        ending::a_child_learns_that_its_parent_was_killed,
    ),
    (
        "the daemon's refusals are told",
        refusing::refusals_are_told,
    ),
    (
        "a launch that fails is told",
        refusing::failed_launches_are_told,
    ),
    (
        "what the host refuses a worker is told with its code",
        refusing::what_the_host_refuses_is_told,
    ),
    (
        "of six steps four run at once",
        crowding::four_of_six_run_at_once,
    ),
    (
        "with `--capsules 5` the fifth is refused",
        crowding::a_fifth_is_refused,
    ),
    (
        "the real viewer reads the traces",
        reading::the_real_viewer_reads_the_traces,
    ),
    (
        "mur-plan reads the traces of real children",
        reading::mur_plan_reads_the_traces_of_children,
    ),
];

/// Fails with what is told when it is not so.
fn ensure(is_so: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(why()) }
}

/// Fails when two things differ that should not.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, seen: T, expected: T) -> Result<(), String> {
    ensure(seen == expected, || {
        format!("{what} is {seen:?} where {expected:?} is expected")
    })
}
