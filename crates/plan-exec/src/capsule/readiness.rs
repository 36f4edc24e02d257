//! The line with which a child reports itself (docs/roost.md, "Launching the approved child").

use std::{path::PathBuf, sync::Arc};

use serde::Deserialize;
use serde_json::Value;

use super::{object, secret::Secret};

/// A child that has reported itself.
#[derive(Debug)]
pub(super) struct Readiness {
    /// `ses_…`.
    pub(super) session_id: String,
    /// Absolute.
    pub(super) records_dir: PathBuf,
    /// Where it takes tasks; `None` when it says that it takes none.
    pub(super) door: Option<Door>,
    /// What it wants to see on every request.
    pub(super) operator: Option<Arc<Secret>>,
}

/// Where a child takes tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Door {
    /// An address or a name, without brackets.
    pub(super) host: String,
    pub(super) port: u16,
}

impl Readiness {
    /// Reads the line. The error never quotes it: it may hold a token.
    pub(super) fn read(line: &[u8]) -> Result<Self, String> {
        let line: Line = object::read(line).ok_or("its first line is not a JSON object")?;
        let text = |value: Option<Value>| match value {
            Some(Value::String(text)) if !text.is_empty() => Some(text),
            _ => None,
        };
        let session_id = text(line.session_id)
            .filter(|id| id.starts_with(SESSION) && id.len() > SESSION.len())
            .ok_or("its first line has no `session_id`")?;
        let records_dir = text(line.records_dir)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .ok_or("its first line has no `records_dir` that is an absolute path")?;
        let operator = line
            .tokens
            .and_then(|tokens| tokens.operator)
            .map(|operator| operator.is_wellformed().then(|| Arc::new(operator)))
            .map(|operator| operator.ok_or("the operator token in its first line is no token"))
            .transpose()?;
        Ok(Self {
            session_id,
            records_dir,
            door: text(line.url).and_then(|url| Door::read(&url)),
            operator,
        })
    }
}

impl Door {
    /// Reads `host:port`, also with a scheme and a `/` around it.
    fn read(url: &str) -> Option<Self> {
        let place = url.strip_prefix("http://").unwrap_or(url);
        let place = place.strip_suffix('/').unwrap_or(place);
        let authority: hyper::http::uri::Authority = place.parse().ok()?;
        let host = authority.host();
        let port = authority.as_str()[host.len()..].strip_prefix(':')?;
        let is_plain = !place.contains('@') && !host.is_empty();
        Some(Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: port.parse().ok().filter(|&port| port != 0 && is_plain)?,
        })
    }
}

/// The members that matter. A value of another type is as if absent, so that the error is about the member.
#[derive(Deserialize)]
struct Line {
    session_id: Option<Value>,
    records_dir: Option<Value>,
    url: Option<Value>,
    tokens: Option<Tokens>,
}

#[derive(Deserialize)]
struct Tokens {
    operator: Option<Secret>,
}

/// What the id of a session begins with.
const SESSION: &str = "ses_";

#[cfg(test)]
mod tests {
    use super::Readiness;

    fn read(line: &str) -> String {
        match Readiness::read(line.as_bytes()) {
            Ok(ready) => format!("{ready:?}"),
            Err(why) => why,
        }
    }

    /// spec: Capsule steps: what a child reports of itself.
    #[test]
    fn a_child_reports_itself() {
        let lines = [
            r#"{"session_id":"ses_1","records_dir":"/r","url":"127.0.0.1:80","tokens":{"operator":"op-secret"},"auth":"bearer","pid":1}"#,
            r#"{"session_id":"ses_1","records_dir":"/r","url":""}"#,
            r#"{"session_id":"ses_1","records_dir":"/r","tokens":null,"url":"http://[::1]:7/"}"#,
            r#"{"session_id":"ses_1","records_dir":"/r","tokens":{},"url":"nowhere"}"#,
            r#"{"session_id":"ses_1","records_dir":"/r","url":"a@b:1"}"#,
        ];
        insta::assert_snapshot!(lines.map(read).join("\n"), @r#"
        Readiness { session_id: "ses_1", records_dir: "/r", door: Some(Door { host: "127.0.0.1", port: 80 }), operator: Some(Secret(..)) }
        Readiness { session_id: "ses_1", records_dir: "/r", door: None, operator: None }
        Readiness { session_id: "ses_1", records_dir: "/r", door: Some(Door { host: "::1", port: 7 }), operator: None }
        Readiness { session_id: "ses_1", records_dir: "/r", door: None, operator: None }
        Readiness { session_id: "ses_1", records_dir: "/r", door: None, operator: None }
        "#);
    }

    /// spec: Capsule steps: a line that is no such object fails the launch, and is not quoted.
    #[test]
    fn a_line_of_another_kind_is_not_quoted() {
        let lines = [
            "op-secret",
            "[]",
            "{}",
            r#"{"session_id":"op-secret","records_dir":"/r"}"#,
            r#"{"session_id":7,"records_dir":"/r"}"#,
            r#"{"session_id":"ses_1"}"#,
            r#"{"session_id":"ses_1","records_dir":"op-secret"}"#,
            r#"{"session_id":"ses_1","records_dir":"/r","tokens":{"operator":"op secret"}}"#,
            r#"{"session_id":"ses_1","records_dir":"/r","tokens":"op-secret"}"#,
        ];
        insta::assert_snapshot!(lines.map(read).join("\n"), @r"
        its first line is not a JSON object
        its first line is not a JSON object
        its first line has no `session_id`
        its first line has no `session_id`
        its first line has no `session_id`
        its first line has no `records_dir` that is an absolute path
        its first line has no `records_dir` that is an absolute path
        the operator token in its first line is no token
        its first line is not a JSON object
        ");
    }
}
