//! What this host allows, found out once, and tests that need it.

use libtest_mimic::{Failed, Trial};
use plan_exec::{Abilities, LauncherProgram};

use crate::{place::Place, role};

/// What was found.
pub(crate) struct Found {
    /// Landlock, or why not.
    pub(crate) landlock: Result<(), String>,
    /// Mounts of a step's own, or why not.
    pub(crate) mounts: Result<(), String>,
    /// Both, for an ordinary user.
    pub(crate) user: Result<(), String>,
}

impl Found {
    /// Has launchers try, as this user and as an ordinary one.
    pub(crate) fn look() -> Self {
        let place = Place::new();
        let Abilities { landlock, mounts } = probe(&place);
        Self {
            landlock: landlock.map(drop).map_err(|missing| missing.to_string()),
            mounts: mounts.map_err(|missing| missing.to_string()),
            user: role::as_user("probe", &place.root()).and_then(|said| match &*said {
                "both\n" => Ok(()),
                _ => Err(format!("as an ordinary user: {said}")),
            }),
        }
    }
}

fn probe(place: &Place) -> Abilities {
    LauncherProgram::ThisProgram
        .probe(&place.root().join("runtime"))
        .unwrap()
}

/// In the role of an ordinary user: says what there is.
pub(crate) fn say_probed(place: &Place) -> String {
    match probe(place) {
        Abilities {
            landlock: Ok(_),
            mounts: Ok(()),
        } => "both\n".into(),
        Abilities { landlock, mounts } => format!(
            "{} {}\n",
            landlock.map_or_else(|missing| missing.to_string(), |abi| format!("ABI {abi}")),
            mounts.map_or_else(|missing| missing.to_string(), |()| "mounts".into()),
        ),
    }
}

/// Returns a test that is ignored, and says why, unless everything it `needs` is there.
pub(crate) fn trial(name: &str, needs: &[&Result<(), String>], test: fn()) -> Trial {
    let run = move || -> Result<(), Failed> {
        test();
        Ok(())
    };
    let missing: Vec<&str> = needs
        .iter()
        .filter_map(|need| Some(need.as_ref().err()?.as_str()))
        .collect();
    Trial::test(name, run)
        .with_kind(if missing.is_empty() {
            String::new()
        } else {
            format!("missing: {}", missing.join("; "))
        })
        .with_ignored_flag(!missing.is_empty())
}
