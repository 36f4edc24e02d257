//! Times many independent commands through mur-plan, ninja and a bare spawn loop, side by side.
//!
//! The three take turns within each round, so that a busy moment of the machine hits all of them alike.
//! It measures and prints; what the figures should be is in docs/performance.md.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

/// What is measured.
struct Options {
    /// How many commands run at a time.
    jobs: usize,
    /// How many commands there are.
    steps: usize,
    /// How often each contestant runs.
    rounds: usize,
}

/// One way of running the commands, with the times it took.
struct Contestant<'a> {
    name: &'static str,
    run: &'a dyn Fn() -> Result<(), String>,
    times: Vec<Duration>,
}

/// Builds the command, runs the rounds, prints the table.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), String> {
    let options = Options::read(options)?;
    ninja_is_there()?;
    let program = build(root)?;
    let space = Space::new(&options)?;

    let mur_plan = || space.mur_plan(&program, &options);
    let ninja = || space.ninja(&options);
    let bare = || bare(&options);
    let mut contestants = [
        Contestant::new("mur-plan", &mur_plan),
        Contestant::new("ninja", &ninja),
        Contestant::new("bare loop", &bare),
    ];
    // The first run of each warms the caches and is not counted.
    for contestant in &contestants {
        (contestant.run)()?;
    }
    for round in 0..options.rounds {
        let first = round % contestants.len();
        contestants.rotate_left(first);
        for contestant in &mut contestants {
            let begin = Instant::now();
            (contestant.run)()?;
            contestant.times.push(begin.elapsed());
        }
        contestants.rotate_right(first);
    }
    print!("{}", table(&contestants, &options));
    Ok(())
}

impl Options {
    fn read(words: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            jobs: 4,
            steps: 1000,
            rounds: 7,
        };
        let mut words = words.iter();
        while let Some(&name) = words.next() {
            let field = match name {
                "--jobs" => &mut options.jobs,
                "--steps" => &mut options.steps,
                "--rounds" => &mut options.rounds,
                _ => {
                    return Err(format!(
                        "no option `{name}`; there are --jobs, --steps and --rounds"
                    ));
                }
            };
            *field = words
                .next()
                .and_then(|value| value.parse().ok())
                .filter(|value| *value > 0)
                .ok_or_else(|| format!("`{name}` wants a number from 1"))?;
        }
        Ok(options)
    }
}

impl<'a> Contestant<'a> {
    fn new(name: &'static str, run: &'a dyn Fn() -> Result<(), String>) -> Self {
        Self {
            name,
            run,
            times: Vec::new(),
        }
    }
}

fn ninja_is_there() -> Result<(), String> {
    let asked = Command::new("ninja").arg("--version").output();
    match asked {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("`ninja --version` failed ({})", output.status)),
        Err(error) => Err(format!(
            "cannot start `ninja` ({error}); install the package `ninja-build`"
        )),
    }
}

/// Builds the command as a user would have it, and returns where it is.
fn build(root: &Path) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "--package", "mur-plan"])
        .current_dir(root)
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !built.success() {
        return Err("the release build failed".to_owned());
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release").join("mur-plan"))
}

/// A temporary folder with the same commands written down as a plan and for ninja.
struct Space {
    folder: PathBuf,
}

