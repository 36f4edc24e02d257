//! The file a tool names in place of its data (ruling 24).

use std::{fs, os::unix::fs::symlink};

use crate::space::{Space, output, shown};

async fn answer(space: &Space, path: &str) -> String {
    let reply = format!(
        r#"{{"status":"passed","data_path":{}}}"#,
        serde_json::to_string(path).unwrap()
    );
    let arguments = ["-c", "printf %s \"$1\"", "sh", &reply];
    shown(&space.tool_program("sh", &arguments, "1").await)
}

/// ruling 24: the file is read beneath the workdir; no link is followed, and what is no such file fails the step.
#[tokio::test]
async fn a_data_path_stays_beneath_the_workdir() {
    let space = Space::new();
    let workdir = space.workdir();
    fs::write(workdir.parent().unwrap().join("secret"), "secret").unwrap();
    fs::create_dir_all(workdir.join("sub/deep")).unwrap();
    space.write("plain.txt", "plain\n");
    space.write("sub/deep/file", "deep");
    space.write("a \u{2028}\"odd\" name", "odd");
    symlink("plain.txt", workdir.join("link")).unwrap();
    symlink("../secret", workdir.join("out")).unwrap();
    symlink("sub", workdir.join("folder-link")).unwrap();
    symlink("loop", workdir.join("loop")).unwrap();
    space.sh("mkfifo fifo").await;
    let mut lines = String::new();
    for path in [
        "plain.txt",
        "./plain.txt",
        "sub/deep/file",
        "sub/../plain.txt",
        "a \u{2028}\"odd\" name",
        "",
        "/etc/passwd",
        "../secret",
        "sub/../../secret",
        "link",
        "out",
        "loop",
        "folder-link/deep/file",
        "missing",
        "missing/file",
        "plain.txt/file",
        "sub",
        ".",
        "sub/..",
        "fifo",
        "nul\0",
    ] {
        lines.push_str(&format!("{path:?}\n  {}\n", answer(&space, path).await));
    }
    insta::assert_snapshot!(lines, @r#"
    "plain.txt"
      passed, output "plain\n"
    "./plain.txt"
      passed, output "plain\n"
    "sub/deep/file"
      passed, output "deep"
    "sub/../plain.txt"
      passed, output "plain\n"
    "a \u{2028}\"odd\" name"
      passed, output "odd"
    ""
      failed "`data_path` ``: it names no file", no output
    "/etc/passwd"
      failed "`data_path` `/etc/passwd`: it is absolute; name a file beneath the workdir", no output
    "../secret"
      failed "`data_path` `../secret`: it leads out of the workdir", no output
    "sub/../../secret"
      failed "`data_path` `sub/../../secret`: it leads out of the workdir", no output
    "link"
      failed "`data_path` `link`: it is, or leads through, a symbolic link", no output
    "out"
      failed "`data_path` `out`: it is, or leads through, a symbolic link", no output
    "loop"
      failed "`data_path` `loop`: it is, or leads through, a symbolic link", no output
    "folder-link/deep/file"
      failed "`data_path` `folder-link/deep/file`: it is, or leads through, a symbolic link", no output
    "missing"
      failed "`data_path` `missing`: there is no such file", no output
    "missing/file"
      failed "`data_path` `missing/file`: there is no such file", no output
    "plain.txt/file"
      failed "`data_path` `plain.txt/file`: there is no such file", no output
    "sub"
      failed "`data_path` `sub`: it is not a regular file", no output
    "."
      failed "`data_path` `.`: it is not a regular file", no output
    "sub/.."
      failed "`data_path` `sub/..`: it is not a regular file", no output
    "fifo"
      failed "`data_path` `fifo`: it is not a regular file", no output
    "nul\0"
      failed "`data_path` `nul\\0`: it names no file", no output
    "#);
}

/// ruling 24: the file is bounded at 10 MiB; ruling 25: what is not UTF-8 is converted.
#[tokio::test]
async fn a_data_path_is_bounded() {
    let space = Space::new();
    fs::write(space.workdir().join("at"), vec![0xff; 10 * 1024 * 1024]).unwrap();
    fs::write(
        space.workdir().join("past"),
        vec![b'x'; 10 * 1024 * 1024 + 1],
    )
    .unwrap();
    let reply = "printf '{\"status\":\"passed\",\"data_path\":\"at\"}'";
    let at = space.tool(reply, "1").await;
    assert_eq!(output(&at).chars().count(), 10 * 1024 * 1024);
    assert!(output(&at).chars().all(|c| c == '\u{fffd}'));
    insta::assert_snapshot!(answer(&space, "past").await, @r#"failed "`data_path` `past`: the file is larger than 10485760 bytes (10 MiB)", no output"#);
    let long = answer(&space, &"long/".repeat(2000)).await;
    assert!(long.len() < 500, "{long}");
}

/// ruling 24: data goes before a file, and a failing tool's own words before the file's fault.
#[tokio::test]
async fn data_goes_before_a_file() {
    let space = Space::new();
    space.write("f", "from the file");
    let mut lines = String::new();
    for reply in [
        r#"{"status":"passed","data":"own","data_path":"../x"}"#,
        r#"{"status":"passed","data":null,"data_path":"f"}"#,
        r#"{"status":"failed","data_path":"f"}"#,
        r#"{"status":"failed","summary":"s","data_path":"f"}"#,
        r#"{"status":"failed","summary":"s","data_path":"nowhere"}"#,
        r#"{"status":"failed","data_path":"nowhere"}"#,
    ] {
        let arguments = ["-c", "printf %s \"$1\"", "sh", reply];
        let outcome = space.tool_program("sh", &arguments, "1").await;
        lines.push_str(&format!("{reply}\n  {}\n", shown(&outcome)));
    }
    insta::assert_snapshot!(lines, @r#"
    {"status":"passed","data":"own","data_path":"../x"}
      passed, output "own"
    {"status":"passed","data":null,"data_path":"f"}
      passed, output "from the file"
    {"status":"failed","data_path":"f"}
      failed "from the file", output "from the file"
    {"status":"failed","summary":"s","data_path":"f"}
      failed "s", output "from the file"
    {"status":"failed","summary":"s","data_path":"nowhere"}
      failed "s", no output
    {"status":"failed","data_path":"nowhere"}
      failed "`data_path` `nowhere`: there is no such file", no output
    "#);
}
