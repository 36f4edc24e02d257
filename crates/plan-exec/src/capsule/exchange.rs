//! One HTTP request over a connection of its own, bounded in time and in what is read.

use std::{fmt, io, net::SocketAddr, pin::pin, time::Duration};

use http_body_util::{BodyExt as _, Full};
use hyper::{
    Request, StatusCode,
    body::{Body as _, Bytes, Incoming},
    client::conn::http1,
    header::{self, HeaderName, HeaderValue},
};
use tokio::{
    net::{TcpStream, lookup_host},
    sync::watch,
    time::{sleep, timeout},
};

use super::wire::Wire;

/// A request with a JSON body.
#[derive(Debug)]
pub(super) struct Post<'a> {
    /// An address or a name, without brackets, and the port.
    pub(super) place: (&'a str, u16),
    /// The whole path.
    pub(super) path: &'a str,
    /// Headers beside those of every request.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    /// JSON text.
    pub(super) body: Vec<u8>,
    /// Whether only an address of this machine may be connected to.
    pub(super) loopback_only: bool,
    /// The most of an answer that is read, in bytes.
    pub(super) most: usize,
    /// How long it may take.
    pub(super) times: Times,
    /// Becomes true once the request was handed to the system in full.
    pub(super) sent: watch::Sender<bool>,
}

/// How long each part of an exchange may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) connect: Duration,
    pub(super) write: Duration,
    pub(super) read: Duration,
}

impl Times {
    /// Bounds each part by the same time.
    pub(super) const fn each(bound: Duration) -> Self {
        Self {
            connect: bound,
            write: bound,
            read: bound,
        }
    }
}

/// An answer, whatever its status.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) status: StatusCode,
    pub(super) body: Vec<u8>,
}

/// Why there is no answer. `Display` reads after the name of who was asked.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// No connection came about.
    NoConnection(io::Error),
    /// A part took longer than it may.
    Late(Part, Duration),
    /// The connection ended or failed before the answer was whole.
    Broken,
    /// What came is not HTTP.
    NotHttp,
    /// It is longer than what is read.
    TooLong(usize),
}

/// A part of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Connect,
    Write,
    Read,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoConnection(error) => write!(f, "cannot be connected to: {error}"),
            Self::Late(part, bound) => {
                let what = match part {
                    Part::Connect => "did not accept a connection",
                    Part::Write => "did not take the request",
                    Part::Read => "did not answer",
                };
                write!(f, "{what} within {}", crate::process::Spelled(*bound))
            }
            Self::Broken => f.write_str("closed the connection before its answer was whole"),
            Self::NotHttp => f.write_str("answered something that is not HTTP"),
            Self::TooLong(most) => write!(f, "answered more than {} KiB", most / 1024),
        }
    }
}

/// Sends the request and reads the whole answer. Dropping the future drops the connection.
pub(super) async fn post(post: Post<'_>) -> Result<Answered, Unanswered> {
    let Times {
        connect: connect_bound,
        write,
        read,
    } = post.times;
    let connecting = connect(post.place, post.loopback_only);
    let stream = timeout(connect_bound, connecting)
        .await
        .map_err(|_| Unanswered::Late(Part::Connect, connect_bound))?
        .map_err(Unanswered::NoConnection)?;
    let mut sent = post.sent.subscribe();
    let wire = Wire::new(stream, post.body.len(), post.sent.clone());
    let late = async {
        let in_full = timeout(write, sent.wait_for(|sent| *sent)).await.is_ok();
        if !in_full {
            return Unanswered::Late(Part::Write, write);
        }
        sleep(read).await;
        Unanswered::Late(Part::Read, read)
    };
    let most = post.most;
    tokio::select! {
        biased;
        answered = exchange(wire, request(post), most) => answered,
        late = late => Err(late),
    }
}

async fn connect((host, port): (&str, u16), loopback_only: bool) -> io::Result<TcpStream> {
    let mut failed = None;
    for address in lookup_host((host, port)).await? {
        if loopback_only && !SocketAddr::ip(&address).is_loopback() {
            continue;
        }
        match TcpStream::connect(address).await {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => failed = Some(error),
        }
    }
    Err(failed.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into()))
}

fn request(post: Post<'_>) -> Request<Full<Bytes>> {
    let (host, port) = post.place;
    let host = match host.contains(':') {
        true => format!("[{host}]:{port}"),
        false => format!("{host}:{port}"),
    };
    let mut request = Request::post(post.path)
        .header(header::HOST, host)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CONNECTION, "close");
    for (name, value) in post.headers {
        request = request.header(name, value);
    }
    request
        .body(Full::new(Bytes::from(post.body)))
        .expect("host and path were taken from what parsed as a URL")
}

async fn exchange(
    wire: Wire,
    request: Request<Full<Bytes>>,
    most: usize,
) -> Result<Answered, Unanswered> {
    let (mut sender, connection) = http1::handshake(wire).await.map_err(why)?;
    let asked = async {
        let answer = sender.send_request(request).await.map_err(why)?;
        let status = answer.status();
        let body = read(answer.into_body(), most).await?;
        Ok(Answered { status, body })
    };
    let (mut asked, mut connection) = (pin!(asked), pin!(connection));
    let mut is_open = true;
    loop {
        tokio::select! {
            biased;
            answered = &mut asked => return answered,
            // It ends with the answer; that it failed is told by the answer as well.
            _ = &mut connection, if is_open => is_open = false,
        }
    }
}

async fn read(mut body: Incoming, most: usize) -> Result<Vec<u8>, Unanswered> {
    if body.size_hint().lower() > most as u64 {
        return Err(Unanswered::TooLong(most));
    }
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(why)?.into_data() {
            if data.len() > most - whole.len() {
                return Err(Unanswered::TooLong(most));
            }
            whole.extend_from_slice(&data);
        }
    }
    Ok(whole)
}

fn why(error: hyper::Error) -> Unanswered {
    if error.is_parse() {
        Unanswered::NotHttp
    } else {
        Unanswered::Broken
    }
}
