//! The referee daemon: asked who may be launched (docs/roost.md, "The daemon").

use std::{sync::Arc, time::Duration};

use hyper::header::{HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::{
    exchange::{Answered, Post, Times, Unanswered, post},
    object,
    secret::Secret,
    url::RoostUrl,
};

/// Asks the daemon.
#[derive(Debug)]
pub(super) struct RoostClient {
    pub(super) url: RoostUrl,
    /// Bounds connecting, writing and reading, each.
    pub(super) bound: Duration,
}

/// What the daemon let be launched.
#[derive(Debug)]
pub(super) struct Approved {
    pub(super) approval: Arc<Secret>,
    /// The full name.
    pub(super) name: String,
    pub(super) version: String,
}

/// Why the daemon gave nothing.
#[derive(Debug)]
pub(super) enum NotGiven {
    /// It said no, in this sentence.
    Refused(String),
    /// It was not there to be asked.
    NotThere(String),
    /// It was asked, and what came is no answer of such a daemon.
    Unusable(String),
}

impl NotGiven {
    /// Returns the sentence, whoever it is from.
    pub(super) fn into_sentence(self) -> String {
        match self {
            Self::Refused(sentence) | Self::NotThere(sentence) | Self::Unusable(sentence) => {
                sentence
            }
        }
    }
}

impl RoostClient {
    /// Registers a session and returns its credential.
    pub(super) async fn register(
        &self,
        session: &SessionFacts,
        approval: Option<&Secret>,
    ) -> Result<Secret, NotGiven> {
        let token = approval.map(|approval| (APPROVAL, approval));
        let body = self.ask("/register", session, token).await?;
        let registered: Registered = self.read("/register", &body)?;
        self.wellformed("/register", registered.credential)
    }

    /// Asks for the launch of a capsule.
    pub(super) async fn spawn(
        &self,
        credential: &Secret,
        name: &str,
        version: &str,
    ) -> Result<Approved, NotGiven> {
        let asked = CapsuleFacts { name, version };
        let token = Some((CREDENTIAL, credential));
        let body = self.ask("/spawn", &asked, token).await?;
        let granted: Granted = self.read("/spawn", &body)?;
        Ok(Approved {
            approval: Arc::new(self.wellformed("/spawn", granted.approval)?),
            name: granted.name.unwrap_or_else(|| name.to_owned()),
            version: granted.version.unwrap_or_else(|| version.to_owned()),
        })
    }

    /// Says that a session has ended.
    pub(super) async fn deregister(
        &self,
        credential: &Secret,
        completed: bool,
    ) -> Result<(), NotGiven> {
        let outcome = if completed { "complete" } else { "failed" };
        let token = Some((CREDENTIAL, credential));
        self.ask("/deregister", &SessionEnd { outcome }, token)
            .await
            .map(drop)
    }

    async fn ask(
        &self,
        path: &str,
        body: &impl Serialize,
        token: Option<(HeaderName, &Secret)>,
    ) -> Result<Vec<u8>, NotGiven> {
        let mut headers = Vec::new();
        if let Some((name, secret)) = token.clone() {
            headers.push((name, header_of(secret).map_err(NotGiven::NotThere)?));
        }
        let body = serde_json::to_vec(body).expect("names and versions are JSON");
        let asked = Post {
            place: self.url.place(),
            path: &self.url.path(path),
            headers,
            body,
            loopback_only: true,
            most: MOST_OF_AN_ANSWER,
            times: Times::each(self.bound),
            sent: watch::Sender::new(false),
        };
        let answered = match post(asked).await {
            Ok(answered) => answered,
            Err(no_answer) => {
                let sentence = format!("the daemon at `{}` {no_answer}", self.url);
                return Err(match no_answer {
                    Unanswered::NoConnection(_) => NotGiven::NotThere(sentence),
                    Unanswered::Late(..)
                    | Unanswered::Broken
                    | Unanswered::NotHttp
                    | Unanswered::TooLong(_) => NotGiven::Unusable(sentence),
                });
            }
        };
        match answered.status.as_u16() {
            OK => Ok(answered.body),
            _ => Err(self.refusal(path, &answered, token.map(|(_, secret)| secret))),
        }
    }

    /// Words an answer that gives nothing: the daemon's own sentence where it has one.
    fn refusal(&self, path: &str, answered: &Answered, token: Option<&Secret>) -> NotGiven {
        if let Some(Refused { error }) = object::read(&answered.body)
            && !error.trim().is_empty()
        {
            let sentence = match token {
                Some(secret) => secret.strike_out(&error).into_owned(),
                None => error,
            };
            return NotGiven::Refused(crate::output::at_most(sentence));
        }
        let status = answered.status;
        let what = if status.is_redirection() {
            format!("redirects `{path}` ({status}), and a redirect is not followed")
        } else {
            format!("answered `{path}` with {status} and without a reason")
        };
        NotGiven::Unusable(format!("the daemon at `{}` {what}", self.url))
    }

    fn read<'b, T: Deserialize<'b>>(&self, path: &str, body: &'b [u8]) -> Result<T, NotGiven> {
        // What is wrong with it is not said: it may hold a token.
        object::read(body).ok_or_else(|| self.unreadable(path))
    }

    fn wellformed(&self, path: &str, secret: Secret) -> Result<Secret, NotGiven> {
        match secret.is_wellformed() {
            true => Ok(secret),
            false => Err(self.unreadable(path)),
        }
    }

    fn unreadable(&self, path: &str) -> NotGiven {
        NotGiven::Unusable(format!(
            "the daemon at `{}` answered `{path}` with something else than such a daemon does",
            self.url
        ))
    }
}

/// Returns a token as the value of a header that nothing shows.
pub(super) fn header_of(secret: &Secret) -> Result<HeaderValue, String> {
    let mut value = HeaderValue::from_str(secret.expose())
        .map_err(|_| "a token of this session cannot be a header".to_owned())?;
    value.set_sensitive(true);
    Ok(value)
}

/// The session to register.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SessionFacts {
    pub(super) session_id: String,
    pub(super) name: String,
    pub(super) version: String,
}

#[derive(Serialize)]
struct CapsuleFacts<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct SessionEnd {
    outcome: &'static str,
}

#[derive(Deserialize)]
struct Registered {
    credential: Secret,
}

#[derive(Deserialize)]
struct Granted {
    approval: Secret,
    name: Option<String>,
    version: Option<String>,
}

#[derive(Deserialize)]
struct Refused {
    error: String,
}

/// The header that carries a session's credential.
const CREDENTIAL: HeaderName = HeaderName::from_static("x-murmur-spawn-credential");

/// The header that carries what a session was itself launched with.
const APPROVAL: HeaderName = HeaderName::from_static("x-murmur-spawn-approval");

/// The only status that gives something.
const OK: u16 = 200;

/// The most of the daemon's answer that is read. Its answers hold some hundred bytes.
const MOST_OF_AN_ANSWER: usize = 1024 * 1024;
