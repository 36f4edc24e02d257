//! A child's door: the task handed over and its end waited for (docs/roost.md, "The task and the answer").

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use hyper::header::{AUTHORIZATION, HeaderName, HeaderValue};
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};

use super::{
    exchange::{Answered, Post, Times, Unanswered, post},
    readiness::Door,
    secret::Secret,
    spec::DelegationBounds,
    task::{self, Task},
};

/// Speaks with one child about one task.
#[derive(Debug)]
pub(super) struct Talk {
    pub(super) door: Door,
    pub(super) operator: Option<Arc<Secret>>,
    pub(super) delegation_id: String,
    pub(super) bounds: DelegationBounds,
    /// Whether the task has gone to the child in full, so that the child may have done it.
    pub(super) sent: watch::Sender<bool>,
    /// The id of the task, once it was told of unfinished.
    pub(super) task_id: OnceLock<String>,
}

/// Why a child said nothing of its task.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoTask {
    /// It could not be handed the task.
    Undelivered(String),
    /// It had the task, and its door closed before it answered.
    Closed(String),
}

impl Talk {
    /// Hands the task over and waits until it is over, one way or the other.
    pub(super) async fn ask(&self, text: &str) -> Result<Task, NoTask> {
        let body = task::send_message(&self.delegation_id, text);
        match self.deliver(&body).await? {
            Task::Unfinished { id } => self.follow(id).await,
            over @ (Task::Completed { .. } | Task::Failed(_) | Task::Unusable(_)) => Ok(over),
        }
    }

    /// Keeps the request open until the child answers it. What did not reach the child is tried again: its door
    /// may not be open yet.
    async fn deliver(&self, body: &[u8]) -> Result<Task, NoTask> {
        let until = Instant::now() + self.bounds.door;
        let mut pause = FIRST_PAUSE;
        loop {
            self.sent.send_replace(false);
            let left = until.saturating_duration_since(Instant::now());
            let times = Times {
                connect: left,
                write: left,
                // Whoever waits for the answer bounds the waiting.
                read: Duration::MAX,
            };
            let why = match self.post(body.to_vec(), times).await {
                Ok(answered) if answered.status.is_success() => {
                    return Ok(task::read(&answered.body));
                }
                Ok(answered) => {
                    // It was not taken, so it may be sent again.
                    self.sent.send_replace(false);
                    format!("answered the task with {}", answered.status)
                }
                Err(no_answer) if *self.sent.borrow() => {
                    return Err(NoTask::Closed(no_answer.to_string()));
                }
                Err(no_answer) => no_answer.to_string(),
            };
            if Instant::now() + pause >= until {
                return Err(NoTask::Undelivered(why));
            }
            sleep(pause).await;
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    /// Asks again and again what has become of a task that was told of unfinished.
    async fn follow(&self, id: String) -> Result<Task, NoTask> {
        let id = self.task_id.get_or_init(|| id);
        let begun = Instant::now();
        loop {
            let pause = (begun.elapsed() / PAUSES).clamp(FIRST_POLL, LONGEST_POLL);
            sleep(pause).await;
            let body = task::get_task(&self.delegation_id, id);
            let why = match self.post(body, Times::each(self.bounds.request)).await {
                Ok(answered) if answered.status.is_success() => match task::read(&answered.body) {
                    Task::Unfinished { .. } => continue,
                    over @ (Task::Completed { .. } | Task::Failed(_) | Task::Unusable(_)) => {
                        return Ok(over);
                    }
                },
                Ok(answered) => {
                    format!(
                        "answered a question about its task with {}",
                        answered.status
                    )
                }
                Err(no_answer) => no_answer.to_string(),
            };
            return Err(NoTask::Closed(why));
        }
    }

    async fn post(&self, body: Vec<u8>, times: Times) -> Result<Answered, Unanswered> {
        let mut headers = vec![(VERSION, HeaderValue::from_static("1.0"))];
        if let Some(operator) = &self.operator {
            let bearer = format!("Bearer {}", operator.expose());
            let mut bearer = HeaderValue::from_str(&bearer)
                .expect("an operator token was seen to be visible ASCII");
            bearer.set_sensitive(true);
            headers.push((AUTHORIZATION, bearer));
        }
        post(Post {
            place: (&self.door.host, self.door.port),
            path: "/",
            headers,
            body,
            loopback_only: false,
            most: MOST_OF_AN_ANSWER,
            times,
            sent: self.sent.clone(),
        })
        .await
    }
}

/// The header that names the version of the protocol.
const VERSION: HeaderName = HeaderName::from_static("a2a-version");

/// How long before a task that did not reach the child is sent again, doubled each time (docs/roost.md).
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause between two tries (docs/roost.md).
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// How long before an unfinished task is first asked about (docs/roost.md).
const FIRST_POLL: Duration = Duration::from_millis(20);

/// The longest pause between two questions (docs/roost.md).
const LONGEST_POLL: Duration = Duration::from_millis(500);

/// A pause between two questions is this part of the time passed, so that an answer is late by a fortieth of the
/// time it took, on average.
const PAUSES: u32 = 20;

/// The most of a child's answer that is read, in bytes: it is held in memory.
pub(super) const MOST_OF_AN_ANSWER: usize = 64 * 1024 * 1024;
