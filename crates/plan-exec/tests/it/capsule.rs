//! The seam of capsule steps.

use plan_exec::{Cancel, CapsuleCall, CapsuleExecutor, UndelegatedCapsules};
use tokio::sync::mpsc;

use crate::space::{attempt, shown};

/// spec: Capsule steps: until the daemon is spoken to, one fails with what is missing and reports no delegation.
#[tokio::test]
async fn a_capsule_step_fails_with_what_is_missing() {
    let mut lines = String::new();
    for url in [None, Some(" "), Some("http://127.0.0.1:9")] {
        let (delegations, mut reported) = mpsc::unbounded_channel();
        let call = CapsuleCall {
            attempt: attempt(1),
            name: "worker".into(),
            task: "do it".into(),
            cancel: Cancel::never(),
            delegations,
        };
        let capsules = UndelegatedCapsules::new(url.map(str::to_owned));
        lines.push_str(&shown(&capsules.run(call).await));
        lines.push('\n');
        assert_eq!(reported.recv().await, None);
    }
    insta::assert_snapshot!(lines, @r#"
    failed "capsule `worker` was not started: `MURMUR_ROOST_URL` is unset, so there is no daemon to ask", no output
    failed "capsule `worker` was not started: `MURMUR_ROOST_URL` is unset, so there is no daemon to ask", no output
    failed "capsule `worker` was not started: this build does not delegate to a daemon yet (`MURMUR_ROOST_URL` is `http://127.0.0.1:9`)", no output
    "#);
}
