//! What the machine tells: which runs began, how each ended, and how many tests were in it.

/// What has been heard so far.
#[derive(Debug, Default)]
pub(super) struct Console {
    runs: Vec<Run>,
    /// Whether the machine got to its end.
    is_done: bool,
}

/// One test program as one user.
#[derive(Debug)]
struct Run {
    /// The user and the package.
    name: String,
    /// The exit status, once it has ended.
    status: Option<String>,
    passed: u32,
    failed: u32,
    ignored: u32,
}

/// How lines of the machine's own begin, to tell them from what tests print.
const MARK: &str = "@vm ";
/// How the last line of a test program begins.
const RESULT: &str = "test result: ";

impl Console {
    /// Takes in one line.
    pub(super) fn hear(&mut self, line: &str) {
        let words: Vec<&str> = match line.strip_prefix(MARK) {
            Some(rest) => rest.split_whitespace().collect(),
            None => {
                if let (Some(result), Some(run)) = (line.strip_prefix(RESULT), self.runs.last_mut())
                {
                    run.passed += count(result, "passed");
                    run.failed += count(result, "failed");
                    run.ignored += count(result, "ignored");
                }
                return;
            }
        };
        match words.as_slice() {
            ["begin", who, package] => self.runs.push(Run {
                name: format!("{package} as {who}"),
                status: None,
                passed: 0,
                failed: 0,
                ignored: 0,
            }),
            ["end", .., status] => {
                if let Some(run) = self.runs.last_mut() {
                    run.status = Some((*status).to_owned());
                }
            }
            ["done"] => self.is_done = true,
            _ => {}
        }
    }

    /// Returns the counts when everything that ran passed, else what did not. With a filter a run may be without tests.
    pub(super) fn verdict(&self, is_filtered: bool) -> Result<String, String> {
        let mut faults = Vec::new();
        for run in &self.runs {
            let name = &run.name;
            match run.status.as_deref() {
                Some("0") if run.failed == 0 => {}
                Some(status) => faults.push(format!(
                    "{name}: {} failed, exit status {status}",
                    run.failed
                )),
                None => faults.push(format!("{name}: it did not end")),
            }
            if run.passed == 0 && !is_filtered {
                faults.push(format!("{name}: no test ran"));
            }
        }
        if !self.is_done {
            faults.push("the machine did not get to its end".to_owned());
        }
        let sum = |count: fn(&Run) -> u32| self.runs.iter().map(count).sum::<u32>();
        let passed = sum(|run| run.passed);
        if passed == 0 {
            faults.push("no test ran at all".to_owned());
        }
        if !faults.is_empty() {
            return Err(faults.join("; "));
        }
        let shown = |run: &Run| {
            format!(
                "{} {} passed, {} ignored",
                run.name, run.passed, run.ignored
            )
        };
        let runs: Vec<String> = self.runs.iter().map(shown).collect();
        Ok(format!("{passed} passed: {}", runs.join("; ")))
    }
}

/// Returns the number before `word` in `ok. 3 passed; 0 failed; 1 ignored`.
fn count(result: &str, word: &str) -> u32 {
    let words: Vec<&str> = result
        .split([' ', ';'])
        .filter(|word| !word.is_empty())
        .collect();
    words
        .windows(2)
        .find(|pair| pair[1] == word)
        .and_then(|pair| pair[0].parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(lines: &[&str]) -> Result<String, String> {
        let mut console = Console::default();
        lines.iter().for_each(|line| console.hear(line));
        console.verdict(false)
    }

    const RESULT_LINE: &str =
        "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out";

    /// Decision: what did not run, did not end or failed is no success.
    #[test]
    fn only_a_machine_that_ran_everything_and_ended_is_a_success() {
        let whole = [
            "@vm boot 2 s",
            "@vm begin root a",
            RESULT_LINE,
            "@vm end root a 0",
            "@vm done",
        ];
        assert_eq!(
            verdict(&whole).unwrap(),
            "3 passed: a as root 3 passed, 1 ignored"
        );
        assert_eq!(
            verdict(&whole[..4]).unwrap_err(),
            "the machine did not get to its end"
        );
        assert_eq!(
            verdict(&["@vm begin root a", "@vm done"]).unwrap_err(),
            "a as root: it did not end; a as root: no test ran; no test ran at all"
        );
        assert_eq!(verdict(&["@vm done"]).unwrap_err(), "no test ran at all");
    }

    /// Decision: a failed test is told with whose run it was in.
    #[test]
    fn a_failed_run_is_named() {
        let lines = [
            "@vm begin user b",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored",
            "@vm end user b 101",
            "@vm done",
        ];
        assert_eq!(
            verdict(&lines).unwrap_err(),
            "b as user: 2 failed, exit status 101"
        );
        // A program that dies without its last line has failed as well.
        let lines = ["@vm begin user b", "@vm end user b 137", "@vm done"];
        assert!(
            verdict(&lines)
                .unwrap_err()
                .starts_with("b as user: 0 failed, exit status 137")
        );
    }
}
