//! A model on loopback for the workers whose driver speaks to one over HTTP, in the shape of Anthropic's messages.
//!
//! It answers at once, or, when told to gather, once enough requests are there: so what runs at once is seen, not
//! guessed from times.

use std::{
    io::BufReader,
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::http::{self, Message};

/// The model. It answers for as long as the chore runs.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) address: SocketAddr,
    room: Arc<Room>,
}

#[derive(Debug, Default)]
struct Room {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// How many requests wait for their answer.
    asking: usize,
    /// The most that waited at once since the last gathering began.
    most: usize,
    /// How many have to wait at once before any is answered; 0 answers all.
    wanted: usize,
}

impl Model {
    pub(super) fn start() -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("cannot listen on loopback: {error}");
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let room = Arc::new(Room::default());
        let shared = Arc::clone(&room);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let room = Arc::clone(&shared);
                // Whoever hung up does not miss an answer.
                thread::spawn(move || drop(room.serve(&stream)));
            }
        });
        Ok(Self { address, room })
    }

    /// Answers nobody until `wanted` ask at once, or [`Model::release`].
    pub(super) fn gather(&self, wanted: usize) {
        let mut state = self.room.state();
        state.wanted = wanted;
        state.most = 0;
    }

    /// Answers everybody who waits, and whoever comes.
    pub(super) fn release(&self) {
        self.room.state().wanted = 0;
        self.room.changed.notify_all();
    }

    /// Waits until `count` ask at once. Returns whether they came.
    pub(super) fn wait_for(&self, count: usize) -> bool {
        let state = self.room.state();
        let waited = self
            .room
            .changed
            .wait_timeout_while(state, PATIENCE, |state| state.asking < count);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.asking >= count
    }

    /// Returns the most that asked at once since the last gathering began.
    pub(super) fn most(&self) -> usize {
        self.room.state().most
    }
}

impl Room {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, stream: &TcpStream) -> std::io::Result<()> {
        let request = Message::read(&mut BufReader::new(stream))?;
        if request.header(WORD_HEADER) != Some(WORD) {
            let refusal = json!({"type": "error", "error": {"type": "authentication_error", "message": "not the word"}});
            return http::answer(&mut &*stream, "401 Unauthorized", &refusal.to_string());
        }
        self.wait_for_others();
        let asked: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let answer = json!({
            "id": "msg_interop",
            "type": "message",
            "role": "assistant",
            "model": asked["model"],
            "content": [{"type": "text", "text": text(&asked)}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 1, "output_tokens": 1},
        });
        http::answer(&mut &*stream, "200 OK", &answer.to_string())
    }

    fn wait_for_others(&self) {
        let mut state = self.state();
        state.asking += 1;
        state.most = state.most.max(state.asking);
        if state.asking >= state.wanted {
            state.wanted = 0;
        }
        self.changed.notify_all();
        let until = Instant::now() + PATIENCE;
        while state.wanted > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(state, left);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state.asking -= 1;
    }
}

/// Returns the answer: as many bytes as a task with `BIG=<n>` asks for, else a short one.
fn text(asked: &Value) -> String {
    let asked = asked["messages"].to_string();
    let size = asked.split("BIG=").nth(1).and_then(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit());
        rest[..end.unwrap_or(rest.len())].parse::<usize>().ok()
    });
    match size {
        Some(size) => long(size),
        None => ANSWER.to_owned(),
    }
}

/// Returns a text of this many bytes, of many different words: children count the tokens of what they read, and one
/// long word takes them seconds.
pub(super) fn long(size: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < size {
        number += 1;
        text.push_str(&format!("this is line {number}\n"));
    }
    text.truncate(size);
    text
}

/// What is answered to a task that asks for nothing else.
pub(super) const ANSWER: &str = "answered by the model";

/// What a request has to say to be answered; the worker has it from its environment.
pub(super) const WORD: &str = "sesame";
/// Where it says so; the driver's manifest tells the runtime.
pub(super) const WORD_HEADER: &str = "x-api-key";

/// How long requests wait for one another, and a check for them.
const PATIENCE: Duration = Duration::from_secs(60);
