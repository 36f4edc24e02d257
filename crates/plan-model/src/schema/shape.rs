//! The format as types. Their docs are the descriptions in the schema, written for whoever writes a plan; nothing
//! is ever read into them, because the reader keeps places and finds every fault.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::Value;

/// A plan: steps, and the order they may run in. Every step runs as soon as all steps in its `depends_on` have
/// settled, in whatever status; shell and capsule steps run at the same time, tool steps one at a time. The whole
/// plan is checked before the first step runs, and a fault anywhere means that nothing runs.
#[derive(JsonSchema)]
#[schemars(title = "Plan", example = example())]
#[expect(dead_code, reason = "only the schema is made of it")]
pub(super) struct Plan {
    /// A name for the report and the trace. It never names a file.
    id: String,
    /// The steps. Their order matters only between steps that are ready at the same time.
    steps: Vec<Step>,
}

/// One step. It has an `id` and exactly one of `tool`, `shell` and `capsule`.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is made of it")]
struct Step {
    /// Unique within the plan. Other steps name it in `depends_on`, and in `$<id>.output` and `$<id>.status`.
    id: String,
    /// Calls this tool of the session with `input`. Not `submit-plan`: a plan cannot submit a plan. Write exactly one
    /// of `tool`, `shell` and `capsule`.
    tool: Option<String>,
    /// Runs this command line. Its first word must be a program that the session allows, spelled just so. It is
    /// split into words by quotes only; no shell reads it, so pipes, `&&`, `~` and variables need `bash -c '...'`.
    /// `$<id>.output` is not replaced in it. Write exactly one of `tool`, `shell` and `capsule`.
    shell: Option<String>,
    /// Delegates to the capsule of this bare name, such as `worker` for `local/worker`. Write exactly one of `tool`,
    /// `shell` and `capsule`.
    capsule: Option<String>,
    /// What the step is handed. A tool step gets it as its JSON input. A capsule step needs it: the task as a string,
    /// or `{"objective": "<the task>"}`. A shell step ignores it. Anywhere inside, a string that is wholly
    /// `$<id>.output` or `$<id>.status` is replaced by that step's output text or status; that step must then be
    /// in `depends_on`. A reference inside a longer string is not replaced. Write `$$` at the start where a string
    /// that looks like a reference is meant as it is.
    input: Option<Value>,
    /// Ids of the steps that must settle before this one starts. A reference in `input` or `if` orders nothing by
    /// itself: list the step here as well. Left out, the step starts at once.
    depends_on: Option<Vec<String>>,
    /// Runs the step only when this is true; when false, the step settles as `skipped`. Compares references and
    /// quoted literals with `==`, `!=`, `<` and `>` (as text), joined by `&&` and `||`, with parentheses:
    /// `$test.status == 'failed' || $lint.status == 'failed'`. A status is `success`, `failed` or `skipped`.
    #[schemars(rename = "if")]
    condition: Option<String>,
    /// What a failure of this step does once its retries are used up. `fail`, which holds when this is left out,
    /// stops the plan, so later steps do not run. `skip` settles the step as `skipped` and goes on. `continue` settles
    /// it as `failed` and goes on: write that where a later step looks at this one's failure.
    on_error: Option<OnError>,
    /// How many more times the step is tried after a failure: 2 means up to three attempts. 0 when left out.
    #[schemars(range(max = 4_294_967_295_u32))]
    retries: Option<u32>,
}

/// What a failed step does to the rest of the plan.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(dead_code, reason = "only the schema is made of it")]
enum OnError {
    Fail,
    Skip,
    Continue,
}

/// What `submit-plan` takes. It runs every step of the plan and returns one report when all have settled.
#[derive(JsonSchema)]
#[schemars(title = "Input of submit-plan", example = example_input())]
#[expect(dead_code, reason = "only the schema is made of it")]
pub(super) struct SubmitInput {
    /// The plan, as an object: not as a string of JSON.
    plan: Plan,
}

fn example() -> Value {
    serde_json::from_str(EXAMPLE).expect("the example is JSON")
}

fn example_input() -> BTreeMap<&'static str, Value> {
    BTreeMap::from([("plan", example())])
}

/// A plan with a step of every kind, references, a condition and every policy.
const EXAMPLE: &str = r#"{
    "id": "check-and-report",
    "steps": [
        {"id": "list", "tool": "repo-files", "input": {"glob": "tests/**"}},
        {"id": "lint", "shell": "cargo clippy --quiet", "on_error": "skip"},
        {"id": "test", "shell": "bash -c 'cargo test --quiet 2>&1'", "depends_on": ["list"], "on_error": "continue",
         "retries": 1},
        {"id": "fix", "capsule": "worker", "input": {"objective": "make the failing tests pass"},
         "depends_on": ["test"], "if": "$test.status == 'failed'"},
        {"id": "note", "tool": "notes", "depends_on": ["test", "list"],
         "input": {"files": "$list.output", "result": "$test.output", "verdict": "$test.status"}}
    ]
}"#;
