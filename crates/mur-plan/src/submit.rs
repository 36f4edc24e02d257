//! The tool `submit-plan`: one plan in, one result out.

use std::{
    fmt,
    os::fd::{AsFd, OwnedFd},
    sync::Arc,
};

use plan_exec::{Cancel, PlanStart};
use plan_model::{Checked, Diagnostic, Grants, Plan, PlanDoc};
use plan_sched::Limits;
use plan_trace::EventId;
use tokio::sync::Mutex;

use crate::{
    arguments,
    driver::{Drive, Narrator, drive},
    ending::{broken, finish, refused_plan, refused_whole},
    executors::Executors,
    plan_file::{PlanFileError, PlanFiles},
    progress::{Progress, ProgressSender, tell},
    result::{PlanResult, Warning},
    sink::{TraceFailed, TraceSink},
};

/// Everything a session hands to the tool. Plain data and trait objects: an embedding runtime fills it in.
#[derive(Clone)]
pub struct Session {
    /// `capabilities.plan.submit`.
    pub plan_submit: bool,
    /// The inventory and the allowlists plans are checked against.
    pub grants: Grants,
    /// What carries steps out.
    pub executors: Executors,
    /// How many shell and capsule steps may be in flight (ruling 19).
    pub limits: Limits,
    /// Takes the trace lines.
    pub trace: Arc<dyn TraceSink>,
    /// Told how plans go, for a live view; `None` when nobody watches.
    pub progress: Option<ProgressSender>,
}

/// The nodes of the trace that a plan's lines hang off.
#[derive(Debug, Clone, Default)]
pub struct TraceNodes {
    /// The `session_start` line; `None` in a trace that has none.
    pub session: Option<EventId>,
    /// The turn that called `submit-plan`, else its task, else the session: refusals hang off it.
    pub caller: Option<EventId>,
    /// The turn's number; 0 when there are no turns.
    pub turn: u64,
}

/// The tool `submit-plan` of one session.
pub struct PlanTool {
    session: Session,
    /// Plans of a session run one after the other: each may end what it left running without touching another.
    files: Mutex<PlanFiles>,
}

impl PlanTool {
    /// The name under which a capsule calls it.
    pub const NAME: &str = "submit-plan";

    /// Makes the tool of a session whose runtime directory is `runtime_dir`; plans are kept in its `plans/`.
    ///
    /// # Errors
    /// When `plans/` cannot be made or opened there without following a link.
    pub fn new(session: Session, runtime_dir: &OwnedFd) -> Result<Self, PlanFileError> {
        let files = Mutex::new(PlanFiles::open(runtime_dir.as_fd())?);
        Ok(Self { session, files })
    }

    /// Takes a call as a model makes it: `arguments` is the JSON text of `{"plan": {...}}` (ruling 4).
    ///
    /// Returns when every step has settled. `cancel` is the signal of the task that called the tool.
    pub async fn submit(&self, arguments: &str, nodes: TraceNodes, cancel: Cancel) -> PlanResult {
        match arguments::plan_text(arguments) {
            Ok(call) => {
                let mut result = self.run(call.plan.into_bytes(), nodes, cancel).await;
                result.warnings.splice(0..0, call.warnings);
                result
            }
            Err(fault) => {
                let narrator = self.narrator(&PlanDoc::read(Vec::new()), nodes);
                refused_whole(&narrator, "", fault.to_string())
            }
        }
    }

