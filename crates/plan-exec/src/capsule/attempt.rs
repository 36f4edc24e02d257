//! One attempt of a capsule step, from the daemon's approval to the end of the child (docs/roost.md).
//!
//! ```text
//! approval -> launch -> up -> answer -> end
//!     a cancel: settles -> 5 s -> ends  -> ends -> changes nothing
//! ```

use std::{os::fd::AsFd, sync::Arc, time::Instant};

use super::{
    answer,
    completion::Completion,
    executor::Delegating,
    launch::launch,
    names,
    readiness::Readiness,
    result_file,
    roost::{Approved, NotGiven},
    running::{Ended, Running, Unready, Untold},
    task::Task,
    work_folder::WorkFolder,
};
use crate::{
    call::CapsuleCall,
    cancel::CancelLevel,
    delegation::Delegation,
    outcome::{Outcome, Verdict},
    output::at_most,
};

/// Runs one attempt.
pub(super) async fn run(delegating: &Delegating, call: CapsuleCall) -> Outcome {
    let attempt = Attempt {
        delegating,
        call: &call,
        begun: Instant::now(),
    };
    attempt.run().await
}

struct Attempt<'a> {
    delegating: &'a Delegating,
    call: &'a CapsuleCall,
    begun: Instant,
}

/// A launched child that has reported itself.
struct Delegated<'a> {
    id: &'a str,
    approved: &'a Approved,
    ready: &'a Readiness,
    folder: &'a WorkFolder,
}

