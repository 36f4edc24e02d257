//! Finding the base: every condition met, and each one missed.

use std::time::Duration;

use rustix::io::Errno;

use super::{
    super::{base::Base, candidate, controllers::Controllers, mount::Hierarchy, unmet::Condition},
    fake::Fake,
};

const ALL: &str = "cpuset cpu io memory hugetlb pids";
/// More than is needed where everything works.
const AMPLE: Duration = Duration::from_secs(60);
/// Enough where nothing will.
const SOON: Duration = Duration::from_millis(30);

async fn full(fake: &Fake) -> Result<Base, Condition> {
    candidate::full(&fake.files(), &fake.hierarchy(), AMPLE).await
}

async fn lesser(fake: &Fake) -> Base {
    candidate::lesser(&fake.files(), &fake.hierarchy(), AMPLE)
        .await
        .unwrap()
}

async fn lesser_soon(fake: &Fake) -> Base {
    candidate::lesser(&fake.files(), &fake.hierarchy(), SOON)
        .await
        .unwrap()
}

/// What is said when there is no base.
async fn refusal(fake: &Fake) -> String {
    let condition = full(fake).await.unwrap_err();
    fake.mask(&condition.to_string())
}

fn controllers(names: &str) -> Controllers {
    Controllers::read(names)
}

