//! Programs that steps start: they take what they can get, stay when they should go, and write where they must not.
//!
//! They are this program called by another name, so that no interpreter has to be on the host. Each is bounded in
//! itself: where nothing stops one, the trial fails and the host lives.

use std::{
    env, fs,
    fs::OpenOptions,
    hint::black_box,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::{
        resource::{UsageWho, getrusage},
        signal::{SigSet, Signal, kill},
        time::TimeValLike as _,
    },
    unistd::{getppid, setsid},
};

use crate::abilities;

/// The names a step may call.
pub(crate) const NAMES: [&str; 14] = [
    "hog",
    "forkbomb",
    "spin",
    "fill",
    "daemon",
    "hold",
    "wait-for",
    "write-file",
    "remove-file",
    "write-plan",
    "read-plan",
    "descriptors",
    "move",
    "signal-parent",
];
/// The variable that names the program where its own name does not.
pub(crate) const CALLED_AS: &str = "PLAN_TEST_CALLED_AS";

/// Is the program this was called as; `None` when it was called as the tests.
pub(crate) fn called() -> Option<ExitCode> {
    let mut words = env::args();
    let path = words.next()?;
    let name = match env::var(CALLED_AS) {
        Ok(name) => name,
        Err(_) => Path::new(&path).file_name()?.to_str()?.to_owned(),
    };
    let first = words.next();
    let word = || {
        first
            .clone()
            .expect("the program is told what to do it with")
    };
    let number = || word().parse::<u64>().expect("a number");
    let done = match name.as_str() {
        "hog" => hog(number()),
        "forkbomb" => return Some(forkbomb(number())),
        "spin" => spin(Duration::from_millis(number())),
        "fill" => fill(number()),
        "daemon" => daemon(&word()),
        "daemon-session" => daemon_session(&word()),
        "daemon-end" => daemon_end(&word()),
        "hold" => hold(),
        "wait-for" => wait_for(Path::new(&word())),
        "write-file" => write(Path::new(&word())),
        "remove-file" => fs::remove_file(word()).map(|()| "removed".to_owned()),
        "write-plan" => write(&plan()),
        "read-plan" => fs::read_to_string(plan()),
        "descriptors" => descriptors(),
        "move" => fs::rename(word(), words.next().expect("a name")).map(|()| "moved".to_owned()),
        "signal-parent" => signal_parent(),
        "try-mounts" => abilities::try_mounts(),
        _ => return None,
    };
    Some(match done {
        Ok(said) => say(&said),
        Err(error) => {
            let mut stderr = std::io::stderr();
            drop(writeln!(stderr, "{name}: {error}"));
            ExitCode::FAILURE
        }
    })
}

type Said = std::io::Result<String>;

fn say(text: &str) -> ExitCode {
    // Text of a file is told as it is.
    let end = if text.ends_with('\n') { "" } else { "\n" };
    match write!(std::io::stdout(), "{text}{end}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Takes so many bytes of memory and touches each page.
fn hog(bytes: u64) -> Said {
    let mut taken: Vec<Vec<u8>> = Vec::new();
    for _ in 0..bytes / MEBIBYTE {
        let mut piece = vec![0; MEBIBYTE as usize];
        for byte in piece.iter_mut().step_by(4096) {
            *byte = 1;
        }
        taken.push(black_box(piece));
    }
    Ok(format!("took {} MiB", taken.len()))
}

/// Starts processes that stay until one cannot be started, and then ends all and fails without a word, so that the
/// error of the step is what the runtime makes of it.
fn forkbomb(most: u64) -> ExitCode {
    let mut started = Vec::new();
    for _ in 0..most {
        match itself("hold", "").stdin(Stdio::null()).spawn() {
            Ok(child) => started.push(child),
            Err(_) => break,
        }
    }
    let count = started.len();
    for child in &mut started {
        drop(child.kill());
        drop(child.wait());
    }
    if count as u64 == most {
        say(&format!("started all {count}"))
    } else {
        say(&format!("stopped after {count}"));
        ExitCode::FAILURE
    }
}

/// Keeps a processor busy for a while, and tells how much of it was had: milliseconds of processor, then of the clock.
fn spin(length: Duration) -> Said {
    let begin = Instant::now();
    let mut number = 1_u64;
    while begin.elapsed() < length {
        for _ in 0..10_000 {
            number = black_box(
                number
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1),
            );
        }
    }
    let clock = begin.elapsed().as_millis();
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let (user, system) = (usage.user_time(), usage.system_time());
    let had = user.num_milliseconds() + system.num_milliseconds();
    Ok(format!("{had} {clock}"))
}

/// Writes a file of so many bytes into the working directory.
fn fill(bytes: u64) -> Said {
    let mut file = fs::File::create("filled")?;
    for _ in 0..bytes / MEBIBYTE {
        file.write_all(&vec![b'x'; MEBIBYTE as usize])?;
    }
    Ok(format!("filled {} MiB", bytes / MEBIBYTE))
}

/// Leaves a daemon: in a session of its own, its parent gone, deaf to signals that can be refused.
fn daemon(pipe: &str) -> Said {
    let mut session = itself("daemon-session", pipe)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    // Gone before its daemon is up, the plan may end before that has told anybody.
    let stdout = session.stdout.take().expect("it is piped");
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "up"), "no daemon came up");
    assert!(session.wait()?.success(), "the session was not made");
    Ok("left a daemon".to_owned())
}

fn daemon_session(pipe: &str) -> Said {
    setsid()?;
    itself("daemon-end", pipe)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok("on its own".to_owned())
}

fn daemon_end(pipe: &str) -> Said {
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGINT] {
        let mut deaf = SigSet::empty();
        deaf.add(signal);
        deaf.thread_block()?;
    }
    let mut file = OpenOptions::new().write(true).open(pipe)?;
    writeln!(file, "up")?;
    say("up");
    hold()
}

/// Stays, for longer than any trial and not for ever.
fn hold() -> Said {
    thread::sleep(Duration::from_secs(600));
    Ok("held".to_owned())
}

/// Sends the process that started it a signal that most would notice.
fn signal_parent() -> Said {
    kill(getppid(), Signal::SIGTERM)?;
    Ok("sent".to_owned())
}

/// Waits until there is a file.
fn wait_for(file: &Path) -> Said {
    let begin = Instant::now();
    while !file.exists() {
        if begin.elapsed() > Duration::from_secs(60) {
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok("seen".to_owned())
}

/// Writes a file by an open of its own, as any interpreter does.
fn write(path: &Path) -> Said {
    fs::write(path, "written by a step")?;
    Ok("written".to_owned())
}

/// Returns where the runtime keeps the plan that runs.
fn plan() -> PathBuf {
    let runtime = env::var_os("MURMUR_RUNTIME_DIR").expect("a step is told its runtime directory");
    Path::new(&runtime).join("plans/plan-1.json")
}

/// Tells the descriptors there are.
fn descriptors() -> Said {
    let mut found: Vec<String> = Vec::new();
    for entry in fs::read_dir("/proc/self/fd")?.flatten() {
        // The one the folder is read by is of this program's own making.
        let is_listing = fs::read_link(entry.path())?
            .to_string_lossy()
            .ends_with("/fd");
        if !is_listing {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found.sort();
    Ok(found.join(" "))
}

fn itself(name: &str, word: &str) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.env(CALLED_AS, name).arg(word);
    command
}

const MEBIBYTE: u64 = 1024 * 1024;
