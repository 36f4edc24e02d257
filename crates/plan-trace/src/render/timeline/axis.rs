//! The axis of time of one plan: where a moment lies on it, and where it is marked.

/// A stretch of time that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Axis {
    /// Its left end, in unix milliseconds.
    pub(super) start_ms: u64,
    /// Its right end, in unix milliseconds; not before its left one.
    pub(super) end_ms: u64,
}

/// A moment that is marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tick {
    /// In unix milliseconds.
    pub(super) at_ms: u64,
    /// How long that is after the start, in words.
    pub(super) label: String,
}

impl Axis {
    /// Returns where a moment lies among `parts` equal parts of the axis: 0 at or before its start, `parts` at or
    /// after its end.
    pub(super) fn place(self, at_ms: u64, parts: u64) -> u64 {
        let after = u128::from(at_ms.saturating_sub(self.start_ms));
        let place = after * u128::from(parts) / u128::from(self.span_ms());
        u64::try_from(place).map_or(parts, |place| place.min(parts))
    }

    /// Returns how many milliseconds a moment is after the start.
    pub(super) fn after(self, at_ms: u64) -> u64 {
        at_ms.saturating_sub(self.start_ms)
    }

    /// Returns at most `most` moments at even distances that are round numbers, the start first.
    pub(super) fn ticks(self, most: u64) -> Vec<Tick> {
        let step = step(self.span_ms(), most.max(1));
        let mut ticks = Vec::new();
        let mut after = 0;
        while after < self.span_ms() && (ticks.len() as u64) < most {
            ticks.push(Tick {
                at_ms: self.start_ms.saturating_add(after),
                label: label(after),
            });
            let Some(next) = after.checked_add(step) else {
                break;
            };
            after = next;
        }
        ticks
    }

    /// How long it is; a plan that took no time has a millisecond, so that there is something to divide.
    fn span_ms(self) -> u64 {
        self.end_ms.saturating_sub(self.start_ms).max(1)
    }
}

/// Returns the shortest round step that `span` has at most `most` of.
fn step(span: u64, most: u64) -> u64 {
    let least = span.div_ceil(most);
    let round = STEPS.into_iter().find(|&step| step >= least);
    round.unwrap_or_else(|| least.div_ceil(DAY).saturating_mul(DAY))
}

/// Returns a time in its largest unit and, where there is a rest, the next smaller one.
fn label(after_ms: u64) -> String {
    let units = [
        (DAY, "d", HOUR, "h"),
        (HOUR, "h", MINUTE, "min"),
        (MINUTE, "min", SECOND, "s"),
    ];
    for (unit, name, part, part_name) in units {
        if after_ms >= unit {
            let rest = after_ms % unit / part;
            return match rest {
                0 => format!("{} {name}", after_ms / unit),
                _ => format!("{} {name} {rest} {part_name}", after_ms / unit),
            };
        }
    }
    match (after_ms / SECOND, after_ms % SECOND) {
        (0, 0) => "0".to_owned(),
        (0, _) => format!("{after_ms} ms"),
        (seconds, 0) => format!("{seconds} s"),
        (seconds, rest) => {
            let digits = format!("{rest:03}");
            format!("{seconds}.{} s", digits.trim_end_matches('0'))
        }
    }
}

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// Steps that read as round numbers, in milliseconds.
const STEPS: [u64; 25] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
];

#[cfg(test)]
mod tests {
    use super::Axis;

    fn labels(start_ms: u64, end_ms: u64, most: u64) -> String {
        let axis = Axis { start_ms, end_ms };
        let labels: Vec<_> = axis.ticks(most).into_iter().map(|it| it.label).collect();
        labels.join(" | ")
    }

    /// decision: the axis counts from the plan's start, in round steps
    #[test]
    fn an_axis_is_marked_at_round_times() {
        for (span, most, expected) in [
            (0, 5, "0"),
            (3, 5, "0 | 1 ms | 2 ms"),
            (950, 5, "0 | 200 ms | 400 ms | 600 ms | 800 ms"),
            (2400, 5, "0 | 500 ms | 1 s | 1.5 s | 2 s"),
            (61_000, 5, "0 | 15 s | 30 s | 45 s | 1 min"),
            (100_000, 4, "0 | 30 s | 1 min | 1 min 30 s"),
            (5_400_000, 4, "0 | 30 min | 1 h"),
            (200_000_000, 3, "0 | 1 d | 2 d"),
            (61_000, 1, "0"),
            (61_000, 0, ""),
        ] {
            assert_eq!(labels(7, 7 + span, most), expected, "{span} ms");
        }
    }

    /// decision: the axis counts from the plan's start; a clock of a trace may say anything
    #[test]
    fn no_moment_lies_off_the_axis() {
        for (start_ms, end_ms, at_ms, expected) in [
            (100, 200, 100, 0),
            (100, 200, 150, 50),
            (100, 200, 200, 100),
            (100, 200, 0, 0),
            (100, 200, u64::MAX, 100),
            (100, 100, 100, 0),
            (0, u64::MAX, u64::MAX, 100),
            (u64::MAX, u64::MAX, u64::MAX, 0),
        ] {
            let axis = Axis { start_ms, end_ms };
            assert_eq!(axis.place(at_ms, 100), expected, "{axis:?} {at_ms}");
            assert!(axis.ticks(8).len() <= 8, "{axis:?}");
        }
    }
}
