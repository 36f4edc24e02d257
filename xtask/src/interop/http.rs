//! As much of HTTP as it takes to ask the daemon and to be asked by a driver, on loopback.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

/// Returns the status and the body of the answer to a `GET`.
pub(super) fn get(address: SocketAddr, path: &str) -> Result<(u16, String), String> {
    let failed = |error: std::io::Error| format!("GET {path}: {error}");
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut reader = BufReader::new(stream);
    let Message { first, body, .. } = Message::read(&mut reader).map_err(failed)?;
    let status = first.split(' ').nth(1).and_then(|word| word.parse().ok());
    let status = status.ok_or_else(|| format!("GET {path}: answered `{first}`"))?;
    Ok((status, String::from_utf8_lossy(&body).into_owned()))
}

/// A request or an answer.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) first: String,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Message {
    /// Returns a header's value.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub(super) fn read(from: &mut impl BufRead) -> std::io::Result<Self> {
        let mut message = Self::default();
        loop {
            let mut line = String::new();
            if from.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if message.first.is_empty() {
                line.clone_into(&mut message.first);
            } else if let Some((name, value)) = line.split_once(':') {
                let header = (name.to_owned(), value.trim().to_owned());
                message.headers.push(header);
            }
        }
        let length = message.header("content-length");
        // A body without a length goes on to the end.
        let length = length.and_then(|length| length.parse().ok());
        from.take(length.unwrap_or(LARGEST))
            .read_to_end(&mut message.body)?;
        Ok(message)
    }
}

/// Writes an answer in JSON and says that it is the last.
pub(super) fn answer(to: &mut impl Write, status: &str, body: &str) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    to.write_all((head + body).as_bytes())
}

/// How long the other side may take to say something.
const PATIENCE: Duration = Duration::from_secs(10);
/// The largest body that is read, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: header names have no case, and a body ends by its length or with the connection.
    #[test]
    fn messages_are_read() {
        let text = "POST /v1 HTTP/1.1\r\nX-Key: a word \r\ncontent-length: 3\r\n\r\nbodymore";
        let message = Message::read(&mut text.as_bytes()).unwrap();
        assert_eq!(message.first, "POST /v1 HTTP/1.1");
        assert_eq!(message.header("x-key"), Some("a word"));
        assert_eq!(message.body, b"bod");
        let mut written = Vec::new();
        answer(&mut written, "200 OK", "{}").unwrap();
        assert_eq!(Message::read(&mut &*written).unwrap().body, b"{}");
        let text = "HTTP/1.1 200 OK\r\n\r\nto the end";
        assert_eq!(
            Message::read(&mut text.as_bytes()).unwrap().body,
            b"to the end"
        );
        assert!(Message::read(&mut "HTTP/1.1 200 OK\r\n".as_bytes()).is_err());
    }
}
