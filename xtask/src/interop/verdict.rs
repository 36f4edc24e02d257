//! Runs checks one after the other, tells of each, and says what came of it all.

use std::time::Instant;

use super::{options::Options, scene::Scene};

/// What is looked at: a sentence, and what finds out whether it is so. What it saw is told.
pub(super) type Check = (&'static str, fn(&Scene) -> Result<String, String>);

pub(super) fn run(scene: &Scene, checks: &[Check], options: &Options) -> Result<(), String> {
    let asked: Vec<&Check> = checks
        .iter()
        .filter(|(name, _)| options.want(name))
        .collect();
    if asked.is_empty() {
        let names: Vec<&str> = checks.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "no check has that in its name; there are:\n  {}",
            names.join("\n  ")
        ));
    }
    let mut failed = Vec::new();
    for (name, check) in &asked {
        let begin = Instant::now();
        let seen = check(scene).and_then(|seen| scene.is_quiet().map(|()| seen));
        let took = begin.elapsed().as_secs_f64();
        match seen {
            Ok(seen) => println!("ok      {name} ({took:.1} s)\n        {seen}"),
            Err(reason) => {
                println!("FAILED  {name} ({took:.1} s)");
                for code in codes(&reason) {
                    println!("        with the code {code}");
                }
                println!("        {}", reason.replace('\n', "\n        "));
                failed.push(*name);
            }
        }
    }
    println!(
        "==> {} of {} passed",
        asked.len() - failed.len(),
        asked.len()
    );
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "not as expected: {}; what there is of it is in {}",
        failed.join(", "),
        scene.folder.display()
    ))
}

/// Finds codes like `E-RUN-012` in a text, each once.
pub(super) fn codes(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let mut found = Vec::new();
    for word in words {
        let parts: Vec<&str> = word.split('-').collect();
        if let ["E", area, number] = parts.as_slice()
            && !area.is_empty()
            && area.bytes().all(|b| b.is_ascii_uppercase())
            && number.len() == 3
            && number.bytes().all(|b| b.is_ascii_digit())
            && !found.contains(&word)
        {
            found.push(word);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: what a host refuses is told with its code.
    #[test]
    fn codes_are_found_in_what_a_program_says() {
        let said = "error[E-RUN-012]: no scope\nE-RUN-012 again, E-IO-001. Not E-run-012, E-RUN-12, SE-RUN-012";
        assert_eq!(codes(said), ["E-RUN-012", "E-IO-001"]);
    }
}
