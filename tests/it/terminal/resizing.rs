//! The window made smaller and larger while a plan is drawn in it.

use super::{
    drawing::{held, masked, steps},
    session::Session,
};
use crate::space::Space;

/// spec: The command: resized correctly: after a shrink and a growth nothing stale stays
#[test]
fn nothing_stale_stays_in_a_window_of_another_size() {
    let space = Space::new();
    let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
    let all: Vec<String> = (0..12)
        .map(|at| held(&format!("a step with a rather long name {at}")))
        .collect();
    let mut session = Session::start(steps(&space, &all.join(",")), 90, 30);
    for _ in 0..all.len() {
        ready.wait();
    }
    session.wait_for("12 running");
    let before = masked(&session.window.shown());
    for (columns, rows) in [
        (50, 30),
        (90, 30),
        (30, 30),
        (90, 30),
        (90, 6),
        (90, 30),
        (20, 5),
        (90, 30),
    ] {
        session.resize(columns, rows);
        let more = 12_usize.saturating_sub(usize::from(rows) - 3);
        let last = "0 of 12 settled, 12 running, ";
        let last = &last[..last.len().min(usize::from(columns) - 2)];
        session.wait_until(|window| {
            [window.cut(), window.broken()].iter().all(|shown| {
                let drawn = shown.lines().last().unwrap_or_default();
                let widest = shown.lines().map(|line| line.chars().count()).max();
                drawn.starts_with(last)
                    && widest.is_some_and(|widest| widest <= usize::from(columns))
                    && (rows > 15 || shown.contains(&format!("… and {more} more")))
                    && (rows < 15 || columns < 60 || !shown.contains("… and"))
            })
        });
        for shown in [session.window.cut(), session.window.broken()] {
            let counts = shown.lines().filter(|line| line.contains(" of 12 settled"));
            assert!(counts.count() <= 1, "{columns}x{rows}:\n{shown}");
            assert!(shown.lines().count() <= usize::from(rows), "{shown}");
        }
    }
    assert_eq!(masked(&session.window.cut()), before);
    for _ in 0..all.len() {
        go.tell();
    }
    let (status, window) = session.end();
    assert_eq!(status, Some(0));
    assert!(!window.cut().contains("running"), "{}", window.cut());
}
