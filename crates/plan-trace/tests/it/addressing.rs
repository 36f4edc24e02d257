//! How a session is named, and what is said when there is none or more than one.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use plan_trace::{
    SessionId, TRACE_FILE,
    address::{Address, FindError},
    create_session_dir,
};
use tempfile::TempDir;

const FIRST: &str = "ses_019cc5cef28070018000000000000001";
const SECOND: &str = "ses_019cc605e10070028000000000000001";
const THIRD: &str = "ses_019cc63ccf8070038000000000000f02";

/// A home with three sessions of `/w`, the second without a trace, and one of `/w/child`.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    for (workdir, id) in [("/w", FIRST), ("/w", THIRD), ("/w/child", CHILD)] {
        let folder = create_session_dir(home.path(), Path::new(workdir), id.parse().unwrap());
        fs::write(folder.unwrap().join(TRACE_FILE), "").unwrap();
    }
    let without = create_session_dir(home.path(), Path::new("/w"), SECOND.parse().unwrap());
    fs::create_dir(without.unwrap().join("home")).unwrap();
    fs::write(home.path().join("records/w/notes"), "").unwrap();
    fs::create_dir(home.path().join("records/w/ses_short")).unwrap();
    home
}

const CHILD: &str = "ses_019cc673be0070048000000000000f02";

/// What an address finds below `records`, or the error and its hint.
fn found(home: &TempDir, workdir: &str, address: &str) -> String {
    let address = match Address::parse(address.as_ref()) {
        Ok(address) => address,
        Err(error) => return error.to_string(),
    };
    match address.find(home.path(), Path::new(workdir)) {
        Ok(path) => {
            let below = path.strip_prefix(home.path()).unwrap_or(&path);
            below.to_string_lossy().into_owned()
        }
        Err(error) => format!("{error}\n{}", error.hint()),
    }
}

/// spec: The session; trace.md: "`@1` addresses the newest session of a workdir, `@2` the one before"
#[test]
fn sessions_are_counted_from_the_newest_and_those_without_a_trace_are_none() {
    let home = home();
    assert_eq!(
        found(&home, "/w", "@1"),
        format!("records/w/{THIRD}/trace.jsonl")
    );
    assert_eq!(
        found(&home, "/w", "@2"),
        format!("records/w/{FIRST}/trace.jsonl")
    );
    assert_eq!(found(&home, "/w", "@01"), found(&home, "/w", "@1"));
    insta::assert_snapshot!(found(&home, "/w", "@3"), @r"
    there is no `@3`: 2 sessions of `/w` left a trace
    the oldest is `@2`
    ");
    insta::assert_snapshot!(found(&home, "/elsewhere", "@1"), @r"
    no session of `/elsewhere` has left a trace
    name the folder a plan ran in with `--workdir DIR`, or a trace by its file; the newest sessions elsewhere ran in `/w/child`, `/w`
    ");
    let empty = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(found(&empty, "/w", "@1"), @r"
    no session of `/w` has left a trace
    name the folder a plan ran in with `--workdir DIR`, or a trace by its file
    ");
}

/// spec: The session; "a full id or a unique id suffix that session"
#[test]
fn an_id_or_its_end_is_looked_for_here_and_then_everywhere() {
    let home = home();
    let third = format!("records/w/{THIRD}/trace.jsonl");
    assert_eq!(found(&home, "/w", THIRD), third);
    assert_eq!(found(&home, "/w", "38000000000000f02"), third);
    // The child ends so as well, but is not of this workdir.
    assert_eq!(found(&home, "/w", "f02"), third);
    assert_eq!(
        found(&home, "/w", CHILD),
        format!("records/w/child/{CHILD}/trace.jsonl")
    );
    insta::assert_snapshot!(found(&home, "/elsewhere", "f02"), @r"
    more than one session's id ends in `f02`
    write more of the one you mean: `ses_019cc673be0070048000000000000f02`, `ses_019cc63ccf8070038000000000000f02`
    ");
    insta::assert_snapshot!(found(&home, "/w", "f03"), @r"
    no session's id is `f03` or ends in it
    the newest sessions here are `ses_019cc63ccf8070038000000000000f02`, `ses_019cc5cef28070018000000000000001`
    ");
    insta::assert_snapshot!(found(&home, "/elsewhere", "f03"), @r"
    no session's id is `f03` or ends in it
    name the folder it ran in with `--workdir DIR`, or its trace by its file
    ");
}

/// spec: The session; "anything with a `/` or ending in `.jsonl` a file"
#[test]
fn a_path_is_a_file_whether_it_is_there_or_not() {
    let home = home();
    assert_eq!(found(&home, "/w", "no/such"), "no/such");
    assert_eq!(found(&home, "/w", "x.jsonl"), "x.jsonl");
    assert_eq!(found(&home, "/w", "@1.jsonl"), "@1.jsonl");
    let folder = home.path().join("records/w").join(FIRST);
    let folder = folder.to_str().unwrap();
    assert_eq!(
        found(&home, "/", folder),
        format!("records/w/{FIRST}/trace.jsonl")
    );
}

/// spec: The session
#[test]
fn what_names_no_session_is_told_how_to() {
    let home = home();
    for address in [
        "",
        "@",
        "@0",
        "@-1",
        "@+1",
        "@x",
        "@99999999999999999999999",
    ] {
        let said = found(&home, "/w", address);
        assert!(
            said.contains("names no session: write `@1`"),
            "{address}: {said}"
        );
    }
    insta::assert_snapshot!(found(&home, "/w", "@0"), @"`@0` names no session: write `@1` for the newest, `@2` for the one before, a session's id or the end of one, or a file, with a `/` in it or with `.jsonl` at its end");
}

/// decision: several are listed with the newest first, ten of them
#[test]
fn many_candidates_are_cut() {
    let home = tempfile::tempdir().unwrap();
    for number in 0..12_u64 {
        let id = SessionId::new(1_772_841_600_000 + number);
        let end = format!("{}f02", &id.to_string()[..33]);
        let folder = create_session_dir(home.path(), Path::new("/w"), end.parse().unwrap());
        fs::write(folder.unwrap().join(TRACE_FILE), "").unwrap();
    }
    let address = Address::parse("f02".as_ref()).unwrap();
    match address.find(home.path(), Path::new("/w")) {
        Err(FindError::Ambiguous {
            candidates, is_all, ..
        }) => {
            assert_eq!((candidates.len(), is_all), (10, false));
            assert!(candidates.is_sorted_by(|one, other| one > other));
        }
        other => panic!("{other:?}"),
    }
}

/// decision: the search through all records follows no link
#[test]
fn a_link_among_the_records_is_not_followed() {
    let home = home();
    symlink("..", home.path().join("records/w/child/loop")).unwrap();
    assert_eq!(
        found(&home, "/nowhere", CHILD),
        format!("records/w/child/{CHILD}/trace.jsonl")
    );
}

/// decision: records that cannot be listed are an error that names them
#[test]
fn records_that_are_no_folder_are_named() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("records")).unwrap();
    fs::write(home.path().join("records/w"), "").unwrap();
    let said = found(&home, "/w", "@1");
    let path: PathBuf = home.path().join("records/w");
    assert!(
        said.starts_with(&format!("cannot look through `{}`", path.display())),
        "{said}"
    );
}