impl Space {
    fn new(options: &Options) -> Result<Self, String> {
        let name = format!("mur-plan-compare-{}", std::process::id());
        let space = Self {
            folder: std::env::temp_dir().join(name),
        };
        let mut steps = Vec::with_capacity(options.steps);
        let mut ninja = "rule run\n  command = true\n".to_owned();
        for step in 1..=options.steps {
            steps.push(format!(r#"{{"id":"s{step}","shell":"true"}}"#));
            // The output is never made, so ninja runs the command every time.
            let _ = writeln!(ninja, "build s{step}: run");
        }
        let plan = format!(
            "{{\"id\":\"compare\",\"steps\":[\n{}\n]}}\n",
            steps.join(",\n")
        );
        let manifest = "name: compare\nversion: 0.1.0\ncapabilities: {plan: {submit: true}, shell: {allow: [\"true\"]}}\n";
        for folder in [&space.folder, &space.folder.join("work")] {
            fs::create_dir(folder).map_err(|error| cannot("create", folder, &error))?;
        }
        for (name, text) in [
            ("plan.json", plan.as_str()),
            ("murmur.yaml", manifest),
            ("build.ninja", &ninja),
        ] {
            let path = space.folder.join(name);
            fs::write(&path, text).map_err(|error| cannot("write", &path, &error))?;
        }
        Ok(space)
    }

    fn mur_plan(&self, program: &Path, options: &Options) -> Result<(), String> {
        let mut command = Command::new(program);
        command
            .current_dir(&self.folder)
            .args([
                "run",
                "plan.json",
                "--manifest",
                "murmur.yaml",
                "--workdir",
                "work",
            ])
            .args(["--home", "home", "--bounding", "off", "--json"])
            .arg("--jobs")
            .arg(options.jobs.to_string());
        succeed("mur-plan", &mut command)
    }

    fn ninja(&self, options: &Options) -> Result<(), String> {
        let mut command = Command::new("ninja");
        command
            .current_dir(&self.folder)
            .arg(format!("-j{}", options.jobs));
        succeed("ninja", &mut command)
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        // Nothing depends on it being gone.
        drop(fs::remove_dir_all(&self.folder));
    }
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}

fn succeed(name: &str, command: &mut Command) -> Result<(), String> {
    let output = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| format!("cannot start {name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!(
        "{name} failed ({}): {}",
        output.status,
        said.trim()
    ))
}

/// Spawns and waits, and nothing else: as many threads as jobs, each taking the next command.
fn bare(options: &Options) -> Result<(), String> {
    let started = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..options.jobs)
            .map(|_| {
                scope.spawn(|| {
                    while started.fetch_add(1, Ordering::Relaxed) < options.steps {
                        let status = Command::new("true")
                            .stdin(Stdio::null())
                            .stdout(Stdio::null())
                            .status()
                            .map_err(|error| format!("cannot start `true`: {error}"))?;
                        if !status.success() {
                            return Err(format!("`true` failed ({status})"));
                        }
                    }
                    Ok(())
                })
            })
            .collect();
        lanes
            .into_iter()
            .try_for_each(|lane| lane.join().expect("a lane does not panic"))
    })
}

fn table(contestants: &[Contestant<'_>], options: &Options) -> String {
    let seconds: Vec<(&str, f64, f64)> = contestants
        .iter()
        .map(|contestant| {
            let mut times = contestant.times.clone();
            times.sort();
            (
                contestant.name,
                times[0].as_secs_f64(),
                median(&times).as_secs_f64(),
            )
        })
        .collect();
    let (_, ours_min, ours_median) = seconds[0];
    let mut out = format!(
        "{} commands, {} at a time, {} rounds, {} processors\n\n{:<10} {:>8} {:>8}   mur-plan takes, min and median\n",
        options.steps,
        options.jobs,
        options.rounds,
        std::thread::available_parallelism().map_or(0, usize::from),
        "",
        "min s",
        "median s",
    );
    for (name, min, median) in seconds {
        let _ = writeln!(
            out,
            "{name:<10} {min:>8.3} {median:>8.3}   {:.2}x {:.2}x",
            ours_min / min,
            ours_median / median,
        );
    }
    out
}

/// Returns the middle of sorted times, of two middles the earlier.
fn median(times: &[Duration]) -> Duration {
    times[(times.len() - 1) / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: a mistyped option is told, not guessed.
    #[test]
    fn options_are_read_or_told() {
        let options = Options::read(&["--jobs", "8", "--rounds", "3"]).unwrap();
        assert_eq!((options.jobs, options.steps, options.rounds), (8, 1000, 3));
        for words in [
            &["--job", "8"][..],
            &["--jobs"],
            &["--jobs", "0"],
            &["--jobs", "x"],
        ] {
            assert!(Options::read(words).is_err());
        }
    }

    /// Decision: ratios say how many times as long mur-plan takes.
    #[test]
    fn the_table_compares_with_the_first() {
        let nothing = || Ok(());
        let mut contestants = ["mur-plan", "ninja"].map(|name| Contestant::new(name, &nothing));
        contestants[0].times = [3, 1, 2].map(Duration::from_secs).to_vec();
        contestants[1].times = [4, 2, 5].map(Duration::from_secs).to_vec();
        let text = table(
            &contestants,
            &Options {
                jobs: 1,
                steps: 1,
                rounds: 3,
            },
        );
        assert!(
            text.contains("ninja         2.000    4.000   0.50x 0.50x"),
            "{text}"
        );
    }
}
