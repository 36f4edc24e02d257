//! What the oracle makes of conditions, inputs and references (rulings 8 to 11, 14).

use super::Oracle;
use crate::world::{Condition, InputShape, Reading, Side, StepShape, TASK};
use plan_model::{Kind, Status};

impl Oracle<'_> {
    pub(super) fn condition(&self, step: usize, condition: &Condition) -> Result<bool, String> {
        let holds = |side: &Side| -> Result<bool, String> {
            match side {
                Side::True => Ok(true),
                Side::False => Ok(false),
                Side::Status(of, word) => Ok(self.read(step, Reading::Status(*of))? == *word),
                Side::Output(of, text) => Ok(self.read(step, Reading::Output(*of))? == *text),
            }
        };
        match condition {
            Condition::Absent => Ok(true),
            Condition::All(sides) => {
                for side in sides {
                    if !holds(side)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Condition::Any(sides) => {
                for side in sides {
                    if holds(side)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    pub(super) fn input(&self, step: usize, shape: &StepShape) -> Result<String, String> {
        let json = |reading| -> Result<String, String> {
            Ok(serde_json::Value::from(self.read(step, reading)?).to_string())
        };
        match (shape.kind, &shape.input) {
            // Ruling 9: nothing in a shell step's input is resolved.
            (Kind::Shell, InputShape::Plain | InputShape::Reference(_) | InputShape::Object(_)) => {
                Ok(String::new())
            }
            (Kind::Tool, InputShape::Plain) => Ok("null".to_owned()),
            (Kind::Tool, InputShape::Reference(reading)) => json(*reading),
            (Kind::Tool, InputShape::Object(readings)) => {
                let mut all = Vec::new();
                for &reading in readings {
                    all.push(json(reading)?);
                }
                Ok(format!(r#"{{"log":[{}],"n":1.0}}"#, all.join(",")))
            }
            (Kind::Capsule, InputShape::Plain) => Ok(TASK.to_owned()),
            (Kind::Capsule, InputShape::Reference(reading)) => {
                Ok(self.read(step, *reading)?.to_owned())
            }
            (Kind::Capsule, InputShape::Object(readings)) => {
                Ok(self.read(step, readings[0])?.to_owned())
            }
        }
    }

    /// The value of a reference, or the sentence that says why there is none (rulings 10, 11).
    fn read(&self, by: usize, reading: Reading) -> Result<&str, String> {
        let (of, field) = match reading {
            Reading::Status(of) => (of, "status"),
            Reading::Output(of) => (of, "output"),
        };
        let name = &self.world.ids[of];
        let wrong = |why: String| format!("cannot resolve `${name}.{field}`: {why}");
        if of == by {
            return Err(wrong("a step cannot read its own result".to_owned()));
        }
        let Some(status) = self.status(of) else {
            return Err(wrong(format!(
                "step `{name}` has not settled; add `{name}` to the `depends_on` of this step"
            )));
        };
        let status = match status {
            Status::Success => "success",
            Status::Failed => "failed",
            Status::Skipped => "skipped",
        };
        match reading {
            Reading::Status(_) => Ok(status),
            Reading::Output(_) => self.steps[of].output.as_deref().ok_or_else(|| {
                wrong(format!(
                    "step `{name}` settled as {status} and produced no output"
                ))
            }),
        }
    }
}
