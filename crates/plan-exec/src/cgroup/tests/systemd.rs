//! The systemd user manager, played by a bus of our own on a socket.

use std::{future::poll_fn, pin::pin, time::Duration};

use tempfile::TempDir;
use tokio::{net::UnixListener, task::JoinHandle, time::Instant};
use zbus::{
    Connection, MessageStream, OwnedVariant, connection::Builder, export::futures_core::Stream as _,
};

use super::super::systemd::{self, Declined};

/// What the bus does with the call.
#[derive(Clone, Copy, PartialEq)]
enum Plays {
    Agrees,
    Refuses,
    Silent,
}

/// A bus with a manager on it; `seen` ends with the call, as text.
struct Bus {
    folder: TempDir,
    seen: JoinHandle<String>,
}

impl Bus {
    fn new(plays: Plays) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join("bus")).unwrap();
        let seen = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let server = Builder::unix_stream(stream.into_std().unwrap())
                .server(GUID)
                .p2p();
            serve(server.build_message_stream().await.unwrap(), plays).await
        });
        Self { folder, seen }
    }

    fn connect(&self) -> Builder<'static> {
        let address = format!("unix:path={}/bus", self.folder.path().display());
        Builder::address(address.as_str())
    }
}

type Call = (
    String,
    String,
    Vec<(String, OwnedVariant)>,
    Vec<(String, Vec<(String, OwnedVariant)>)>,
);

/// Answers until the client is gone.
async fn serve(stream: MessageStream, plays: Plays) -> String {
    let connection = Connection::from(&stream);
    let mut stream = pin!(stream);
    let mut seen = String::new();
    while let Some(Ok(message)) = poll_fn(|cx| stream.as_mut().poll_next(cx)).await {
        let header = message.header();
        let member = header.member().map(ToString::to_string).unwrap_or_default();
        if member == "Hello" {
            connection.reply(&header, &":1.7").await.unwrap();
        } else if member == "StartTransientUnit" {
            let (name, mode, properties, others): Call = message.body().deserialize().unwrap();
            seen = format!(
                "{} {} {} {name} {mode} {} others",
                header.destination().unwrap(),
                header.path().unwrap(),
                header.interface().unwrap(),
                others.len()
            );
            for (key, value) in properties {
                seen = format!("{seen}\n{key}={}", zbus::Variant::from(value));
            }
            match plays {
                Plays::Agrees => {
                    let job = zbus::ObjectPath::from_static_str_unchecked("/job/1");
                    connection.reply(&header, &job).await.unwrap();
                }
                Plays::Refuses => {
                    let name = "org.freedesktop.systemd1.UnitExists";
                    connection
                        .reply_error(&header, name, &"it is there")
                        .await
                        .unwrap();
                }
                Plays::Silent => {}
            }
        }
    }
    seen
}

const GUID: &str = "0123456789abcdef0123456789abcdef";

/// spec: What a plan may reach. The manager is asked for a scope around this process that is delegated to it.
#[tokio::test]
async fn the_user_manager_is_asked_for_a_scope() {
    let bus = Bus::new(Plays::Agrees);
    systemd::ask(bus.connect(), "murmur-1.scope", || true)
        .await
        .unwrap();
    let seen = bus
        .seen
        .await
        .unwrap()
        .replace(&std::process::id().to_string(), "ME");
    insta::assert_snapshot!(seen, @r#"
    org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager murmur-1.scope fail 0 others
    Description="a supervisor of plans and what they start"
    PIDs=[uint32 ME]
    Delegate=true
    CollectMode="inactive-or-failed"
    "#);
}

/// spec: What a plan may reach. A refusal is told in the manager's words.
#[tokio::test]
async fn a_refusal_of_the_user_manager_is_told() {
    let bus = Bus::new(Plays::Refuses);
    let declined = systemd::ask(bus.connect(), "murmur-1.scope", || true).await;
    let expected = Declined::Refused {
        name: "org.freedesktop.systemd1.UnitExists".into(),
        message: "it is there".into(),
    };
    assert_eq!(declined, Err(expected));
}

/// spec: What a plan may reach. A manager that agrees and does nothing costs two seconds.
#[tokio::test]
async fn a_process_that_is_not_moved_stays_where_it_is() {
    let bus = Bus::new(Plays::Agrees);
    let declined = systemd::ask(bus.connect(), "murmur-1.scope", || false).await;
    assert_eq!(declined, Err(Declined::NotMoved(Duration::from_secs(2))));
}

/// spec: What a plan may reach. A manager that does not answer, and a bus that only accepts, cost two seconds.
#[tokio::test]
async fn silence_on_the_bus_is_bounded() {
    let mute = tempfile::tempdir().unwrap();
    let _accepts = std::os::unix::net::UnixListener::bind(mute.path().join("bus")).unwrap();
    let address = format!("unix:path={}/bus", mute.path().display());
    let silent = Bus::new(Plays::Silent);
    let began = Instant::now();
    let (first, second) = tokio::join!(
        systemd::ask(silent.connect(), "murmur-1.scope", || true),
        systemd::ask(Builder::address(address.as_str()), "murmur-1.scope", || {
            true
        }),
    );
    let expected = Err(Declined::Silent(Duration::from_secs(2)));
    assert_eq!((first, second), (expected.clone(), expected));
    assert!(began.elapsed() < Duration::from_secs(4));
}

/// spec: What a plan may reach. Where there is no bus, that is known at once.
#[tokio::test]
async fn no_bus_is_a_quick_answer() {
    let folder = tempfile::tempdir().unwrap();
    let abandoned = folder.path().join("abandoned");
    drop(std::os::unix::net::UnixListener::bind(&abandoned).unwrap());
    let at = |name: &str| format!("unix:path={}/{name}", folder.path().display());
    for (address, expected) in [
        (at("absent"), Some(Declined::NoBus)),
        (at("abandoned"), Some(Declined::NoBus)),
        ("nonsense".into(), None),
        ("autolaunch:".into(), None),
        (String::new(), None),
    ] {
        let bus = Builder::address(address.as_str());
        let declined = systemd::ask(bus, "murmur-1.scope", || true)
            .await
            .unwrap_err();
        match expected {
            Some(expected) => assert_eq!(declined, expected),
            None => assert!(
                matches!(declined, Declined::Bus(_)),
                "{address}: {declined:?}"
            ),
        }
    }
}

/// spec: What a plan may reach. The name asked for is one that a unit can have, and this process's alone.
#[test]
fn the_unit_is_named_for_this_process() {
    let name = systemd::unit_name();
    let begin = format!("murmur-{}-", std::process::id());
    let tick = name
        .strip_prefix(&begin)
        .and_then(|rest| rest.strip_suffix(".scope"));
    assert!(
        tick.is_some_and(|tick| tick.parse::<u64>().unwrap() > 0),
        "{name}"
    );
}
