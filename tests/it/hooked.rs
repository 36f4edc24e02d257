//! Policy hooks of the manifest: what they are asked, what they refuse, and what becomes of them.

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::{
    ended::{Ended, text},
    space::Space,
};

/// Returns a space with the tool `show` and these hooks, each a name, an event and a shell script. What a script
/// writes to `asked` is for the test; the call is in `$call`.
fn hooked(hooks: &[(&str, &str, &str)]) -> Space {
    let space = Space::new();
    let mut lines = String::new();
    for (name, event, script) in hooks {
        space.file(
            &format!("hooks/{name}"),
            format!("read -r call\n{script}\n"),
        );
        let script = space.path("hooks").join(name).display().to_string();
        lines.push_str(&format!(
            "  - {{name: {name}, on: {event}, commit_policy: deny, command: [./hooks/sh, {script}]}}\n"
        ));
    }
    // Beside the manifest, and a link, so that nothing has to be made executable while other tests start processes.
    space.link("hooks/sh", "/bin/sh");
    space.file(
        "murmur.yaml",
        format!(
            "name: space\nversion: 0.1.0\ncapabilities:\n  plan: {{submit: true}}\n  \
             shell: {{allow: [sh, true, false, printf, cat]}}\n  spawn: {{allow: [worker]}}\n\
             tools:\n  - {{name: show, command: [cat]}}\nhooks:\n{lines}"
        ),
    );
    space
}

/// Returns the refusals in the trace, a line each.
fn denials(ended: &Ended) -> String {
    let shown = |line: &Value| {
        let target = text(&line["target"]);
        // Where a program is, and what it is a link to, differs from host to host.
        let target = if target.starts_with('/') {
            "[program]"
        } else {
            target
        };
        format!(
            "turn {} {} {} {target}: {}\n",
            line["turn"],
            text(&line["event"]),
            text(&line["hook_name"]),
            text(&line["reason"])
        )
    };
    ended.trace().of("call_denied").map(shown).collect()
}

