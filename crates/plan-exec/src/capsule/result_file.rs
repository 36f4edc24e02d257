//! The file in which a child leaves its answer, read without following a link.

use std::{io, path::Path};

use super::{door::MOST_OF_AN_ANSWER, folder::Folder};
use crate::output::into_text;

/// Returns the text of the first result file in `folders`; `None` when there is none.
///
/// Without a task's id, which a child that was never heard from did not tell, the one file that belongs to a task
/// is taken. Fails when a file is there that must not be read, a link for example.
pub(super) fn find(folders: [&Path; 2], task_id: Option<&str>) -> Result<Option<String>, String> {
    for folder in folders {
        let refused = |name: &str, error: &io::Error| {
            let path = folder.join(OUT).join(name);
            format!("its result file `{}` was not read: {error}", path.display())
        };
        let out = match open(folder) {
            Ok(Some(out)) => out,
            Ok(None) => continue,
            Err(error) => return Err(refused("", &error)),
        };
        let of_task = match task_id {
            Some(id) => is_plain(id).then(|| format!("{PREFIX}{id}{SUFFIX}")),
            None => only_one(&out).map_err(|error| refused("", &error))?,
        };
        for name in of_task.into_iter().chain([OF_SESSION.to_owned()]) {
            match out.read(&name, MOST_OF_AN_ANSWER) {
                Ok(Some(bytes)) => return Ok(Some(into_text(bytes))),
                Ok(None) => {}
                Err(error) => return Err(refused(&name, &error)),
            }
        }
    }
    Ok(None)
}

/// Opens the folder of results in `folder`, if both are there.
fn open(folder: &Path) -> io::Result<Option<Folder>> {
    match Folder::open(folder).and_then(|folder| folder.enter(OUT)) {
        Ok(out) => Ok(Some(out)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the name of the file that belongs to a task, if there is exactly one.
fn only_one(out: &Folder) -> io::Result<Option<String>> {
    let names = out.names()?.into_iter();
    let mut of_tasks = names
        .filter_map(|name| String::from_utf8(name).ok())
        .filter(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
    Ok(match (of_tasks.next(), of_tasks.next()) {
        (Some(name), None) => Some(name),
        (_, _) => None,
    })
}

/// Returns whether an id can be part of a file's name.
fn is_plain(id: &str) -> bool {
    !id.contains(['/', '\0'])
}

const OUT: &str = "out";
const PREFIX: &str = "result_";
const SUFFIX: &str = ".txt";
const OF_SESSION: &str = "result.txt";

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::find;

    /// spec: Capsule steps: the order of the result files.
    #[test]
    fn the_records_come_first_and_the_task_before_the_session() {
        let space = tempfile::tempdir().unwrap();
        let (records, work) = (space.path().join("r"), space.path().join("w"));
        let all = [&records, &work].map(|folder| {
            fs::create_dir_all(folder.join("out")).unwrap();
            ["result_tsk_1.txt", "result.txt"].map(|name| {
                let path = folder.join("out").join(name);
                fs::write(&path, path.display().to_string()).unwrap();
                path
            })
        });
        for path in all.into_iter().flatten() {
            let found = find([&records, &work], Some("tsk_1")).unwrap();
            assert_eq!(found.unwrap(), path.display().to_string());
            fs::remove_file(path).unwrap();
        }
        assert_eq!(find([&records, &work], Some("tsk_1")), Ok(None));
        fs::remove_dir_all(&records).unwrap();
        assert_eq!(find([&records, &work], None), Ok(None));
    }

    /// spec: Capsule steps: without a task's id the one file of a task is taken, and an id is no way out of the
    /// folder.
    #[test]
    fn an_unknown_task_has_the_only_file() {
        let space = tempfile::tempdir().unwrap();
        let out = space.path().join("out");
        fs::create_dir(&out).unwrap();
        fs::write(out.join("result_tsk_9.txt"), "nine").unwrap();
        let here = [space.path(), space.path()];
        assert_eq!(find(here, None), Ok(Some("nine".into())));
        assert_eq!(find(here, Some("tsk_8")), Ok(None));
        assert_eq!(find(here, Some("x/../../out/result_tsk_9")), Ok(None));
        fs::write(out.join("result_tsk_8.txt"), "eight").unwrap();
        assert_eq!(find(here, None), Ok(None));
    }

    /// spec: Capsule steps: a link, a folder, a pipe and a file that is too long are refused.
    #[test]
    fn what_is_no_plain_file_is_refused() {
        let space = tempfile::tempdir().unwrap();
        let here = [space.path(), space.path()];
        let out = space.path().join("out");
        let told = |here| {
            let why = find(here, Some("t")).unwrap_err();
            why.replace(&*space.path().to_string_lossy(), "[space]")
        };
        fs::write(space.path().join("secret"), "s").unwrap();
        fs::create_dir(&out).unwrap();
        symlink("../secret", out.join("result_t.txt")).unwrap();
        let mut all = vec![told(here)];
        fs::remove_file(out.join("result_t.txt")).unwrap();
        fs::create_dir(out.join("result_t.txt")).unwrap();
        all.push(told(here));
        fs::remove_dir(out.join("result_t.txt")).unwrap();
        let big = fs::File::create(out.join("result.txt")).unwrap();
        big.set_len(64 * 1024 * 1024 + 1).unwrap();
        all.push(told(here));
        fs::rename(&out, space.path().join("elsewhere")).unwrap();
        symlink("elsewhere", &out).unwrap();
        all.push(told(here));
        insta::assert_snapshot!(all.join("\n"), @r"
        its result file `[space]/out/result_t.txt` was not read: it is a link
        its result file `[space]/out/result_t.txt` was not read: it is not a regular file
        its result file `[space]/out/result.txt` was not read: it holds more than 64 MiB
        its result file `[space]/out/` was not read: Not a directory (os error 20)
        ");
    }
}
