//! What a program answers, and what breaks in one.

use plan_exec::HookEvent;

use super::{ask_shell, gate, program, script, shown};
use crate::space::Space;

/// spec: Policy hooks; only `{}` with exit status 0 lets a call go on, and only a denial has a reason of its own.
#[tokio::test]
async fn only_a_clean_answer_lets_a_call_go_on() {
    let space = Space::new();
    let cases = [
        ("{}", "0"),
        (" {\n}\t\n", "0"),
        (r#"{"deny": "no deploys on Friday"}"#, "0"),
        (r#"{"deny": "a \"quoted\"\nword \u00e9"}"#, "0"),
        (r#"{"deny": "and it exits as a check would"}"#, "1"),
        ("{}", "3"),
        ("", "0"),
        (" \n", "0"),
        ("", "3"),
        (r#"{"deny": ""}"#, "0"),
        (r#"{"deny": " \n"}"#, "0"),
        (r#"{"deny": null}"#, "0"),
        (r#"{"deny": false}"#, "0"),
        (r#"{"deny": ["x"]}"#, "0"),
        (r#"{"deny": "a", "deny": "b"}"#, "0"),
        (r#"{"deny": "a", "code": 5}"#, "0"),
        (r#"{"allow": true}"#, "0"),
        (r#"{"Deny": "a"}"#, "0"),
        ("{} {}", "0"),
        (r#"{}{"deny": "x"}"#, "0"),
        ("{} ok", "0"),
        ("{", "0"),
        ("[]", "0"),
        ("[{}]", "0"),
        ("null", "0"),
        ("true", "0"),
        ("\"{}\"", "0"),
        ("ok", "0"),
        ("\u{feff}{}", "0"),
        (r#"{"deny": "half \ud800"}"#, "0"),
    ];
    let mut lines = String::new();
    for (answer, code) in cases {
        let words = ["sh", "-c", "printf %s \"$1\"; exit $2", "sh", answer, code];
        let gate = gate(&space, program(&space, HookEvent::OnShell, &words));
        let answered = shown(ask_shell(&gate, "ls").await);
        let answered = answered.replace(EXPECTED, "; …");
        lines.push_str(&format!("{answer:?} {code}\n  {answered:?}\n"));
    }
    insta::assert_snapshot!(lines, @r#"
    "{}" 0
      "goes on"
    " {\n}\t\n" 0
      "goes on"
    "{\"deny\": \"no deploys on Friday\"}" 0
      "no deploys on Friday"
    "{\"deny\": \"a \\\"quoted\\\"\\nword \\u00e9\"}" 0
      "a \"quoted\"\nword é"
    "{\"deny\": \"and it exits as a check would\"}" 1
      "and it exits as a check would"
    "{}" 3
      "unclean: exit code 3"
    "" 0
      "unclean: it wrote nothing; …"
    " \n" 0
      "unclean: it wrote nothing; …"
    "" 3
      "unclean: exit code 3"
    "{\"deny\": \"\"}" 0
      "unclean: it denied the call without a reason"
    "{\"deny\": \" \\n\"}" 0
      "unclean: it denied the call without a reason"
    "{\"deny\": null}" 0
      "unclean: what it wrote was not understood: invalid type: null, expected a string at line 1 column 13; …"
    "{\"deny\": false}" 0
      "unclean: what it wrote was not understood: invalid type: boolean `false`, expected a string at line 1 column 14; …"
    "{\"deny\": [\"x\"]}" 0
      "unclean: what it wrote was not understood: invalid type: sequence, expected a string at line 1 column 9; …"
    "{\"deny\": \"a\", \"deny\": \"b\"}" 0
      "unclean: what it wrote was not understood: duplicate field `deny` at line 1 column 26; …"
    "{\"deny\": \"a\", \"code\": 5}" 0
      "unclean: what it wrote was not understood: unknown key `code` at line 1 column 24; …"
    "{\"allow\": true}" 0
      "unclean: what it wrote was not understood: unknown key `allow` at line 1 column 15; …"
    "{\"Deny\": \"a\"}" 0
      "unclean: what it wrote was not understood: unknown key `Deny` at line 1 column 13; …"
    "{} {}" 0
      "unclean: what it wrote was not understood: trailing characters at line 1 column 4; …"
    "{}{\"deny\": \"x\"}" 0
      "unclean: what it wrote was not understood: trailing characters at line 1 column 3; …"
    "{} ok" 0
      "unclean: what it wrote was not understood: trailing characters at line 1 column 4; …"
    "{" 0
      "unclean: what it wrote was not understood: EOF while parsing an object at line 1 column 1; …"
    "[]" 0
      "unclean: what it wrote was not understood: invalid type: sequence, expected an object at line 1 column 0; …"
    "[{}]" 0
      "unclean: what it wrote was not understood: invalid type: sequence, expected an object at line 1 column 0; …"
    "null" 0
      "unclean: what it wrote was not understood: invalid type: null, expected an object at line 1 column 4; …"
    "true" 0
      "unclean: what it wrote was not understood: invalid type: boolean `true`, expected an object at line 1 column 4; …"
    "\"{}\"" 0
      "unclean: what it wrote was not understood: invalid type: string \"{}\", expected an object at line 1 column 4; …"
    "ok" 0
      "unclean: what it wrote was not understood: expected value at line 1 column 1; …"
    "\u{feff}{}" 0
      "unclean: what it wrote was not understood: expected value at line 1 column 1; …"
    "{\"deny\": \"half \\ud800\"}" 0
      "unclean: what it wrote was not understood: unexpected end of hex escape at line 1 column 22; …"
    "#);
}

/// spec: Policy hooks; a hook that dies, floods or cannot be started refuses, and its refusal says what happened.
#[tokio::test]
async fn a_broken_hook_refuses_and_says_how_it_broke() {
    let space = Space::new();
    let cases = [
        "echo '{}'; kill -9 $$",
        "echo '{}'; echo no config >&2; exit 3",
        "head -c 100000 /dev/zero | tr '\\0' ' '; echo '{}'",
        "trap '' TERM; yes",
        "printf '{\"deny\": \"\\377\"}'",
        "printf '\\377'",
        "exec no-such-program 2>/dev/null",
    ];
    let mut lines = String::new();
    for case in cases {
        let answered = shown(ask_shell(&script(&space, case), "ls").await);
        let answered = answered.replace(EXPECTED, "; …");
        lines.push_str(&format!("{case}\n  {answered:?}\n"));
    }
    for word in ["no-such-program", "no/such", "./workdir"] {
        let gate = gate(&space, program(&space, HookEvent::OnShell, &[word]));
        let answered = shown(ask_shell(&gate, "ls").await);
        let folder = space.workdir().parent().unwrap().display().to_string();
        lines.push_str(&format!(
            "{word}\n  {}\n",
            answered.replace(&folder, "[folder]")
        ));
    }
    insta::assert_snapshot!(lines, @r#"
    echo '{}'; kill -9 $$
      "unclean: killed by signal 9 (SIGKILL)"
    echo '{}'; echo no config >&2; exit 3
      "unclean: exit code 3, after it wrote to standard error: no config"
    head -c 100000 /dev/zero | tr '\0' ' '; echo '{}'
      "unclean: it wrote more than 65536 bytes (64 KiB) to standard output"
    trap '' TERM; yes
      "unclean: it wrote more than 65536 bytes (64 KiB) to standard output"
    printf '{"deny": "\377"}'
      "unclean: what it wrote was not understood: invalid unicode code point at line 1 column 11; …"
    printf '\377'
      "unclean: what it wrote was not understood: expected value at line 1 column 1; …"
    exec no-such-program 2>/dev/null
      "unclean: exit code 127"
    no-such-program
      unclean: cannot start `no-such-program`: not found on PATH
    no/such
      unclean: cannot start `[folder]/no/such`: no such file
    ./workdir
      unclean: cannot start `[folder]/./workdir`: it is not an executable file
    "#);
}

/// spec: Policy hooks; the end of a long standard error is enough, and no refusal grows over 64 KiB.
#[tokio::test]
async fn what_a_hook_says_is_bounded() {
    let space = Space::new();
    let loud = script(&space, "yes why | head -c 1000000 >&2; exit 1");
    let answered = shown(ask_shell(&loud, "ls").await);
    assert!(answered.starts_with("unclean: exit code 1, after it wrote"));
    assert!(
        answered.ends_with("why\nwhy") && answered.len() < 2500,
        "{answered}"
    );

    // The most that may be answered, then one byte more.
    let denial = |length: usize| {
        let filler = length - r#"{"deny": ""}"#.len();
        format!("printf '{{\"deny\": \"'; head -c {filler} /dev/zero | tr '\\0' x; printf '\"}}'")
    };
    let answered = shown(ask_shell(&script(&space, &denial(65_536)), "ls").await);
    assert_eq!(answered, "x".repeat(65_524));
    let answered = shown(ask_shell(&script(&space, &denial(65_537)), "ls").await);
    assert_eq!(
        answered,
        "unclean: it wrote more than 65536 bytes (64 KiB) to standard output"
    );
}

/// What is added to whatever was not understood.
const EXPECTED: &str =
    "; a hook writes `{}` for no objection, or `{\"deny\": \"<reason>\"}`, and nothing else";
