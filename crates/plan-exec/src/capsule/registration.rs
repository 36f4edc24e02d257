//! A session's registration with the daemon: made once, beside whatever else the session does.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::{sync::watch, task::AbortHandle};

use super::{
    roost::{RoostClient, SessionFacts},
    secret::Secret,
};

/// How a session stands with the daemon.
#[derive(Debug)]
pub enum Standing {
    /// It may not delegate, so no daemon knows it.
    NotRegistered,
    /// It was registered by whoever runs it, and this is its credential.
    Registered(Secret),
    /// It is to be registered before its first capsule step asks for something.
    ToRegister(ToRegister),
}

/// A session to register.
#[derive(Debug)]
pub struct ToRegister {
    /// `ses_…`.
    pub session_id: String,
    /// The capsule's full name, such as `local/orchestrator`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What the session was itself launched with, if it was.
    pub approval: Option<Secret>,
}

/// The credential, as soon as there is one.
#[derive(Debug)]
pub(super) struct Registration {
    client: Arc<RoostClient>,
    standing: Mutex<Option<Standing>>,
    /// `None` until it is known how the registration went.
    outcome: OnceLock<watch::Receiver<Option<Outcome>>>,
    task: OnceLock<AbortHandle>,
}

type Outcome = Result<Arc<Secret>, String>;

impl Registration {
    pub(super) const fn new(client: Arc<RoostClient>, standing: Standing) -> Self {
        Self {
            client,
            standing: Mutex::new(Some(standing)),
            outcome: OnceLock::new(),
            task: OnceLock::new(),
        }
    }

    /// Begins to register, in a task of its own, if that is to be done and was not begun before.
    pub(super) fn begin(&self) -> watch::Receiver<Option<Outcome>> {
        let begun = self.outcome.get_or_init(|| {
            let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
            let (tell, outcome) = watch::channel(None);
            match standing.take().unwrap_or(Standing::NotRegistered) {
                Standing::NotRegistered => {
                    tell.send_replace(Some(Err(NOT_REGISTERED.to_owned())));
                }
                Standing::Registered(credential) => {
                    tell.send_replace(Some(Ok(Arc::new(credential))));
                }
                Standing::ToRegister(session) => {
                    let client = Arc::clone(&self.client);
                    let task = tokio::spawn(async move {
                        let outcome = register(&client, session).await;
                        tell.send_replace(Some(outcome));
                    });
                    self.task.get_or_init(|| task.abort_handle());
                }
            }
            outcome
        });
        begun.clone()
    }

    /// Waits for the credential.
    pub(super) async fn credential(&self) -> Outcome {
        let mut outcome = self.begin();
        let known = outcome.wait_for(Option::is_some).await;
        known
            .ok()
            .and_then(|known| known.clone())
            .unwrap_or_else(|| Err(GIVEN_UP.to_owned()))
    }

    /// Returns the credential of a session that this registered; one that is still being registered is given up.
    pub(super) fn end(&self) -> Option<Arc<Secret>> {
        let task = self.task.get()?;
        task.abort();
        self.outcome.get()?.borrow().clone()?.ok()
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        if let Some(task) = self.task.get() {
            task.abort();
        }
    }
}

async fn register(client: &RoostClient, session: ToRegister) -> Outcome {
    let ToRegister {
        session_id,
        name,
        version,
        approval,
    } = session;
    let facts = SessionFacts {
        session_id,
        name,
        version,
    };
    let registered = client.register(&facts, approval.as_ref()).await;
    registered
        .map(Arc::new)
        .map_err(super::roost::NotGiven::into_sentence)
}

/// The error of a step in a session that holds no credential.
const NOT_REGISTERED: &str = "this session is not registered with the daemon, so it holds no credential to ask with; \
     `capabilities.spawn.allow` has to name the capsules it may delegate to";

/// The error of a step that outlived the registration.
const GIVEN_UP: &str = "the session ended while it was being registered with the daemon";
