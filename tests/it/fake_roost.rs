//! A scripted daemon on loopback, and the listener that it and a child's door are.

use std::{
    fmt,
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// The credential that the daemon gives.
pub(crate) const CREDENTIAL: &str = "cred-4be1c9";
/// The approval that the daemon gives.
pub(crate) const APPROVAL: &str = "appr-90d2aa";

/// Answers every connection on a thread of its own for as long as the tests run.
pub(crate) struct FakeRoost {
    pub(crate) address: SocketAddr,
    heard: Arc<Heard>,
}

/// A request as it came.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) path: String,
    /// The token in the head, if there is one.
    pub(crate) token: Option<String>,
    pub(crate) body: String,
}

/// An answer: a status and a body. Status 0 says nothing for as long as the other side waits.
pub(crate) type Answer = (u16, String);

#[derive(Default)]
struct Heard {
    all: Mutex<Vec<Asked>>,
    more: Condvar,
}

impl FakeRoost {
    /// A daemon that lets everything be.
    pub(crate) fn approving() -> Self {
        Self::start(|asked, _| approve(asked))
    }

    /// Answers by `answer`, which gets the request and its number from 0.
    pub(crate) fn start(answer: impl Fn(&Asked, usize) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of loopback");
        let address = listener.local_addr().expect("it is bound");
        let heard = Arc::new(Heard::default());
        let (answer, all) = (Arc::new(answer), Arc::clone(&heard));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (answer, all) = (Arc::clone(&answer), Arc::clone(&all));
                let stream = stream.expect("a connection");
                thread::spawn(move || serve(stream, &*answer, &all));
            }
        });
        Self { address, heard }
    }

    /// Returns its base URL.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns what was asked so far.
    pub(crate) fn heard(&self) -> Vec<Asked> {
        lock(&self.heard.all).clone()
    }

    /// Waits until so much was asked.
    pub(crate) fn wait_for(&self, count: usize) {
        let all = lock(&self.heard.all);
        let waited = self
            .heard
            .more
            .wait_timeout_while(all, PATIENCE, |all| all.len() < count);
        let (all, late) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!late.timed_out(), "only {all:?} was asked");
    }
}

/// What a daemon says that lets everything be.
pub(crate) fn approve(asked: &Asked) -> Answer {
    let body = match asked.path.as_str() {
        "/register" => format!(r#"{{"credential":"{CREDENTIAL}"}}"#),
        "/spawn" => format!(
            r#"{{"approval":"{APPROVAL}","name":"local/worker","version":"0.1.0","sha256":"00","expires_at_ms":1}}"#
        ),
        _ => "{}".to_owned(),
    };
    (200, body)
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&Asked, usize) -> Answer, heard: &Heard) {
    let Some(asked) = read(&mut stream) else {
        return;
    };
    let number = {
        let mut all = lock(&heard.all);
        all.push(asked.clone());
        heard.more.notify_all();
        all.len() - 1
    };
    let (status, body) = answer(&asked, number);
    if status == 0 {
        stream.read_exact(&mut [0]).ok();
        return;
    }
    let head = format!(
        "HTTP/1.1 {status} Said\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    // Whoever asked may have gone.
    stream.write_all((head + &body).as_bytes()).ok();
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let mut piece = [0; 64 * 1024];
    loop {
        let count = stream.read(&mut piece).ok().filter(|&count| count > 0)?;
        bytes.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
        if body.len() < header("content-length: ")?.parse().ok()? {
            continue;
        }
        let token = header("x-murmur-spawn-credential: ").or_else(|| header("authorization: "));
        return Some(Asked {
            path: head.split(' ').nth(1)?.to_owned(),
            token: token.map(str::to_owned),
            body: body.to_owned(),
        });
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = self.token.as_deref().unwrap_or("-");
        write!(f, "{} {token} {}", self.path, self.body)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Longer than anything takes that a test waits for, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);
