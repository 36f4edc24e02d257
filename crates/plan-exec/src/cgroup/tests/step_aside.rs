//! Stepping aside, as a table of what happens and what is done.

use std::{path::Path, time::Duration};

use rustix::io::Errno;

use super::super::{
    file::FileError,
    step_aside::{Failure, Order, StepAside},
};

/// What came of an order.
#[derive(Clone, Copy)]
enum Came {
    Enabled(Result<(), Errno>, u64),
    Entered(Result<(), Errno>),
    Paused,
}

/// Plays `script` with two seconds of patience; returns the orders given, the last one with its cause.
fn orders(script: &[Came]) -> String {
    let error = |errno: Errno| FileError::reading(Path::new("x"), errno.into());
    let (mut state, first) = StepAside::new(Duration::from_secs(2));
    let mut said = vec![word(&first)];
    for &came in script {
        let order = match came {
            Came::Enabled(result, ms) => {
                state.enabled(result.map_err(error), Duration::from_millis(ms))
            }
            Came::Entered(result) => state.entered(result.map_err(error)),
            Came::Paused => continue,
        };
        said.push(word(&order));
    }
    said.join(" ")
}

fn word(order: &Order) -> &'static str {
    match order {
        Order::Enable => "enable",
        Order::Enter => "enter",
        Order::Pause => "pause",
        Order::Done => "done",
        Order::Fail { cause, back } => match (cause, back) {
            (Failure::Refused(_), false) => "refused",
            (Failure::Refused(_), true) => "back,refused",
            (Failure::CannotEnter(_), false) => "cannot-enter",
            (Failure::CannotEnter(_), true) => "back,cannot-enter",
            (Failure::Occupied, false) => "occupied",
            (Failure::Occupied, true) => "back,occupied",
        },
    }
}

/// spec: What a plan may reach. It is moved once, tried again for two seconds, and moved back when that fails.
#[test]
fn a_process_steps_aside_once_and_waits_a_while() {
    use Came::{Enabled, Entered, Paused};
    const BUSY: Result<(), Errno> = Err(Errno::BUSY);
    const DENIED: Result<(), Errno> = Err(Errno::ACCESS);
    let table: [(&[Came], &str); 9] = [
        (&[Enabled(Ok(()), 0)], "enable done"),
        (&[Enabled(DENIED, 0)], "enable refused"),
        (&[Enabled(BUSY, 0)], "enable enter"),
        (
            &[Enabled(BUSY, 0), Entered(Ok(())), Enabled(Ok(()), 1)],
            "enable enter enable done",
        ),
        (
            &[Enabled(BUSY, 0), Entered(DENIED)],
            "enable enter cannot-enter",
        ),
        (
            &[
                Enabled(BUSY, 0),
                Entered(Ok(())),
                Enabled(BUSY, 1),
                Paused,
                Enabled(BUSY, 1_999),
                Paused,
                Enabled(Ok(()), 2_009),
            ],
            "enable enter enable pause pause done",
        ),
        (
            &[
                Enabled(BUSY, 0),
                Entered(Ok(())),
                Enabled(BUSY, 1),
                Paused,
                Enabled(BUSY, 2_000),
            ],
            "enable enter enable pause back,occupied",
        ),
        (
            &[Enabled(BUSY, 0), Entered(Ok(())), Enabled(DENIED, 1)],
            "enable enter enable back,refused",
        ),
        (&[Enabled(BUSY, 2_000)], "enable occupied"),
    ];
    for (script, expected) in table {
        assert_eq!(orders(script), expected);
    }
}
