//! A listener on loopback that answers as a test says: the daemon's part, and a child's door.

use std::{
    fmt,
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use crate::space::wait_for;

/// Answers every connection on a thread of its own until the process ends.
pub(crate) struct Listener {
    pub(crate) address: SocketAddr,
    heard: Arc<Mutex<Vec<Asked>>>,
}

/// A request as it came.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) path: String,
    /// The lines of the head after the first one, sorted, those that every request has left out.
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
    /// Whether head and body came with the first read.
    pub(crate) at_once: bool,
}

/// What to do about a request.
pub(crate) enum Say {
    /// An answer with this status and body.
    Json(u16, String),
    /// These bytes, whatever they are, then the end.
    Raw(Vec<u8>),
    /// Nothing, for as long as the other side waits.
    Nothing,
    /// Something, once this file is there.
    WhenThere(PathBuf, Box<Self>),
}

impl Listener {
    /// Answers by `answer`, which gets the request and its number from 0.
    pub(crate) fn start(answer: impl Fn(&Asked, usize) -> Say + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (answer, all) = (Arc::new(answer), Arc::clone(&heard));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (answer, all) = (Arc::clone(&answer), Arc::clone(&all));
                thread::spawn(move || serve(stream.unwrap(), &*answer, &all));
            }
        });
        Self { address, heard }
    }

    /// Returns what was asked so far, in the order of asking.
    pub(crate) fn heard(&self) -> Vec<Asked> {
        lock(&self.heard).clone()
    }
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&Asked, usize) -> Say, all: &Mutex<Vec<Asked>>) {
    let Some(asked) = read(&mut stream) else {
        return;
    };
    let number = {
        let mut all = lock(all);
        all.push(asked.clone());
        all.len() - 1
    };
    say(&mut stream, answer(&asked, number));
}

fn say(stream: &mut TcpStream, what: Say) {
    match what {
        Say::WhenThere(file, what) => {
            wait_for(|| file.exists().then_some(()));
            say(stream, *what);
        }
        Say::Json(status, body) => {
            let head = format!(
                "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            // Whoever asked may have gone.
            stream.write_all((head + &body).as_bytes()).ok();
        }
        Say::Raw(bytes) => {
            stream.write_all(&bytes).ok();
        }
        Say::Nothing => {
            stream.read_exact(&mut [0]).ok();
        }
    }
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let mut piece = [0; 64 * 1024];
    let mut reads = 0;
    loop {
        let count = stream.read(&mut piece).ok()?;
        if count == 0 {
            return None;
        }
        reads += 1;
        bytes.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let mut lines = head.lines();
        let first = lines.next()?;
        let length = lines
            .clone()
            .find_map(|line| line.strip_prefix("content-length: "))?
            .parse::<usize>()
            .ok()?;
        if body.len() < length {
            continue;
        }
        let ordinary = ["host: ", "content-length: ", "connection: close"];
        let mut headers: Vec<_> = lines
            .filter(|line| ordinary.iter().all(|known| !line.starts_with(known)))
            .map(str::to_owned)
            .collect();
        headers.sort();
        return Some(Asked {
            path: first.split(' ').nth(1)?.to_owned(),
            headers,
            body: body.to_owned(),
            at_once: reads == 1,
        });
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            headers,
            body,
            at_once,
        } = self;
        let apart = if *at_once { "" } else { " (in pieces)" };
        write!(f, "{path} {}{apart} {body}", headers.join(", "))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
