//! Compares what the crate writes with the fixtures. Fails on purpose: the fixture is out of date.

/// The fixture still holds the old wording, which is what the example plan finds and notes.
#[test]
fn the_greeting_matches_its_fixture() {
    let expected = include_str!("fixtures/greeting.txt");
    assert_eq!(
        greeter::greeting("Ada"),
        expected,
        "tests/fixtures/greeting.txt is out of date"
    );
}
