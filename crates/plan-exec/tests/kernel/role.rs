//! Other processes that a test needs: this very program in a role.

use std::{
    env, fs,
    os::unix::{fs::chown, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use crate::{ability, inherited, killed, place::Place, walls};

/// Plays the role this process was started in, if any.
#[expect(clippy::print_stdout, reason = "what a role found is read from there")]
pub(crate) fn play() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    let role = arguments.next()?.into_string().ok()?;
    let role = role.strip_prefix(PREFIX)?.to_owned();
    let place = Place::of(&PathBuf::from(arguments.next()?));
    let said = match &*role {
        "probe" => ability::say_probed(&place),
        "walls" => walls::both(&place),
        "leaky" => inherited::say_what_a_step_has(&place),
        "runtime" => killed::run_until_killed(&place),
        _ => return Some(ExitCode::FAILURE),
    };
    print!("{said}");
    Some(ExitCode::SUCCESS)
}

/// Returns the arguments that have this program play a role in a place.
pub(crate) fn arguments(role: &str, place: &Path) -> [std::ffi::OsString; 2] {
    [format!("{PREFIX}{role}").into(), place.into()]
}

/// Has an ordinary user play a role in a place, which is theirs from then on, and returns what was said.
pub(crate) fn as_user(role: &str, place: &Path) -> Result<String, String> {
    if !nix::unistd::geteuid().is_root() {
        return Err("only the superuser can become an ordinary user".into());
    }
    give(place);
    // Wherever it was built, a user who may not read that place can run this.
    let program = place.join("program");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    let played = Command::new(&program)
        .args(arguments(role, place))
        .uid(USER)
        .gid(USER)
        .current_dir("/")
        .stderr(Stdio::inherit())
        .output();
    let played = played.map_err(|error| error.to_string())?;
    match played.status.success() {
        true => Ok(String::from_utf8(played.stdout).unwrap()),
        false => Err(format!("the user's process ended with {}", played.status)),
    }
}

/// Gives a tree to the ordinary user.
fn give(tree: &Path) {
    let mut left = vec![tree.to_owned()];
    while let Some(path) = left.pop() {
        chown(&path, Some(USER), Some(USER)).unwrap();
        if path.is_dir() {
            left.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
    }
}

/// What a role's first argument begins with.
const PREFIX: &str = "role:";

/// The ordinary user: nobody.
const USER: u32 = 65534;
