//! Random plans with everything in them, in random worlds, against the oracle and the invariants.

use crate::{
    walk::{Choices, Ending, Event, Gate, Log, Run},
    world::{Condition, InputShape, Reading, Side, StepShape, World, limits},
};
use plan_model::{Kind, OnError};
use proptest::{collection::vec, option, prelude::*, sample::select, test_runner::Config};

proptest! {
    #![proptest_config(Config {
        cases: 20_000,
        // A failure becomes a test of its own in `timelines`.
        failure_persistence: None,
        ..Config::default()
    })]

    /// ruling 8, ruling 10, ruling 11, ruling 14, ruling 16 to ruling 22, ruling 27.
    #[test]
    fn a_random_run_of_a_random_plan_agrees(
        steps in plans(),
        shell in 1_usize..6,
        capsule in 1_usize..6,
        gate in select(&[Gate::Open, Gate::Slow, Gate::Strict]),
        moves in vec((any::<u16>(), 0_u8..4), 0..1_000),
        cancel_at in option::weighted(0.5, 0_usize..400),
    ) {
        let world = World::new(steps, limits(shell, capsule));
        play(&world, gate, &moves, cancel_at);
    }
}

const OUTCOMES: &[Ending] = &[
    Ending::Pass { output: Some("x") },
    Ending::Pass { output: None },
    Ending::Pass {
        output: Some("a \"b\"\n"),
    },
    Ending::Fail {
        output: Some("x"),
        error: "bad",
    },
    Ending::Fail {
        output: None,
        error: "worse",
    },
];

/// Plays one run. Each move picks what happens next and whether it is polled afterwards; when the moves are
/// used up, whatever is first happens.
fn play(world: &World, gate: Gate, moves: &[(u16, u8)], cancel_at: Option<usize>) {
    let choices = Choices {
        gate,
        outcomes: OUTCOMES,
        bursts: true,
    };
    let mut moves = moves.iter().copied();
    let mut log = Log::default();
    let mut run = Run::new(world);
    let mut events = Vec::new();
    for count in 0_usize.. {
        let (choice, rest) = moves.next().unwrap_or((0, 0));
        // Three of four times the driver polls, as it should after every input.
        if rest > 0 || run.pending().is_empty() {
            run.poll_all(&mut log, gate == Gate::Open);
        }
        if run.finished() {
            break;
        }
        events.clear();
        run.each_event(choices, |event| {
            if event != Event::Cancel {
                events.push(event);
            }
        });
        let event = if cancel_at == Some(count) {
            Event::Cancel
        } else {
            events[usize::from(choice) % events.len()]
        };
        run.tell(&mut log, event);
    }
    run.check_end(&mut log);
}

/// Plans of up to 200 steps, most of them smaller.
fn plans() -> impl Strategy<Value = Vec<StepShape>> {
    prop_oneof![
        6 => 0_usize..8,
        3 => 8_usize..40,
        1 => 40_usize..=200,
    ]
    // Where any step may stop the plan, a long one never goes far; so it is rare in some plans.
    .prop_flat_map(|size| (Just(size), select(&[3_u32, 300])))
    .prop_flat_map(|(size, rarity)| vec(draft(size.max(1), rarity), size))
    .prop_map(|drafts| {
        let ranks: Vec<_> = drafts.iter().map(|draft| draft.rank).collect();
        drafts
            .into_iter()
            .enumerate()
            .map(|(index, draft)| {
                let mut step = draft.step;
                // Only edges to a lower rank are kept, which makes the graph acyclic in any file order.
                step.depends_on
                    .retain(|&on| (ranks[on], on) < (ranks[index], index));
                step
            })
            .collect()
    })
}

#[derive(Debug)]
struct Draft {
    step: StepShape,
    rank: u8,
}

fn draft(size: usize, rarity: u32) -> impl Strategy<Value = Draft> {
    (
        select(&[Kind::Tool, Kind::Shell, Kind::Capsule]),
        vec(0..size, 0..4),
        prop_oneof![
            1 => Just(OnError::Fail),
            rarity => Just(OnError::Skip),
            rarity => Just(OnError::Continue),
        ],
        0_u32..4,
        condition(size),
        input(size),
        any::<u8>(),
    )
        .prop_map(
            |(kind, depends_on, on_error, retries, condition, input, rank)| Draft {
                step: StepShape {
                    kind,
                    depends_on,
                    on_error,
                    retries,
                    condition,
                    input,
                },
                rank,
            },
        )
}

fn condition(size: usize) -> impl Strategy<Value = Condition> {
    prop_oneof![
        3 => Just(Condition::Absent),
        1 => vec(side(size), 1..4).prop_map(Condition::All),
        1 => vec(side(size), 1..4).prop_map(Condition::Any),
    ]
}

fn side(size: usize) -> impl Strategy<Value = Side> {
    prop_oneof![
        Just(Side::True),
        Just(Side::False),
        (0..size, select(&["success", "failed", "skipped"]))
            .prop_map(|(of, word)| Side::Status(of, word)),
        (0..size, select(&["x", ""])).prop_map(|(of, text)| Side::Output(of, text)),
    ]
}

fn input(size: usize) -> impl Strategy<Value = InputShape> {
    prop_oneof![
        4 => Just(InputShape::Plain),
        1 => reading(size).prop_map(InputShape::Reference),
        1 => vec(reading(size), 1..4).prop_map(InputShape::Object),
    ]
}

fn reading(size: usize) -> impl Strategy<Value = Reading> {
    prop_oneof![
        (0..size).prop_map(Reading::Status),
        (0..size).prop_map(Reading::Output),
    ]
}
