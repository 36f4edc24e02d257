//! A moment as a person writes it, in UTC: there is nothing here to ask what time it is anywhere else.

/// Returns `2025-12-01 14:54:00 UTC` for unix milliseconds.
pub(super) fn utc(unix_ms: u64) -> String {
    let seconds = unix_ms / 1000;
    let (year, month, day) = date(seconds / DAY);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Returns year, month and day of a day since 1970-01-01 in the Gregorian calendar.
fn date(day: u64) -> (u64, u64, u64) {
    // Counted from 0000-03-01, a leap day is the last day of its year, and 400 years are a round number of days.
    let day = day + BEFORE_1970;
    let (era, day) = (day / ERA, day % ERA);
    let year = (day - day / (FOUR_YEARS - 1) + day / CENTURY - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Five months from March are 153 days, and so are five from August.
    let month = (5 * day + 2) / 153;
    let in_month = day - (153 * month + 2) / 5 + 1;
    let is_next_year = month >= 10;
    let month = if is_next_year { month - 9 } else { month + 3 };
    (era * 400 + year + u64::from(is_next_year), month, in_month)
}

/// Seconds of a day.
const DAY: u64 = 86_400;
/// Days from 0000-03-01 to 1970-01-01.
const BEFORE_1970: u64 = 719_468;
/// Days of 400 years, of 100 without the last leap day, and of four.
const ERA: u64 = 146_097;
const CENTURY: u64 = 36_524;
const FOUR_YEARS: u64 = 1_461;

#[cfg(test)]
mod tests {
    use super::utc;

    /// spec: In the trace: a `timestamp` is in milliseconds. The dates are those of the `date` command.
    #[test]
    fn moments_are_the_dates_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (68_169_599, "1972-02-28 23:59:59 UTC"),
            (68_169_600, "1972-02-29 00:00:00 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (978_220_800, "2000-12-31 00:00:00 UTC"),
            (1_764_600_840, "2025-12-01 14:54:00 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
            (13_574_563_200, "2400-02-29 00:00:00 UTC"),
        ] {
            assert_eq!(utc(seconds * 1000), expected);
        }
    }
}
