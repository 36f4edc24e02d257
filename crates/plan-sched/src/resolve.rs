//! Conditions and inputs against settled results, at the moment they are needed (rulings 8 to 11, 16). What
//! an unresolvable one does to its step is left to `settle`.

use crate::{Sched, phase::Phase};
use alloc::{format, string::String};
use plan_model::{Field, Plan, Ref, Status, StepIdx};

/// A reference that has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unresolved {
    reference: Ref,
    cause: Cause,
}

/// Why a reference has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// It names the step it stands in.
    OwnResult,
    /// Its step has not settled (ruling 10).
    NotSettled,
    /// Its step settled and produced no output (ruling 11).
    NoOutput(Status),
}

impl Unresolved {
    /// Says what is wrong and what to write instead.
    pub(crate) fn describe(self, plan: &Plan) -> String {
        let id = plan.step(self.reference.step).id();
        let field = self.reference.field.name();
        let why = match self.cause {
            Cause::OwnResult => "a step cannot read its own result".into(),
            Cause::NotSettled => {
                format!("step `{id}` has not settled; add `{id}` to the `depends_on` of this step")
            }
            Cause::NoOutput(status) => {
                let status = status.name();
                format!("step `{id}` settled as {status} and produced no output")
            }
        };
        format!("cannot resolve `${id}.{field}`: {why}")
    }
}

impl Sched {
    /// Looks at the condition of a step whose dependencies have settled (ruling 16). It goes on to wait for a
    /// slot, or it settles.
    pub(crate) fn decide_condition(&mut self, step: StepIdx) {
        let holds = match self.plan.step(step).condition() {
            Some(condition) => condition.eval(&mut |&reference| self.lookup(step, reference)),
            None => Ok(true),
        };
        match holds {
            Ok(true) => self.board.set_phase(step, Phase::Ready),
            Ok(false) => self.skip(step),
            Err(unresolved) => {
                let error = unresolved.describe(&self.plan);
                self.fail(step, error);
            }
        }
    }

    pub(crate) fn resolve_input(&self, step: StepIdx) -> Result<String, Unresolved> {
        self.plan
            .step(step)
            .resolve_input(&mut |reference| self.lookup(step, reference))
    }

    fn lookup(&self, by: StepIdx, reference: Ref) -> Result<&str, Unresolved> {
        let unresolved = |cause| Unresolved { reference, cause };
        if reference.step == by {
            return Err(unresolved(Cause::OwnResult));
        }
        let settled = self
            .settled(reference.step)
            .ok_or(unresolved(Cause::NotSettled))?;
        match reference.field {
            Field::Status => Ok(settled.status.name()),
            Field::Output => settled
                .output
                .ok_or(unresolved(Cause::NoOutput(settled.status))),
        }
    }
}
