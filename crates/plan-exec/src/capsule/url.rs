//! The daemon's base URL: plain HTTP, on loopback.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use hyper::Uri;

/// Where the daemon listens (`MURMUR_ROOST_URL`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoostUrl {
    /// As it is handed to children, without a `/` at its end.
    text: String,
    /// An address without brackets, or `localhost`.
    host: String,
    port: u16,
    /// What stands before the path of a request; empty, or begins with a `/` and does not end with one.
    path: String,
}

/// A base URL that no daemon can be asked under.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RoostUrlError {
    /// Not a URL, or of another scheme.
    #[error("`MURMUR_ROOST_URL` is `{0}`, which is not an `http` URL; {HINT}")]
    NotHttp(String),
    /// It names a host that is not this one.
    #[error(
        "`MURMUR_ROOST_URL` names the host `{0}`, and only a daemon on loopback is asked; {HINT}"
    )]
    NotLoopback(String),
    /// It holds a user's name or a password. The URL is not repeated.
    #[error("`MURMUR_ROOST_URL` holds a user's name or a password, which no daemon takes; {HINT}")]
    Credentials,
    /// It holds a query.
    #[error("`MURMUR_ROOST_URL` is `{0}`, which holds a query; {HINT}")]
    Query(String),
}

/// What to write instead.
const HINT: &str = "write one like `http://127.0.0.1:7700`";

impl FromStr for RoostUrl {
    type Err = RoostUrlError;

    fn from_str(text: &str) -> Result<Self, RoostUrlError> {
        let text = text.trim();
        if text.contains('@') {
            return Err(RoostUrlError::Credentials);
        }
        let text = text.strip_suffix('/').unwrap_or(text);
        let not_http = || RoostUrlError::NotHttp(shortened(text));
        let uri: Uri = text.parse().map_err(|_| not_http())?;
        let authority = uri.authority().ok_or_else(not_http)?;
        if uri.scheme_str() != Some("http") {
            return Err(not_http());
        }
        if uri.query().is_some() || text.contains('#') {
            return Err(RoostUrlError::Query(shortened(text)));
        }
        let host = authority.host();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let port = match authority.as_str()[host.len()..].strip_prefix(':') {
            None => DEFAULT_PORT,
            Some(port) => port
                .parse()
                .ok()
                .filter(|&port| port != 0)
                .ok_or_else(not_http)?,
        };
        if !is_loopback(bare) {
            return Err(RoostUrlError::NotLoopback(shortened(host)));
        }
        Ok(Self {
            text: text.to_owned(),
            host: bare.to_ascii_lowercase(),
            port,
            path: uri.path().trim_end_matches('/').to_owned(),
        })
    }
}

impl RoostUrl {
    /// Returns the host to connect to, without brackets, and the port.
    pub(super) fn place(&self) -> (&str, u16) {
        (&self.host, self.port)
    }

    /// Returns the whole path of a request.
    pub(super) fn path(&self, request: &str) -> String {
        format!("{}{request}", self.path)
    }
}

impl fmt::Display for RoostUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns whether a host, without brackets, is spelled as one that only this machine answers for.
fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse().is_ok_and(|address: IpAddr| match address {
            IpAddr::V4(address) => Ipv4Addr::is_loopback(&address),
            IpAddr::V6(address) => Ipv6Addr::is_loopback(&address),
        })
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut shortened: String = text.chars().take(LONGEST).collect();
    if shortened.len() < text.len() {
        shortened.push('…');
    }
    shortened
}

/// The port of a URL that names none (RFC 9110, section 4.2.1).
const DEFAULT_PORT: u16 = 80;

#[cfg(test)]
mod tests {
    use super::RoostUrl;

    fn read(text: &str) -> String {
        match text.parse::<RoostUrl>() {
            Ok(url) => format!("{url} = {:?} {}", url.place(), url.path("/spawn")),
            Err(error) => error.to_string(),
        }
    }

    /// spec: Capsule steps: the base URL, one `/` at its end dropped.
    #[test]
    fn a_base_url_is_read() {
        let urls = [
            "http://127.0.0.1:17700",
            " http://localhost:7/ ",
            "http://[::1]:8080",
            "http://127.9.9.9/",
            "HTTP://LOCALHOST:1/base/",
        ];
        insta::assert_snapshot!(urls.map(read).join("\n"), @r#"
        http://127.0.0.1:17700 = ("127.0.0.1", 17700) /spawn
        http://localhost:7 = ("localhost", 7) /spawn
        http://[::1]:8080 = ("::1", 8080) /spawn
        http://127.9.9.9 = ("127.9.9.9", 80) /spawn
        HTTP://LOCALHOST:1/base = ("localhost", 1) /base/spawn
        "#);
    }

    /// spec: Bad input: a URL that is not `http` or not loopback-shaped is told from one another, before any request.
    #[test]
    fn a_url_of_another_kind_is_refused() {
        let urls = [
            "https://127.0.0.1:1",
            "127.0.0.1:1",
            "/spawn",
            "not a url",
            "http://",
            "http://example.com:80",
            "http://127.0.0.1.example.com",
            "http://10.0.0.1:1",
            "http://0.0.0.0:1",
            "http://127.0.0.1:99999",
            "http://127.0.0.1:0",
            "http://127.0.0.1:",
            "http://user:hunter2@127.0.0.1:1",
            "http://127.0.0.1:1/?a=b",
        ];
        insta::assert_snapshot!(urls.map(read).join("\n"), @r"
        `MURMUR_ROOST_URL` is `https://127.0.0.1:1`, which is not an `http` URL; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` is `127.0.0.1:1`, which is not an `http` URL; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` is `/spawn`, which is not an `http` URL; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` is `not a url`, which is not an `http` URL; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` is `http:/`, which is not an `http` URL; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` names the host `example.com`, and only a daemon on loopback is asked; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` names the host `127.0.0.1.example.com`, and only a daemon on loopback is asked; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` names the host `10.0.0.1`, and only a daemon on loopback is asked; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` names the host `0.0.0.0`, and only a daemon on loopback is asked; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` is `http://127.0.0.1:99999`, which is not an `http` URL; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` is `http://127.0.0.1:0`, which is not an `http` URL; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` is `http://127.0.0.1:`, which is not an `http` URL; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` holds a user's name or a password, which no daemon takes; write one like `http://127.0.0.1:7700`
        `MURMUR_ROOST_URL` is `http://127.0.0.1:1/?a=b`, which holds a query; write one like `http://127.0.0.1:7700`
        ");
    }
}
