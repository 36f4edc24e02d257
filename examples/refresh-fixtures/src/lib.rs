//! Greets people. The wording changed once and `tests/fixtures/greeting.txt` was not refreshed.

/// Returns the greeting for `name`.
pub fn greeting(name: &str) -> String {
    format!("Good morning, {name}!\n")
}
