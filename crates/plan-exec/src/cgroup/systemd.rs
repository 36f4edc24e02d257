//! `StartTransientUnit`: the one call made to the systemd user manager.

use std::{io, time::Duration};

use tokio::time::{Instant, sleep, timeout};
use zbus::{Connection, Variant, connection::Builder};

/// Returns the name of the unit asked for: a name is refused while another unit has it, and one of a process that
/// had our id may be there still, so the tick this process started at is in it.
pub(super) fn unit_name() -> String {
    let started = procfs::process::Process::myself().and_then(|process| process.stat());
    let started = started.map_or(0, |stat| stat.starttime);
    format!("murmur-{}-{started}.scope", std::process::id())
}

/// Asks on the bus that `bus` leads to for the scope `unit` around this process, and waits until `joined`.
pub(super) async fn ask(
    bus: Builder<'_>,
    unit: &str,
    joined: impl Fn() -> bool,
) -> Result<(), Declined> {
    match timeout(ANSWER_PATIENCE, request(bus, unit)).await {
        Ok(answer) => answer.map_err(declined)?,
        Err(_elapsed) => return Err(Declined::Silent(ANSWER_PATIENCE)),
    }
    // The answer names a job; whether it is done is seen where it matters.
    let asked = Instant::now();
    while !joined() {
        if asked.elapsed() >= MOVE_PATIENCE {
            return Err(Declined::NotMoved(MOVE_PATIENCE));
        }
        sleep(MOVE_PAUSE).await;
    }
    Ok(())
}

async fn request(bus: Builder<'_>, unit: &str) -> zbus::Result<()> {
    let connection: Connection = bus.build().await?;
    let properties = [
        (
            "Description",
            Variant::from("a supervisor of plans and what they start"),
        ),
        ("PIDs", Variant::from(vec![std::process::id()])),
        ("Delegate", Variant::from(true)),
        ("CollectMode", Variant::from("inactive-or-failed")),
    ];
    let no_others: [(&str, Vec<(&str, Variant<'_>)>); 0] = [];
    connection
        .call_method(
            Some("org.freedesktop.systemd1"),
            "/org/freedesktop/systemd1",
            Some("org.freedesktop.systemd1.Manager"),
            "StartTransientUnit",
            // "fail": a unit of that name that is there already is not replaced.
            &(unit, "fail", &properties[..], &no_others[..]),
        )
        .await?;
    Ok(())
}

fn declined(error: zbus::Error) -> Declined {
    match error {
        zbus::Error::MethodError(name, message, _) => Declined::Refused {
            name: name.to_string(),
            message: message.unwrap_or_default(),
        },
        zbus::Error::InputOutput(error) | zbus::Error::Connection(error, _)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused
            ) =>
        {
            Declined::NoBus
        }
        error => Declined::Bus(error.to_string()),
    }
}

/// Why there is no scope of the user manager's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Declined {
    /// There is no session bus.
    #[error("there is no session bus")]
    NoBus,
    /// The bus cannot be spoken to, or nobody there is the manager.
    #[error("{0}")]
    Bus(String),
    /// The manager says no.
    #[error("it answered `{name}`: {message}")]
    Refused {
        /// The error's name on the bus.
        name: String,
        /// Its own words.
        message: String,
    },
    /// No answer in time.
    #[error("nobody answered within {} s", .0.as_secs())]
    Silent(Duration),
    /// It agreed, and this process was still in its old cgroup some time later.
    #[error("it agreed, but had not moved this process after {} s", .0.as_secs())]
    NotMoved(Duration),
}

/// How long connecting, authenticating and the answer may take together: a manager answers within milliseconds.
const ANSWER_PATIENCE: Duration = Duration::from_secs(2);

/// How long the manager may take to move this process (spec: What a plan may reach).
const MOVE_PATIENCE: Duration = Duration::from_secs(2);

/// How long it is waited before it is looked again.
const MOVE_PAUSE: Duration = Duration::from_millis(5);