    /// Takes a plan's text as it is, for a caller that is not a model.
    pub async fn run(&self, text: Vec<u8>, nodes: TraceNodes, cancel: Cancel) -> PlanResult {
        if let Some(reason) = self.refusal() {
            let doc = PlanDoc::read(text);
            let mut narrator = self.narrator(&doc, nodes);
            let plan_id = doc.plan_id().unwrap_or_default();
            return match start(&mut narrator, &doc) {
                Ok(()) => refused_whole(&narrator, plan_id, reason),
                Err(failed) => broken(plan_id, &failed),
            };
        }
        let mut files = self.files.lock().await;
        let (number, text) = match files.store(&text) {
            Ok(stored) => stored,
            Err(error) => {
                let doc = PlanDoc::read(text);
                let narrator = self.narrator(&doc, nodes);
                return refused_whole(
                    &narrator,
                    doc.plan_id().unwrap_or_default(),
                    error.to_string(),
                );
            }
        };
        let doc = PlanDoc::read(text);
        let mut narrator = self.narrator(&doc, nodes);
        if let Err(failed) = start(&mut narrator, &doc) {
            return broken(doc.plan_id().unwrap_or_default(), &failed);
        }
        let Checked { plan, warnings } = doc.check(Some(&self.session.grants));
        let mut beside: Vec<Warning> = warnings.iter().cloned().map(Warning::Plan).collect();
        match plan {
            Ok(plan) => {
                let start = PlanStart {
                    number,
                    id: plan.id(),
                };
                let result = match self.session.executors.bounds.plan_starting(start).await {
                    Ok(shortfalls) => {
                        self.warn(warnings, &shortfalls);
                        beside.extend(shortfalls.into_iter().map(Warning::Bounds));
                        let mut result = self.drive(plan, number, &mut narrator, cancel).await;
                        beside.append(&mut result.warnings);
                        result
                    }
                    Err(unbounded) => refused_whole(&narrator, plan.id(), unbounded.reason),
                };
                PlanResult {
                    warnings: beside,
                    ..result
                }
            }
            Err(refused) => PlanResult {
                warnings: beside,
                ..refused_plan(&narrator, refused)
            },
        }
    }

    /// Tells whoever watches before anything runs: a plan may take hours, and its result tells it again.
    fn warn(&self, warnings: Vec<Diagnostic>, shortfalls: &[String]) {
        let watcher = self.session.progress.as_ref();
        if !warnings.is_empty() {
            tell(watcher, || Progress::Warned { warnings });
        }
        for shortfall in shortfalls {
            tell(watcher, || Progress::Unbounded {
                shortfall: shortfall.clone(),
            });
        }
    }

    /// Says why no plan at all can run here, if so.
    fn refusal(&self) -> Option<String> {
        (!self.session.plan_submit).then(|| {
            "this capsule is not granted `capabilities.plan.submit`; declare `plan: {submit: true}` \
             under `capabilities` in its manifest"
                .to_owned()
        })
    }

    fn narrator(&self, doc: &PlanDoc, nodes: TraceNodes) -> Narrator {
        Narrator::new(Arc::clone(&self.session.trace), nodes, doc)
    }

    async fn drive(
        &self,
        plan: Plan,
        plan_number: u32,
        narrator: &mut Narrator,
        cancel: Cancel,
    ) -> PlanResult {
        let watcher = self.session.progress.as_ref();
        let plan = Arc::new(plan);
        tell(watcher, || Progress::PlanStarted {
            plan: Arc::clone(&plan),
            limits: self.session.limits,
        });
        let driven = drive(Drive {
            plan,
            plan_number,
            limits: self.session.limits,
            executors: self.session.executors.clone(),
            cancel,
            narrator,
            progress: watcher.cloned(),
        })
        .await;
        // Nothing a step left running outlives the plan, so this comes before the plan is said to be over.
        let ended = self.session.executors.bounds.plan_ended(plan_number).await;
        let shortfall = ended.err().map(|left| left.to_string());
        if let Some(shortfall) = &shortfall {
            tell(watcher, || Progress::Unbounded {
                shortfall: shortfall.clone(),
            });
        }
        tell(watcher, || Progress::Finished);
        let mut result = finish(narrator, driven);
        result.warnings.extend(shortfall.map(Warning::Bounds));
        result
    }
}

impl fmt::Debug for PlanTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlanTool").finish_non_exhaustive()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("plan_submit", &self.plan_submit)
            .field("grants", &self.grants)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Writes `plan_start` for a text that has a plan's shape.
fn start(narrator: &mut Narrator, doc: &PlanDoc) -> Result<(), TraceFailed> {
    if doc.has_shape() {
        narrator.plan_start(doc)?;
    }
    Ok(())
}
