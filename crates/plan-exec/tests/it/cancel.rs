//! The cancel of a task, as what reads it sees it.

use std::time::Duration;

use plan_exec::{Cancel, CancelHandle, CancelLevel};

/// ruling 27: a cancel only ever goes further.
#[tokio::test]
async fn a_cancel_only_goes_further() {
    let (handle, cancel) = CancelHandle::new();
    assert_eq!(cancel.level(), CancelLevel::No);
    handle.cancel();
    assert_eq!(handle.reader().level(), CancelLevel::Cancelled);
    handle.kill();
    handle.cancel();
    assert_eq!(cancel.clone().level(), CancelLevel::Killed);
    cancel.reached(CancelLevel::Cancelled).await;
    cancel.reached(CancelLevel::Killed).await;
}

/// ruling 27: whoever waits is woken by another thread's cancel, also through a clone.
#[tokio::test]
async fn a_waiting_reader_is_woken() {
    let (handle, cancel) = CancelHandle::new();
    let thread = std::thread::spawn(move || {
        handle.cancel();
        handle.kill();
        handle
    });
    let waited = cancel.clone().clone();
    tokio::time::timeout(Duration::from_secs(20), waited.reached(CancelLevel::Killed))
        .await
        .unwrap();
    assert_eq!(thread.join().unwrap().reader().level(), CancelLevel::Killed);
}

/// ruling 27: a level nobody can raise any more is never reached.
#[tokio::test]
async fn a_cancel_without_a_handle_never_comes() {
    let never = Cancel::never();
    let waited = tokio::time::timeout(
        Duration::from_millis(20),
        never.reached(CancelLevel::Cancelled),
    );
    assert!(waited.await.is_err());
    never.reached(CancelLevel::No).await;
    assert_eq!(never.level().to_string(), "not cancelled");
}
