//! Tokens: nowhere but where they belong.

use std::{fs, path::Path};

use plan_exec::Cancel;

use crate::{
    roost_listener::Say,
    roost_world::{APPROVAL, CREDENTIAL, OPERATOR, World, completed, to_register, told},
};

/// spec: Capsule steps: no token is in a file, an argument, an environment, what is echoed, what is reported, an error
/// or a `Debug`, also where daemon and child repeat what they were given.
#[tokio::test]
async fn tokens_are_nowhere_to_be_seen() {
    let script = "read approval
        tr '\\0' '\\n' < /proc/$$/environ > environment
        tr '\\0' '\\n' < /proc/$$/cmdline > words
        echo \"I was given $approval\" >&2
        READY
        while ! [ -e [root]/asked ]; do sleep 0.01; done
        echo 'later: oper-55de' ; echo 'later: oper-55de' >&2
        echo > [root]/there
        read x <&$MURMUR_SPAWNER_LIFELINE";
    let failed = r#","status":{"state":"TASK_STATE_FAILED","message":{"parts":[{"text":"oper-55de and appr-19bc are wrong"}]}}"#;
    let answers = [
        completed("fine"),
        format!(r#"{{"result":{{"task":{{"id":"t"{failed}}}}}}}"#),
        told("WORKED", ""),
    ];
    for answer in answers {
        let mut world = World::when_there(script, answer);
        world.standing = to_register;
        let spec = format!("{:?}", world.spec());
        let ran = world.run().await;
        let seen = format!(
            "{spec}\n{:?}\n{:?}\n{:?}",
            ran.outcome,
            ran.delegations,
            world.said.lines()
        );
        assert_eq!(world.said.lines().len(), 3, "{:?}", world.said.lines());
        let mut texts = vec![("what was seen".to_owned(), seen.into_bytes())];
        collect(&world.root().join("records"), &mut texts);
        collect(&world.root().join("runtime"), &mut texts);
        assert!(texts.len() >= 3);
        for (name, text) in texts {
            for token in [CREDENTIAL, APPROVAL, OPERATOR] {
                let found = text
                    .windows(token.len())
                    .any(|part| part == token.as_bytes());
                assert!(
                    !found,
                    "{token} in {name}: {}",
                    String::from_utf8_lossy(&text)
                );
            }
        }
    }
}

/// spec: Capsule steps: a refusal that repeats the credential is handed on without it.
#[tokio::test]
async fn a_refusal_that_repeats_the_credential_is_struck() {
    let world = World::with_roost(|_, _| Say::Json(403, r#"{"error":"who is cred-7f3a?"}"#.into()));
    let ran = world.run_until(Cancel::never()).await;
    assert_eq!(
        world.show(&ran).lines().next().unwrap(),
        r#"failed "who is [a secret]?", no output"#
    );
}

fn collect(folder: &Path, texts: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, texts);
        } else {
            texts.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
}