/// spec: What a plan may reach. This process steps aside, and the controllers are enabled.
#[tokio::test]
async fn a_delegated_cgroup_becomes_the_base() {
    let fake = Fake::new(ALL);
    let base = full(&fake).await.unwrap();
    assert_eq!(base.dir, fake.path("base"));
    assert_eq!(base.controllers, controllers("memory pids cpu io"));
    assert_eq!(fake.cgroups("base"), ["murmur-supervisor"]);
    let lines = fake.rules().log.join("\n");
    insta::assert_snapshot!(lines, @r"
    base/cgroup.subtree_control < +memory +pids +cpu
    base/murmur-supervisor/cgroup.procs < 0
    base/cgroup.subtree_control < +memory +pids +cpu
    base/cgroup.subtree_control < +io
    ");
}

/// spec: What a plan may reach. Nothing is moved where nothing is in the way, as in the root of a hierarchy.
#[tokio::test]
async fn nobody_steps_aside_without_need() {
    let fake = Fake::new(ALL);
    fake.put("base/cgroup.procs", "");
    full(&fake).await.unwrap();
    assert!(fake.cgroups("base").is_empty());
}

/// spec: What a plan may reach. A process started by a supervisor that stepped aside makes its scopes beside it.
#[tokio::test]
async fn what_a_supervisor_starts_shares_its_base() {
    let fake = Fake::new(ALL);
    full(&fake).await.unwrap();
    let inside = fake.hierarchy_at("base/murmur-supervisor");
    let base = candidate::full(&fake.files(), &inside, AMPLE)
        .await
        .unwrap();
    assert_eq!(base.dir, fake.path("base"));
    assert_eq!(base.controllers, controllers("memory pids cpu io"));
}

/// spec: What a plan may reach. `io` is taken where it can be had and is no condition.
#[tokio::test]
async fn a_base_without_io_is_full() {
    let fake = Fake::new("cpu memory pids");
    let base = full(&fake).await.unwrap();
    assert_eq!(base.controllers, controllers("memory pids cpu"));
}

/// spec: What a plan may reach. Each controller that is missing is named, and whether version 1 has it.
#[tokio::test]
async fn missing_controllers_are_named() {
    let fake = Fake::new("hugetlb memory");
    let said = refusal(&fake).await;
    insta::assert_snapshot!(said, @"the cgroup `ROOT/base` does not offer the controllers `pids` and `cpu`");
    for (held, expected) in [("cpuset", false), ("cpu", true)] {
        let hierarchy = Hierarchy {
            held_by_v1: vec![held.into()],
            ..fake.hierarchy()
        };
        let found = candidate::full(&fake.files(), &hierarchy, AMPLE).await;
        assert!(
            matches!(&found, Err(Condition::MissingControllers { held_by_v1, .. }) if *held_by_v1 == expected),
            "{found:?}"
        );
    }
    assert!(fake.cgroups("base").is_empty(), "nothing was tried");
}

/// spec: What a plan may reach. Where no child can be made, the cgroup is not delegated.
#[tokio::test]
async fn a_cgroup_that_takes_no_child_is_not_delegated() {
    let fake = Fake::new(ALL);
    let probe: &'static str = format!("murmur-probe-{}", std::process::id()).leak();
    fake.refuse(probe, Errno::ACCESS);
    let said = refusal(&fake).await;
    insta::assert_snapshot!(said, @"the cgroup of this process is not delegated to it: cannot make the cgroup `ROOT/base/murmur-probe-ME`: Permission denied (os error 13)");
}

/// spec: What a plan may reach. Nor is it where nothing could be moved into a child; the child is not left behind.
#[tokio::test]
async fn a_cgroup_whose_processes_cannot_be_moved_is_not_delegated() {
    let fake = Fake::new(ALL);
    fake.refuse("base/cgroup.procs", Errno::ACCESS);
    let said = refusal(&fake).await;
    insta::assert_snapshot!(said, @"the cgroup of this process is not delegated to it: cannot open `ROOT/base/cgroup.procs`: Permission denied (os error 13)");
    assert!(fake.cgroups("base").is_empty());
}

/// spec: What a plan may reach. A probe left behind by a killed process of the same id is no obstacle.
#[tokio::test]
async fn a_probe_left_behind_is_used() {
    let fake = Fake::new(ALL);
    let files = fake.files();
    let probe = format!("base/murmur-probe-{}", std::process::id());
    files.make(&fake.path(&probe)).unwrap();
    full(&fake).await.unwrap();
    assert_eq!(fake.cgroups("base"), ["murmur-supervisor"]);
}

/// spec: What a plan may reach. Another refusal than for processes inside is told as it is.
#[tokio::test]
async fn a_refusal_to_enable_controllers_is_told() {
    let fake = Fake::new(ALL);
    fake.refuse("base/cgroup.subtree_control", Errno::OPNOTSUPP);
    let said = refusal(&fake).await;
    insta::assert_snapshot!(said, @"the controllers cannot be enabled: cannot write `+memory +pids +cpu` to `ROOT/base/cgroup.subtree_control`: Operation not supported (os error 95)");
    assert!(fake.cgroups("base").is_empty());
}

/// spec: What a plan may reach. Where this process cannot move itself, that is what is wrong.
#[tokio::test]
async fn a_process_that_cannot_step_aside_says_so() {
    let fake = Fake::new(ALL);
    fake.refuse("murmur-supervisor/cgroup.procs", Errno::ACCESS);
    let said = refusal(&fake).await;
    insta::assert_snapshot!(said, @"this process cannot step aside for the controllers to be enabled: cannot write `0` to `ROOT/base/murmur-supervisor/cgroup.procs`: Permission denied (os error 13)");
    assert!(
        fake.cgroups("base").is_empty(),
        "the leaf is not left behind"
    );
}

/// spec: What a plan may reach. Processes that stay in the way are named, and this one is back where it was.
#[tokio::test]
async fn processes_in_the_way_are_named() {
    let fake = Fake::new(ALL);
    fake.put(
        "base/cgroup.procs",
        &format!("5\n{}\n7\n0\n", std::process::id()),
    );
    let found = candidate::full(&fake.files(), &fake.hierarchy(), SOON).await;
    let said = fake.mask(&found.unwrap_err().to_string());
    insta::assert_snapshot!(said, @"the controllers of `ROOT/base` cannot be enabled while it holds other processes (pids 5, 7)");
    assert!(fake.cgroups("base").is_empty());
    assert!(fake.mask(&fake.text("base/cgroup.procs")).contains("ME"));
}

/// spec: What a plan may reach. Best effort takes the controllers there are, or none, and still has a base.
#[tokio::test]
async fn best_effort_takes_what_there_is() {
    assert_eq!(
        lesser(&Fake::new("hugetlb")).await.controllers,
        controllers("")
    );
    assert_eq!(
        lesser(&Fake::new("pids io")).await.controllers,
        controllers("pids io")
    );

    let occupied = Fake::new(ALL);
    occupied.put("base/cgroup.procs", "5\n");
    assert_eq!(lesser_soon(&occupied).await.controllers, controllers(""));

    let unreadable = Fake::new(ALL);
    unreadable.refuse("base/cgroup.controllers", Errno::ACCESS);
    assert_eq!(lesser(&unreadable).await.controllers, controllers(""));
}

/// spec: What a plan may reach. Where only controllers of threads can be had, the kernel would take them without
/// anybody stepping aside, and let no process into a scope then.
#[tokio::test]
async fn a_base_is_not_made_threaded() {
    let fake = Fake::new("pids cpu");
    assert_eq!(lesser(&fake).await.controllers, controllers("pids cpu"));
    let lines = fake.rules().log.join("\n");
    insta::assert_snapshot!(lines, @"
    base/cgroup.subtree_control < +pids +cpu
    base/cgroup.subtree_control < -pids -cpu
    base/murmur-supervisor/cgroup.procs < 0
    base/cgroup.subtree_control < +pids +cpu
    ");

    let occupied = Fake::new("pids cpu");
    occupied.put("base/cgroup.procs", "5\n");
    assert_eq!(lesser_soon(&occupied).await.controllers, controllers(""));
    assert_eq!(occupied.text("base/cgroup.subtree_control"), "");
}

/// spec: What a plan may reach. A cgroup that is threaded already is no base, not even at best effort.
#[tokio::test]
async fn a_threaded_cgroup_is_no_base() {
    let fake = Fake::new(ALL);
    fake.put("base/cgroup.subtree_control", "pids");
    let said = refusal(&fake).await;
    insta::assert_snapshot!(said, @"the cgroup `ROOT/base` is threaded, so that no process can be moved into a child of it");
    let found = candidate::lesser(&fake.files(), &fake.hierarchy(), SOON).await;
    assert!(matches!(found, Err(Condition::Threaded(_))), "{found:?}");
    assert!(fake.cgroups("base").is_empty());
}

/// spec: What a plan may reach. Best effort has the others when one controller is refused for itself.
#[tokio::test]
async fn one_refused_controller_does_not_cost_the_others() {
    let fake = Fake::new(ALL);
    fake.rules().unable.insert("cpu");
    assert_eq!(
        lesser(&fake).await.controllers,
        controllers("memory pids io")
    );
    assert_eq!(fake.cgroups("base"), ["murmur-supervisor"]);
}

/// spec: What a plan may reach. With no patience left, best effort moves nothing.
#[tokio::test]
async fn best_effort_without_patience_moves_nothing() {
    let fake = Fake::new(ALL);
    let base = candidate::lesser(&fake.files(), &fake.hierarchy(), Duration::ZERO).await;
    assert_eq!(base.unwrap().controllers, controllers(""));
    assert!(fake.cgroups("base").is_empty());
}

/// spec: What a plan may reach. Without a child that can be killed as one there is nothing to take.
#[tokio::test]
async fn best_effort_needs_a_child() {
    let fake = Fake::new(ALL);
    fake.rules().absent.insert("cgroup.procs");
    let found = candidate::lesser(&fake.files(), &fake.hierarchy(), SOON).await;
    assert!(
        matches!(found, Err(Condition::NotDelegated(_))),
        "{found:?}"
    );
}
