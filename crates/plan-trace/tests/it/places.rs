//! Where records live.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use plan_trace::{SessionId, create_session_dir, records_dir};

/// spec: trace.md: `<home>/records/<absolute workdir without its leading />`
#[test]
fn records_lie_under_the_workdirs_own_path() {
    let dir = |workdir: &str| {
        records_dir(Path::new("/h"), Path::new(workdir))
            .display()
            .to_string()
    };
    assert_eq!(dir("/srv/w"), "/h/records/srv/w");
    assert_eq!(dir("/srv//w/"), "/h/records/srv/w");
    assert_eq!(dir("/"), "/h/records");
    assert_eq!(dir("/srv/./a/../w"), "/h/records/srv/w");
    assert_eq!(dir("/../../etc"), "/h/records/etc");
}

/// spec: trace.md: "each level 0700"
#[test]
fn each_made_level_is_for_its_owner_alone() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("a/home");
    let session = SessionId::new(1);
    let made = create_session_dir(&home, Path::new("/srv/w"), session).unwrap();
    assert_eq!(made, home.join("records/srv/w").join(session.to_string()));
    for level in made.ancestors().take_while(|level| *level != dir.path()) {
        let mode = fs::metadata(level).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{}", level.display());
    }
    let again = create_session_dir(&home, Path::new("/srv/w"), session).unwrap();
    assert_eq!(again, made);
}

/// decision: below the home no link is followed; the home itself may be one
#[test]
fn a_link_in_the_way_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let real = dir.path().join("real");
    fs::create_dir(&real).unwrap();
    let home = dir.path().join("home");
    symlink(&real, &home).unwrap();
    let session = SessionId::new(1);
    create_session_dir(&home, Path::new("/srv/w"), session).unwrap();

    let elsewhere = dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, real.join("records/link")).unwrap();
    let error = create_session_dir(&home, Path::new("/link/w"), session).unwrap_err();
    assert_eq!(error.path, home.join("records/link"));
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);

    fs::write(real.join("records/file"), "").unwrap();
    let error = create_session_dir(&home, Path::new("/file/w"), session).unwrap_err();
    assert_eq!(error.path, home.join("records/file"));
}