/// spec: Policy hooks; spec: In the trace. A refused step fails with the refusal, nothing of it runs, the refusal is a
/// line of its own, and every other step runs on.
#[test]
fn a_hook_refuses_the_steps_it_objects_to_and_no_other() {
    let deny = r#"case $call in *secret*) echo '{"deny": "no secrets"}';; *) echo '{}';; esac"#;
    let space = hooked(&[
        ("shells", "on-shell", deny),
        ("tools", "on-tool-call", deny),
    ]);
    let ended = space
        .steps(
            r#"{"id": "a", "shell": "sh -c 'echo x > secret'", "on_error": "continue", "retries": 2},
               {"id": "b", "tool": "show", "input": {"k": "secret"}, "on_error": "skip", "depends_on": ["a"]},
               {"id": "c", "shell": "printf fine", "depends_on": ["b"]},
               {"id": "d", "tool": "show", "input": "$c.output", "depends_on": ["c"]},
               {"id": "e", "shell": "cat secret", "depends_on": ["d"]},
               {"id": "f", "shell": "true", "depends_on": ["e"]}"#,
        )
        .run();
    assert_eq!(space.work("secret"), None);
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 1 not completed failed_step "e"
      a failed, error "Refused by policy hook 'shells': no secrets"
      b skipped, error "Refused by policy hook 'tools': no secrets"
      c success, output "fine"
      d success, output "{\"data\":\"\\\"fine\\\"\",\"log_path\":null}"
      e failed, error "Refused by policy hook 'shells': no secrets"
    plan_start 6 steps
    plan_step a failed, attempts 0, error "Refused by policy hook 'shells': no secrets"
    plan_step b skipped, attempts 0, error "Refused by policy hook 'tools': no secrets"
    plan_step_start c shell
    plan_step c success, attempts 1
    plan_step_start d tool
    plan_step d success, attempts 1
    plan_step e failed, attempts 0, error "Refused by policy hook 'shells': no secrets"
    plan_end failed, 6 = 2 + 2 + 1, failed_step "e"
    "#);
    insta::assert_snapshot!(denials(&ended), @r"
    turn 0 on-shell shells [program]: no secrets
    turn 0 on-tool-call tools show: no secrets
    turn 0 on-shell shells [program]: no secrets
    ");
    insta::assert_snapshot!(ended.trace().tree(), @r"
    session_start
      task_start
      plan_start
        call_denied
        plan_step a
        call_denied
        plan_step b
        plan_step_start c
        plan_step c
        plan_step_start d
        plan_step d
        call_denied
        plan_step e
        plan_end
        task_end
      session_end
    ");
}

/// ruling 22: hooks are asked in the order declared, each about its own event, and the first refusal is final.
#[test]
fn hooks_are_asked_in_order_until_one_refuses() {
    let says = |name: &str, answer: &str| format!("echo {name} >> asked; echo '{answer}'");
    let (one, two) = (says("one", "{}"), says("two", r#"{"deny": "enough"}"#));
    let (three, tools) = (says("three", "{}"), says("tools", "{}"));
    let space = hooked(&[
        ("one", "on-shell", &one),
        ("tools", "on-tool-call", &tools),
        ("two", "on-shell", &two),
        ("three", "on-shell", &three),
    ]);
    let ended = space.steps(r#"{"id": "a", "shell": "true"}"#).run();
    assert_eq!(ended.status, Some(1));
    assert_eq!(ended.error("a"), "Refused by policy hook 'two': enough");
    assert_eq!(space.work("asked").as_deref(), Some("one\ntwo\n"));
    let ended = space.steps(r#"{"id": "a", "tool": "show"}"#).run();
    assert_eq!(ended.status, Some(0));
    assert_eq!(space.work("asked").as_deref(), Some("one\ntwo\ntools\n"));
}

/// ruling 22: the gate is asked before every attempt; a refusal ends the trying, and `attempts` counts dispatches.
#[test]
fn a_hook_is_asked_before_every_attempt() {
    let space = hooked(&[(
        "third",
        "on-shell",
        r#"echo x >> asked
           if [ "$(wc -l < asked)" -ge 3 ]; then echo '{"deny": "thrice"}'; else echo '{}'; fi"#,
    )]);
    let ended = space
        .steps(r#"{"id": "a", "shell": "sh -c 'echo x >> ran; exit 7'", "retries": 9}"#)
        .run();
    assert_eq!(space.work("asked").as_deref(), Some("x\nx\nx\n"));
    assert_eq!(space.work("ran").as_deref(), Some("x\nx\n"));
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 1 not completed failed_step "a"
      a failed, error "Refused by policy hook 'third': thrice"
    plan_start 1 steps
    plan_step_start a shell
    plan_step a failed, attempts 2, error "Refused by policy hook 'third': thrice"
    plan_end failed, 1 = 0 + 1 + 0, failed_step "a"
    "#);
    insta::assert_snapshot!(denials(&ended), @"turn 0 on-shell third [program]: thrice");
}

/// spec: What a plan may reach; ruling 22. A refused step stops the plan, is skipped or is passed over as `on_error`
/// says, and is never tried again.
#[test]
fn on_error_applies_to_a_refusal() {
    let deny = r#"echo x >> asked; echo '{"deny": "no"}'"#;
    for (on_error, expected) in [
        ("fail", "a failed"),
        ("skip", "a skipped, b success"),
        ("continue", "a failed, b success"),
    ] {
        let space = hooked(&[("never", "on-shell", deny)]);
        let ended = space
            .steps(&format!(
                r#"{{"id": "a", "shell": "true", "on_error": "{on_error}", "retries": 5}},
                   {{"id": "b", "tool": "show", "depends_on": ["a"]}}"#
            ))
            .run();
        assert_eq!(ended.statuses(), expected);
        assert_eq!(space.work("asked").as_deref(), Some("x\n"), "{on_error}");
        assert_eq!(ended.trace().step("plan_step", "a")["attempts"], 0);
        assert_eq!(ended.trace().of("call_denied").count(), 1);
    }
}

/// spec: What a plan may reach: a capsule step is not put to the gate, nor is a step whose condition is false.
#[test]
fn capsule_steps_and_skipped_steps_are_not_asked_about() {
    let deny = r#"echo x >> asked; echo '{"deny": "no"}'"#;
    let space = hooked(&[
        ("shells", "on-shell", deny),
        ("tools", "on-tool-call", deny),
    ]);
    let ended = space
        .steps(
            r#"{"id": "a", "capsule": "worker", "input": "do it", "on_error": "continue"},
               {"id": "b", "shell": "true", "if": "'a' == 'b'"}"#,
        )
        .run();
    assert_eq!(space.work("asked"), None);
    assert_eq!(ended.trace().of("call_denied").count(), 0);
    assert_eq!(ended.trace().step("plan_step", "a")["attempts"], 1);
}

/// spec: Policy hooks; spec: Bad input. A hook that dies, floods or talks nonsense refuses the step it was asked
/// about, and nothing else.
#[test]
fn a_broken_hook_refuses_its_step_alone() {
    let space = hooked(&[(
        "guard",
        "on-shell",
        r#"case $call in
             *dies*) kill -9 $$;;
             *floods*) exec yes;;
             *fails*) echo '{}'; echo cannot reach the policy >&2; exit 4;;
             *talks*) echo sure, go ahead;;
             *shrugs*) echo '{"deny": ""}';;
             *) echo '{}';;
           esac"#,
    )]);
    let steps: Vec<_> = ["dies", "floods", "fails", "talks", "shrugs", "works"]
        .iter()
        .map(|word| {
            format!(r#"{{"id": "{word}", "shell": "printf {word}", "on_error": "continue"}}"#)
        })
        .collect();
    let ended = space.steps(&steps.join(",")).run();
    let mut lines: Vec<_> = denials(&ended).lines().map(str::to_owned).collect();
    // They are asked about at the same time.
    lines.sort();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    turn 0 on-shell guard [program]: the hook gave no clean answer, so the call does not go on: exit code 4, after it wrote to standard error: cannot reach the policy
    turn 0 on-shell guard [program]: the hook gave no clean answer, so the call does not go on: it denied the call without a reason
    turn 0 on-shell guard [program]: the hook gave no clean answer, so the call does not go on: it wrote more than 65536 bytes (64 KiB) to standard output
    turn 0 on-shell guard [program]: the hook gave no clean answer, so the call does not go on: killed by signal 9 (SIGKILL)
    turn 0 on-shell guard [program]: the hook gave no clean answer, so the call does not go on: what it wrote was not understood: expected value at line 1 column 1; a hook writes `{}` for no objection, or `{"deny": "<reason>"}`, and nothing else
    "#);
    assert_eq!(ended.output("works"), "works");
    assert_eq!(ended.trace().of("call_denied").count(), 5);
}

/// spec: Policy hooks; the program is found beside the manifest, runs in the workdir with a command's environment, and
/// gets the call as one line.
#[test]
fn a_hook_gets_the_call_as_one_line_of_json() {
    let space = hooked(&[(
        "keep",
        "on-tool-call",
        r#"printf '%s\n' "$call" "$PWD" "$HOME" "key $SECRET_API_KEY" > seen; cat >> seen; echo '{}'"#,
    )]);
    let ended = space
        .steps(
            r#"{"id": "a", "tool": "show", "input": {"b": [1.0, 2e3,  null], "a": "two\nlines"}}"#,
        )
        .env("SECRET_API_KEY", "x")
        .run();
    assert_eq!(ended.status, Some(0), "{}", ended.stdout);
    insta::assert_snapshot!(ended.masked(&space.work("seen").expect("the hook was asked")), @r#"
    {"event":"on-tool-call","tool":"show","input":{"b":[1.0,2e3,null],"a":"two\nlines"}}
    [space]/dir
    [space]/home/records[space]/dir/ses_[..]/home
    key
    "#);
}

/// ruling 27; decision D13. A cancel does not wait for a hook: the step was never dispatched, and the hook is gone.
#[test]
fn a_cancel_does_not_wait_for_a_hook() {
    let space = hooked(&[(
        "slow",
        "on-shell",
        "trap '' TERM INT; exec 9>held; echo up >&9; (trap '' TERM INT; sleep 600) & sleep 600",
    )]);
    let mut held = space.held("held");
    let running = space
        .steps(r#"{"id": "a", "shell": "true", "retries": 2}, {"id": "b", "tool": "show", "depends_on": ["a"]}"#)
        .start();
    assert_eq!(held.wait(), "up");
    running.signal(Signal::SIGTERM);
    let ended = running.wait();
    held.wait_closed();
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 130 canceled failed_step null
      a skipped, error "the task running this plan was cancelled before this step ran"
      b skipped, error "the task running this plan was cancelled before this step ran"
    plan_start 2 steps
    plan_step a skipped, attempts 0, error "the task running this plan was cancelled before this step ran"
    plan_step b skipped, attempts 0, error "the task running this plan was cancelled before this step ran"
    plan_end canceled, 2 = 0 + 0 + 2, reason "the task running this plan was cancelled"
    task_canceled
    "#);
    assert_eq!(ended.trace().of("call_denied").count(), 0);
}

/// ruling 21; decision D13. A plan that stops does not wait for a hook: the step it is asked about is absent.
#[test]
fn a_stop_does_not_wait_for_a_hook() {
    let space = hooked(&[(
        "slow",
        "on-shell",
        "case $call in *ghost*) exec 9>held; echo up >&9; sleep 600;; *) echo '{}';; esac",
    )]);
    let (mut held, mut go) = (space.held("held"), space.fifo("go"));
    let running = space
        .steps(
            r#"{"id": "a", "shell": "printf ghost"}, {"id": "b", "shell": "sh -c 'read x < go; exit 3'"}"#,
        )
        .start();
    assert_eq!(held.wait(), "up");
    go.tell();
    let ended = running.wait();
    held.wait_closed();
    assert_eq!(ended.status, Some(1));
    assert_eq!(ended.statuses(), "b failed");
}

/// ruling 34: what a hook leaves running is gone once it has answered, long before the plan ends.
#[test]
fn what_a_hook_leaves_running_does_not_outlive_its_answer() {
    let space = hooked(&[(
        "leaves",
        "on-shell",
        "(trap '' TERM HUP; exec 9>held; echo up >&9; sleep 600) & read x < go; echo '{}'",
    )]);
    let mut held = space.held("held");
    let (mut go, mut ran, mut end) = (space.fifo("go"), space.fifo("ran"), space.fifo("end"));
    let running = space
        .steps(r#"{"id": "a", "shell": "sh -c 'echo x > ran; read x < end'"}"#)
        .start();
    assert_eq!(held.wait(), "up");
    go.tell();
    ran.wait();
    held.wait_closed();
    end.tell();
    assert_eq!(running.wait().status, Some(0));
}

/// spec: Bad input: a hook that cannot be one refuses the manifest, for `run` and for `check`, and nothing has run.
#[test]
fn a_bad_hook_refuses_the_manifest() {
    let space = Space::new();
    let head =
        "name: a\nversion: 0.1.0\ncapabilities: {plan: {submit: true}, shell: {allow: [sh]}}\n";
    let plan = r#"{"id": "p", "steps": [{"id": "a", "shell": "sh -c 'echo x > ran'"}]}"#;
    for (hook, key, allowed) in [
        (
            "name: h, on: on-shell, commit_policy: deny",
            "hooks[0].command",
            "command: [program",
        ),
        (
            "name: h, on: on-shell, commit_policy: deny, command: []",
            "hooks[0].command",
            "command: [program",
        ),
        (
            "name: h, on: on-shell, commit_policy: observe, command: [x]",
            "hooks[0].commit_policy",
            "`deny`",
        ),
        (
            "name: h, on: on-shell, command: [x]",
            "hooks[0].commit_policy",
            "commit_policy: deny",
        ),
        (
            "name: h, on: on-turn, commit_policy: deny, command: [x]",
            "hooks[0].on",
            "`on-shell` or `on-tool-call`",
        ),
    ] {
        space.file("murmur.yaml", format!("{head}hooks: [{{{hook}}}]\n"));
        let run = space.plan(plan).run();
        assert_eq!(run.status, Some(2), "{hook}");
        assert!(run.error("plan").contains(key), "{}", run.error("plan"));
        let check = space.check(plan).run();
        assert_eq!(check.status, Some(2), "{hook}");
        for said in [run.said(), check.said()] {
            assert!(said.contains(key) && said.contains(allowed), "{said}");
        }
    }
    assert_eq!(space.work("ran"), None);
    assert!(!space.path("home").exists());
}

/// spec: What a plan may reach; spec: Policy hooks: a step seen to write what a hook is started from is refused, in the
/// hook's name, and a folder that the hook is only found beside is not protected.
#[test]
fn what_a_hook_is_started_from_is_protected() {
    let space = Space::new();
    space.file("dir/rules", "allow everything");
    space.link("dir/guard", "/bin/echo");
    let manifest = std::fs::read_to_string(space.path("murmur.yaml")).expect("it was written");
    let hooks = "hooks: [{name: guard, on: on-shell, commit_policy: deny, command: [./dir/guard, '{}']},\n  \
                 {name: strict, on: on-tool-call, commit_policy: deny, command: [sh, dir/rules, --rules=rules, .]}]\n";
    let manifest = manifest.replace("allow: [sh,", "allow: [sh, rm, ln, tee,");
    space.file("murmur.yaml", format!("{manifest}{hooks}"));
    let ended = space
        .steps(
            r#"{"id": "a", "shell": "ln -sf /bin/true guard", "on_error": "continue"},
               {"id": "b", "shell": "sh -c 'echo x > rules'", "on_error": "continue"},
               {"id": "c", "shell": "rm -f ./guard", "on_error": "continue"},
               {"id": "d", "shell": "cat rules"},
               {"id": "e", "shell": "tee other"}"#,
        )
        .run();
    assert_eq!(ended.status, Some(0), "{}", ended.shown());
    for (id, hook) in [("a", "guard"), ("b", "strict"), ("c", "guard")] {
        let error = ended.error(id);
        let told =
            format!("is protected as a part of the policy hook `{hook}` and would be written");
        assert!(error.contains(&told), "{error}");
    }
    assert_eq!(ended.output("d"), "allow everything");
    assert_eq!(space.work("rules").as_deref(), Some("allow everything"));
    assert_eq!(ended.trace().of("protected_path_denied").count(), 3);
}

/// spec: Policy hooks: a hook's program is found once, so no step can put another one before it on `PATH`.
#[test]
fn a_program_that_a_step_puts_before_a_hooks_is_not_asked() {
    let space = Space::new();
    space.file("dir/early/file", "");
    space.link("bin/guard", "/bin/echo");
    let manifest = std::fs::read_to_string(space.path("murmur.yaml")).expect("it was written");
    let hook =
        "hooks: [{name: guard, on: on-shell, commit_policy: deny, command: [guard, '{}']}]\n";
    let manifest = manifest.replace("allow: [sh,", "allow: [sh, ln, guard,");
    space.file("murmur.yaml", format!("{manifest}{hook}"));
    let path = std::env::var("PATH").unwrap_or_default();
    let ended = space
        .steps(
            // One that gives no clean answer, which would refuse the next step.
            r#"{"id": "a", "shell": "ln -s /bin/false early/guard"},
               {"id": "b", "shell": "guard planted", "depends_on": ["a"], "on_error": "continue"},
               {"id": "c", "shell": "true", "depends_on": ["b"]}"#,
        )
        .env(
            "PATH",
            format!("early:{}:{path}", space.path("bin").display()),
        )
        .run();
    assert_eq!(ended.status, Some(0), "{}", ended.shown());
    assert_eq!(ended.statuses(), "a success, b failed, c success");
}
