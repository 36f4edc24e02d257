//! A task on the wire: JSON-RPC requests, and what an answer says of the task (docs/roost.md, "The task and the answer").

use serde::Serialize;
use serde_json::Value;

use super::object;

/// What a child says of its task.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// It goes on.
    Unfinished {
        /// By which it is asked about again.
        id: String,
    },
    /// It is done.
    Completed {
        /// Its id, where it has one.
        id: Option<String>,
        /// The text of the artifact `response`, if that is not empty.
        response: Option<String>,
    },
    /// It failed, in the child's own words.
    Failed(String),
    /// Nothing can be made of it; the sentence reads after the child's name.
    Unusable(String),
}

/// Returns the request that hands a task over.
pub(super) fn send_message(delegation_id: &str, text: &str) -> Vec<u8> {
    let message = Message {
        message_id: format!("msg_{delegation_id}"),
        role: "ROLE_USER",
        parts: [Part {
            text,
            media_type: "text/plain",
        }],
    };
    request(delegation_id, "SendMessage", SendMessage { message })
}

/// Returns the request that asks about a task.
pub(super) fn get_task(delegation_id: &str, id: &str) -> Vec<u8> {
    request(delegation_id, "GetTask", GetTask { id })
}

fn request(id: &str, method: &'static str, params: impl Serialize) -> Vec<u8> {
    let request = JsonRpc {
        jsonrpc: "2.0",
        id,
        method,
        params,
    };
    serde_json::to_vec(&request).expect("texts are JSON")
}

/// Reads an answer to either request. One that tells nothing of a task is a failure like any other.
pub(super) fn read(body: &[u8]) -> Task {
    let Some(answer) = object::read::<Value>(body) else {
        return Task::Unusable("answered the task with something that is no JSON object".into());
    };
    if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
        let said = text(error.get("message")).unwrap_or("it did not say why");
        let code = error.get("code").and_then(Value::as_i64);
        return Task::Unusable(match code {
            Some(code) => format!("refused the task with code {code}: {said}"),
            None => format!("refused the task: {said}"),
        });
    }
    let result = answer.get("result");
    let task = result.and_then(|result| match result.get("task") {
        Some(task) => Some(task),
        None => result.get("status").map(|_| result),
    });
    match task.filter(|task| task.is_object()) {
        Some(task) => told(task),
        None => Task::Unusable("answered the task without saying what became of it".into()),
    }
}

fn told(task: &Value) -> Task {
    let id = text(task.get("id")).map(str::to_owned);
    let status = task.get("status");
    let member = |name| status.and_then(|status| status.get(name));
    let Some(state) = text(member("state")) else {
        return Task::Unusable("told of its task without a state".into());
    };
    match state {
        "TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING" | "TASK_STATE_INPUT_REQUIRED" => match id {
            Some(id) => Task::Unfinished { id },
            None => Task::Unusable("told of an unfinished task without an id".into()),
        },
        "TASK_STATE_COMPLETED" => Task::Completed {
            id,
            response: response(task),
        },
        "TASK_STATE_FAILED" | "TASK_STATE_REJECTED" => {
            let said = member("message").and_then(first_text);
            match said {
                Some(said) => Task::Failed(said.to_owned()),
                None => Task::Unusable("failed its task without saying why".into()),
            }
        }
        "TASK_STATE_CANCELED" => {
            Task::Unusable("cancelled its task, which this plan did not ask for".into())
        }
        other => {
            let other = crate::output::start_of(other, LONGEST_STATE);
            Task::Unusable(format!("told of its task in the unknown state `{other}`"))
        }
    }
}

fn response(task: &Value) -> Option<String> {
    let artifacts = task.get("artifacts")?.as_array()?;
    let response = artifacts
        .iter()
        .find(|artifact| text(artifact.get("artifactId")) == Some("response"))?;
    first_text(response).map(str::to_owned)
}

/// Returns the text of the first of the parts in `holder`, if that is not empty.
fn first_text(holder: &Value) -> Option<&str> {
    text(holder.get("parts")?.get(0)?.get("text"))
}

fn text(value: Option<&Value>) -> Option<&str> {
    value
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}

#[derive(Serialize)]
struct JsonRpc<'a, P> {
    jsonrpc: &'static str,
    id: &'a str,
    method: &'static str,
    params: P,
}

#[derive(Serialize)]
struct SendMessage<'a> {
    message: Message<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    message_id: String,
    role: &'static str,
    parts: [Part<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Part<'a> {
    text: &'a str,
    media_type: &'static str,
}

#[derive(Serialize)]
struct GetTask<'a> {
    id: &'a str,
}

/// The most of a state nobody knows that is repeated, in bytes.
const LONGEST_STATE: usize = 100;

#[cfg(test)]
mod tests {
    use super::{Task, get_task, read, send_message};

