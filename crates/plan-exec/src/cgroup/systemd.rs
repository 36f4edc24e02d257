//! `StartTransientUnit`: the one call made to the systemd user manager.

use std::{io, time::Duration};

use tokio::time::{Instant, sleep, timeout};
use zbus::{Connection, connection::Builder, zvariant::Value};

use super::manager::Declined;

/// Returns the name of the unit asked for: a name is refused while another unit has it.
pub(super) fn unit_name(pid: u32) -> String {
    format!("murmur-{pid}.scope")
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
        ("Description", Value::from("a supervisor of plans and what they start")),
        ("PIDs", Value::from(vec![std::process::id()])),
        ("Delegate", Value::from(true)),
        ("CollectMode", Value::from("inactive-or-failed")),
    ];
    let no_others: [(&str, Vec<(&str, Value<'_>)>); 0] = [];
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

/// How long connecting, authenticating and the answer may take together: a manager answers within milliseconds.
const ANSWER_PATIENCE: Duration = Duration::from_secs(2);

/// How long the manager may take to move this process (spec: What a plan may reach).
const MOVE_PATIENCE: Duration = Duration::from_secs(2);

/// How long it is waited before it is looked again.
const MOVE_PAUSE: Duration = Duration::from_millis(5);