impl Attempt<'_> {
    async fn run(&self) -> Outcome {
        // Nothing exists as long as the daemon is asked, so a cancel only drops the question.
        let approved = tokio::select! {
            biased;
            () = self.call.cancel.reached(CancelLevel::Cancelled) => return ended(),
            approved = self.approve() => approved,
        };
        let approved = match approved {
            Ok(approved) => approved,
            Err(settled) => return settled,
        };
        let delegation_id = (self.delegating.spec.fresh_id)();
        match self.launch(&approved, &delegation_id).await {
            Ok((child, folder)) => {
                self.see_through(child, &folder, &approved, &delegation_id)
                    .await
            }
            Err(_) if self.is_canceled() => ended(),
            Err(why) => self.not_up(&approved, &why),
        }
    }

    /// Asks the daemon, or settles the step: refused, or without a trace where it was not asked at all.
    async fn approve(&self) -> Result<Approved, Outcome> {
        let spec = &self.delegating.spec;
        let name = names::full_name(&spec.spawn_allow, &self.call.name);
        let not_asked = |why: &str| {
            let sentence = format!("{} was not started: {why}", capsule(name));
            Outcome::failed(at_most(sentence))
        };
        if spec.records_dir.is_none() {
            return Err(not_asked(
                "this session has no records directory for it to work in",
            ));
        }
        if name.contains('\0') {
            return Err(not_asked("its name holds a NUL"));
        }
        let credential = self.delegating.registration.credential().await;
        let credential = credential.map_err(|sentence| Outcome::failed(at_most(sentence)))?;
        let client = &self.delegating.client;
        let asked = client.spawn(&credential, name, names::VERSION).await;
        asked.map_err(|not_given| {
            let outcome = match &not_given {
                NotGiven::Refused(_) => Some("refused"),
                NotGiven::Unusable(_) => Some("failed"),
                NotGiven::NotThere(_) => None,
            };
            let why = at_most(not_given.into_sentence());
            if let Some(outcome) = outcome {
                self.report_end((name, names::VERSION), None, outcome, Some(&why));
            }
            Outcome::failed(why)
        })
    }

    async fn launch(
        &self,
        approved: &Approved,
        delegation_id: &str,
    ) -> Result<(Running, WorkFolder), String> {
        let spec = &self.delegating.spec;
        let manifests = Arc::clone(&spec.manifests);
        let (name, version) = (approved.name.clone(), approved.version.clone());
        let reading = tokio::task::spawn_blocking(move || manifests.env_allow(&name, &version));
        let allowed = match reading.await {
            Ok(allowed) => allowed.map_err(|why| format!("was not launched: {why}"))?,
            Err(_) => return Err("was not launched: reading its manifest broke".to_owned()),
        };
        let launched = async {
            let records_dir = spec.records_dir.as_deref();
            let records_dir = records_dir.ok_or("this session has no records directory")?;
            let folder = WorkFolder::make(records_dir, names::bare(&approved.name))?;
            let child = launch(spec, approved, &allowed, &folder, delegation_id).await?;
            Ok((Running::new(child, spec, &approved.approval), folder))
        };
        launched
            .await
            .map_err(|why: String| format!("was not launched: {why}"))
    }

    /// Waits for the child to come up, has it do the task, ends it, and settles.
    async fn see_through(
        &self,
        mut child: Running,
        folder: &WorkFolder,
        approved: &Approved,
        delegation_id: &str,
    ) -> Outcome {
        let cancel = &self.call.cancel;
        let ready = match child.come_up(cancel).await {
            Ok(ready) => ready,
            Err(Unready::Cancelled) => {
                child.end(cancel).await;
                return ended();
            }
            Err(Unready::Failed(why)) => {
                let explained = explained(&why, &child.end(cancel).await);
                return self.not_up(approved, &explained);
            }
        };
        let delegated = Delegated {
            id: delegation_id,
            approved,
            ready: &ready,
            folder,
        };
        self.report_start(&delegated);
        let told = child
            .ask(&ready, delegation_id, &self.call.task, cancel)
            .await;
        let end = child.end(cancel).await;
        match told {
            Ok(Task::Completed { id, response }) => {
                let text = match response {
                    Some(response) => Ok(response),
                    None => delegated
                        .result_file(id.as_deref())
                        .map(Option::unwrap_or_default),
                };
                self.answered(&delegated, text)
            }
            Ok(Task::Failed(said)) => self.failed(&delegated, "failed", said),
            Ok(Task::Unusable(why)) => self.failed(&delegated, "failed", approved.said(&why)),
            Ok(Task::Unfinished { .. }) => self.failed(
                &delegated,
                "failed",
                approved.said("left its task unfinished"),
            ),
            Err(Untold::Cancelled) => self.terminated(&delegated),
            Err(Untold::Late(why)) => self.failed(&delegated, "timed_out", approved.said(&why)),
            Err(Untold::Exited { id }) => {
                let text = delegated.result_file(id.as_deref()).and_then(|found| {
                    let none = "exited before it answered, and left no result file";
                    found.ok_or_else(|| none.to_owned())
                });
                self.answered(&delegated, text)
            }
            Err(Untold::Broken(why)) => {
                let explained = format!("{why}{}", last_lines(&end));
                self.failed(&delegated, "failed", approved.said(&explained))
            }
        }
    }

    /// Settles with an answer, or with why that could not be read.
    fn answered(&self, delegated: &Delegated<'_>, text: Result<String, String>) -> Outcome {
        let text = match text {
            Ok(text) => text,
            Err(why) => return self.failed(delegated, "failed", delegated.approved.said(&why)),
        };
        self.report_end(
            delegated.approved.names(),
            Some(delegated),
            "completed",
            None,
        );
        let runtime_dir = self.delegating.spec.runtime_dir.as_ref();
        Outcome {
            verdict: Verdict::Passed,
            output: Some(answer::cut(
                text,
                delegated.id,
                runtime_dir.map(AsFd::as_fd),
            )),
            state_effect: None,
            resource_id: None,
        }
    }

    fn failed(&self, delegated: &Delegated<'_>, outcome: &'static str, why: String) -> Outcome {
        let why = at_most(delegated.strike_out(why));
        self.report_end(
            delegated.approved.names(),
            Some(delegated),
            outcome,
            Some(&why),
        );
        Outcome::failed(why)
    }

    /// Settles a child that was ended because the task was cancelled. The cancelled task writes its trace line.
    fn terminated(&self, delegated: &Delegated<'_>) -> Outcome {
        let workdir = delegated.folder.path.to_string_lossy();
        let completion = Completion::new(
            delegated.id,
            delegated.approved.names(),
            &delegated.ready.session_id,
            &workdir,
            self.duration_ms(),
        );
        if let Err(error) = completion.write(&delegated.ready.records_dir) {
            let folder = delegated.ready.records_dir.display();
            let sentence = format!("cannot write `completion.json` to `{folder}`: {error}");
            self.delegating.spec.echo.line(&sentence);
        }
        self.report_end(
            delegated.approved.names(),
            Some(delegated),
            "terminated",
            Some(TERMINATED),
        );
        ended()
    }

    /// Settles an approved child that never came up.
    fn not_up(&self, approved: &Approved, why: &str) -> Outcome {
        let why = at_most(approved.said(why));
        self.report_end(approved.names(), None, "failed", Some(&why));
        Outcome::failed(why)
    }

    fn report_start(&self, delegated: &Delegated<'_>) {
        let (capsule, version) = delegated.approved.names();
        self.report(Delegation::Started {
            delegation_id: delegated.id.to_owned(),
            capsule: capsule.to_owned(),
            version: version.to_owned(),
            child_session_id: delegated.ready.session_id.clone(),
            child_workdir: delegated.folder.path.to_string_lossy().into_owned(),
            child_records_dir: delegated.ready.records_dir.to_string_lossy().into_owned(),
        });
    }

    fn report_end(
        &self,
        (capsule, version): (&str, &str),
        delegated: Option<&Delegated<'_>>,
        outcome: &'static str,
        reason: Option<&str>,
    ) {
        self.report(Delegation::Ended {
            capsule: capsule.to_owned(),
            version: version.to_owned(),
            delegation_id: delegated.map(|delegated| delegated.id.to_owned()),
            child_session_id: delegated.map(|delegated| delegated.ready.session_id.clone()),
            duration_ms: self.duration_ms(),
            outcome,
            reason: reason.map(str::to_owned),
        });
    }

    fn report(&self, delegation: Delegation) {
        // Whoever listened may have given up on this step.
        self.call.delegations.send(delegation).ok();
    }

    fn is_canceled(&self) -> bool {
        self.call.cancel.level() >= CancelLevel::Cancelled
    }

    fn duration_ms(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Delegated<'_> {
    fn result_file(&self, task_id: Option<&str>) -> Result<Option<String>, String> {
        let folders = [&*self.ready.records_dir, &*self.folder.path];
        let refused = |why: String| format!("answered, and {why}");
        result_file::find(folders, task_id).map_err(refused)
    }

    /// Takes the tokens out of what a child said.
    fn strike_out(&self, said: String) -> String {
        let said = self.approved.approval.strike_out(&said).into_owned();
        match &self.ready.operator {
            Some(operator) => operator.strike_out(&said).into_owned(),
            None => said,
        }
    }
}

impl Approved {
    fn names(&self) -> (&str, &str) {
        (&self.name, &self.version)
    }

    /// Makes a sentence about it.
    fn said(&self, why: &str) -> String {
        format!("{} {why}", capsule(&self.name))
    }
}

fn capsule(name: &str) -> String {
    format!("capsule `{name}`")
}

fn ended() -> Outcome {
    Outcome {
        verdict: Verdict::Ended,
        output: None,
        state_effect: None,
        resource_id: None,
    }
}

/// Adds to why a launch failed how the child ended and what it said last.
fn explained(why: &str, end: &Ended) -> String {
    format!("{why} ({}){}", end.exit, last_lines(end))
}

fn last_lines(end: &Ended) -> String {
    match end.last_lines.as_str() {
        "" => String::new(),
        lines => format!("; its last lines:{lines}"),
    }
}

/// The reason of a delegation that a cancelled task ended (spec: When the task is cancelled).
const TERMINATED: &str = "the delegating task was cancelled";