    /// spec: Capsule steps: the two requests, byte for byte.
    #[test]
    fn the_requests_are_those_of_the_protocol() {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        insta::assert_snapshot!(text(send_message("dlg_1", "do \"it\"\n")), @r#"{"jsonrpc":"2.0","id":"dlg_1","method":"SendMessage","params":{"message":{"messageId":"msg_dlg_1","role":"ROLE_USER","parts":[{"text":"do \"it\"\n","mediaType":"text/plain"}]}}}"#);
        insta::assert_snapshot!(text(get_task("dlg_1", "tsk_2")), @r#"{"jsonrpc":"2.0","id":"dlg_1","method":"GetTask","params":{"id":"tsk_2"}}"#);
    }

    fn of(state: &str, rest: &str) -> Task {
        let task = format!(r#"{{"id":"tsk_1","status":{{"state":"TASK_STATE_{state}"{rest}}}}}"#);
        read(format!(r#"{{"jsonrpc":"2.0","id":"x","result":{{"task":{task}}}}}"#).as_bytes())
    }

    /// spec: Capsule steps: the table of states.
    #[test]
    fn each_state_means_what_the_table_says() {
        for going_on in ["SUBMITTED", "WORKING", "INPUT_REQUIRED"] {
            assert_eq!(of(going_on, ""), Task::Unfinished { id: "tsk_1".into() });
        }
        let done = Task::Completed {
            id: Some("tsk_1".into()),
            response: None,
        };
        assert_eq!(of("COMPLETED", ""), done);
        let said = r#","message":{"role":"ROLE_AGENT","parts":[{"text":"no luck"},{"text":"b"}]}"#;
        for over in ["FAILED", "REJECTED"] {
            assert_eq!(of(over, said), Task::Failed("no luck".into()));
        }
        let silent = "failed its task without saying why";
        assert_eq!(of("FAILED", ""), Task::Unusable(silent.into()));
        assert_eq!(
            of("FAILED", r#","message":7"#),
            Task::Unusable(silent.into())
        );
        let cancelled = "cancelled its task, which this plan did not ask for";
        assert_eq!(of("CANCELED", ""), Task::Unusable(cancelled.into()));
        let unknown = "told of its task in the unknown state `TASK_STATE_NEW`";
        assert_eq!(of("NEW", ""), Task::Unusable(unknown.into()));
    }

    /// spec: Capsule steps: the answer is the first part of the artifact `response`, also where the task stands
    /// alone.
    #[test]
    fn the_response_is_found() {
        let task = |artifacts: &str| {
            let body = format!(
                r#" {{"result":{{"id":"t","artifacts":{artifacts},"status":{{"state":"TASK_STATE_COMPLETED"}}}}}}"#
            );
            match read(body.as_bytes()) {
                Task::Completed { response, .. } => response,
                other => panic!("{other:?}"),
            }
        };
        let response = r#"{"artifactId":"response","parts":[{"text":"yes"},{"text":"no"}]}"#;
        let other = r#"{"artifactId":"log","parts":[{"text":"log"}]}"#;
        assert_eq!(task(&format!("[{other},{response}]")).unwrap(), "yes");
        assert_eq!(task(&format!("[{other}]")), None);
        assert_eq!(
            task(r#"[{"artifactId":"response","parts":[{"text":""}]}]"#),
            None
        );
        assert_eq!(
            task(r#"[{"artifactId":"response","parts":[{"data":1}]}]"#),
            None
        );
        assert_eq!(task(r#"{"artifactId":"response"}"#), None);
    }

    /// spec: Capsule steps: an answer without a task, an error and garbage each fail, saying so.
    #[test]
    fn an_answer_without_a_task_fails() {
        let why = |body: &str| match read(body.as_bytes()) {
            Task::Unusable(why) => why,
            other => panic!("{other:?}"),
        };
        let bodies = [
            "",
            "<html>",
            "[1]",
            "{}",
            r#"{"result":null}"#,
            r#"{"result":{"message":{}}}"#,
            r#"{"result":{"task":"t"}}"#,
            r#"{"result":{"task":{}}}"#,
            r#"{"result":{"task":{"status":{"state":7}}}}"#,
            r#"{"result":{"task":{"status":{"state":"TASK_STATE_WORKING"}}}}"#,
            r#"{"error":{"code":-32601,"message":"no such method"}}"#,
            r#"{"error":{"message":"busy"}}"#,
            r#"{"error":"busy"}"#,
        ];
        insta::assert_snapshot!(bodies.map(why).join("\n"), @r"
        answered the task with something that is no JSON object
        answered the task with something that is no JSON object
        answered the task with something that is no JSON object
        answered the task without saying what became of it
        answered the task without saying what became of it
        answered the task without saying what became of it
        answered the task without saying what became of it
        told of its task without a state
        told of its task without a state
        told of an unfinished task without an id
        refused the task with code -32601: no such method
        refused the task: busy
        refused the task: it did not say why
        ");
    }
}
