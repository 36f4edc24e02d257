//! The table of commands.

use super::{Place, rows, verdict};

/// spec: What a plan may reach.
#[test]
fn every_command_of_the_table_is_judged_as_it_says() {
    let place = Place::new();
    let mut wrong = Vec::new();
    let (mut commands, mut harmless) = (0, 0);
    for (command, expected, why) in rows(include_str!("commands.txt")) {
        let (kind, text) = command.split_at(2);
        let text = text
            .replace('⏎', "\n")
            .replace('⇥', "\t")
            .replace("{W}", place.workdir.to_str().unwrap())
            .replace("{N}", "place");
        let judged = match kind {
            "> " => place.line(&text),
            "$ " => place.script(&text),
            _ => panic!("a row begins with neither `>` nor `$`: {command}"),
        };
        let judged = verdict(judged);
        if judged != expected {
            wrong.push(format!(
                "{command}\n    expected {expected}: {why}\n    judged   {judged}"
            ));
        }
        commands += 1;
        harmless += usize::from(expected == "passes");
    }
    assert!(
        wrong.is_empty(),
        "{} of {commands} are judged otherwise:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        commands >= 150 && harmless >= 60,
        "{commands} commands, {harmless} harmless"
    );
}
