//! An answer as a step hands it on: cut at 64 KiB, the whole kept (ruling 26).

use std::{io, os::fd::BorrowedFd};

use super::folder::Folder;
use crate::output::{CUT_MARK, start_of};

/// Returns the answer, cut where it is longer than 64 KiB. The whole then goes to
/// `delegations/<delegation id>.txt` in the runtime directory.
pub(super) fn cut(
    answer: String,
    delegation_id: &str,
    runtime_dir: Option<BorrowedFd<'_>>,
) -> String {
    let kept = start_of(&answer, ANSWER_BYTES);
    if kept.len() == answer.len() {
        return answer;
    }
    let name = format!("{delegation_id}.txt");
    let whereabouts = match keep_whole(&answer, &name, runtime_dir) {
        Ok(()) => format!("the whole answer is {DELEGATIONS}/{name} in the runtime directory"),
        Err(error) => format!("the whole answer could not be kept: {error}"),
    };
    format!(
        "{kept}{CUT_MARK}\n[cut at {} of {} bytes; {whereabouts}]",
        kept.len(),
        answer.len()
    )
}

fn keep_whole(answer: &str, name: &str, runtime_dir: Option<BorrowedFd<'_>>) -> io::Result<()> {
    let runtime_dir =
        runtime_dir.ok_or_else(|| io::Error::other("the session has no runtime directory"))?;
    let delegations = Folder::of(runtime_dir)?.make_or_enter(DELEGATIONS)?;
    delegations.write_new(name, answer.as_bytes())
}

/// The most of an answer that a report holds, in bytes (ruling 26).
const ANSWER_BYTES: usize = 64 * 1024;

/// The folder of every kept answer in the runtime directory.
const DELEGATIONS: &str = "delegations";

#[cfg(test)]
mod tests {
    use std::{fs, os::fd::AsFd, os::unix::fs::PermissionsExt};

    use super::cut;

    /// ruling 26: an answer over 64 KiB is cut at a character boundary, the cut is marked, and the whole is kept.
    #[test]
    fn a_long_answer_is_cut_and_kept() {
        let space = tempfile::tempdir().unwrap();
        let runtime = fs::File::open(space.path()).unwrap();
        let cut = |answer: &str, id: &str| cut(answer.to_owned(), id, Some(runtime.as_fd()));
        let exact = "x".repeat(65_536);
        assert_eq!(cut(&exact, "dlg_0"), exact);
        assert!(!space.path().join("delegations").exists());
        let over = format!("{exact}y");
        assert_eq!(
            cut(&over, "dlg_1"),
            format!(
                "{exact} […]\n[cut at 65536 of 65537 bytes; the whole answer is delegations/dlg_1.txt in the \
                 runtime directory]"
            )
        );
        let across = format!("{}€ after", "x".repeat(65_534));
        let told = cut(&across, "dlg_2");
        assert!(told.starts_with(&format!(
            "{} […]\n[cut at 65534 of 65543 ",
            "x".repeat(65_534)
        )));
        let folder = space.path().join("delegations");
        for (name, whole) in [("dlg_1.txt", over), ("dlg_2.txt", across)] {
            assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), whole);
        }
        let mode = fs::metadata(folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    /// ruling 26: an answer that cannot be kept is cut all the same, and the note says why.
    #[test]
    fn an_answer_that_cannot_be_kept_says_so() {
        let long = "é".repeat(40_000);
        let (_, note) = cut(long.clone(), "dlg_1", None)
            .rsplit_once('\n')
            .map(|(text, note)| (text.to_owned(), note.to_owned()))
            .unwrap();
        assert_eq!(
            note,
            "[cut at 65536 of 80000 bytes; the whole answer could not be kept: the session has no runtime directory]"
        );
        let space = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/tmp", space.path().join("delegations")).unwrap();
        let runtime = fs::File::open(space.path()).unwrap();
        let told = cut(long, "dlg_1", Some(runtime.as_fd()));
        assert!(
            told.ends_with("could not be kept: Not a directory (os error 20)]"),
            "{told}"
        );
    }
}
