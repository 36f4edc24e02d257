//! What a tool's answer comes to (ruling 24; issue: tool process).

use std::os::fd::BorrowedFd;

use super::{
    data_path,
    protocol::{Reply, ReplyStatus},
};
use crate::{
    outcome::{Outcome, Verdict},
    output::{at_most, into_text, without_trailing_newlines},
    process::Exit,
};

/// Returns the outcome of a tool that ended by itself.
pub(super) fn outcome(
    stdout: Vec<u8>,
    stderr: &str,
    exit: Exit,
    workdir: BorrowedFd<'_>,
) -> Outcome {
    if stdout.is_empty() {
        return without_answer(without_trailing_newlines(stderr), exit);
    }
    let text = into_text(stdout);
    match Reply::read(&text) {
        Some(reply) => answered(&reply, exit, workdir),
        None => by_exit(text, exit),
    }
}

/// No output: the exit status decides, and a failed one's standard error is its data.
fn without_answer(stderr: &str, exit: Exit) -> Outcome {
    if exit.passed() {
        return Outcome {
            verdict: Verdict::Passed,
            output: None,
            state_effect: None,
            resource_id: None,
        };
    }
    if stderr.is_empty() {
        return Outcome::failed(exit.to_string());
    }
    by_exit(stderr.to_owned(), exit)
}

/// Output that is no answer is the data, and the exit status decides.
fn by_exit(data: String, exit: Exit) -> Outcome {
    Outcome {
        verdict: if exit.passed() {
            Verdict::Passed
        } else {
            Verdict::Failed(error(None, Some(&data), || exit.to_string()))
        },
        output: Some(data),
        state_effect: None,
        resource_id: None,
    }
}

/// An answer decides, whatever the exit status.
fn answered(reply: &Reply<'_>, exit: Exit, workdir: BorrowedFd<'_>) -> Outcome {
    let output = match (reply.data_text(), &reply.data_path) {
        (Some(data), _) => Ok(Some(data)),
        (None, Some(path)) => data_path::read(workdir, &path.0).map(Some),
        (None, None) => Ok(None),
    };
    let (output, unreadable) = match output {
        Ok(output) => (output, None),
        Err(error) => (None, Some(error)),
    };
    let verdict = match (reply.status, unreadable) {
        (ReplyStatus::Passed, None) => Verdict::Passed,
        (ReplyStatus::Passed, Some(unreadable)) => Verdict::Failed(at_most(unreadable)),
        (status @ (ReplyStatus::Failed | ReplyStatus::Error), unreadable) => {
            let summary = reply.summary.as_ref().map(|summary| summary.0.as_str());
            Verdict::Failed(error(summary, output.as_deref(), || {
                unreadable.unwrap_or_else(|| {
                    format!(
                        "the tool answered `{}` without a summary or data ({exit})",
                        status.name()
                    )
                })
            }))
        }
    };
    Outcome {
        verdict,
        output,
        state_effect: reply.metadata("state_effect"),
        resource_id: reply.metadata("resource_id"),
    }
}

/// The first that says something, bounded (ruling 26).
fn error(summary: Option<&str>, data: Option<&str>, last: impl FnOnce() -> String) -> String {
    let said = [summary, data]
        .into_iter()
        .flatten()
        .find(|text| !text.trim().is_empty());
    at_most(said.map_or_else(last, str::to_owned))
}
