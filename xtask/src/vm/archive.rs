//! Writes the archive that the kernel unpacks as its first file system: `cpio` in the format `newc`.
//!
//! The format is in the kernel's `Documentation/driver-api/early-userspace/buffer-format.rst`.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

/// An archive that is being written.
#[derive(Debug)]
pub(super) struct Archive<W> {
    to: W,
    entries: u32,
    folders: BTreeSet<String>,
}

impl<W: Write> Archive<W> {
    pub(super) fn new(to: W) -> Self {
        Self {
            to,
            entries: 0,
            folders: BTreeSet::new(),
        }
    }

    /// Adds a folder for everybody to read, and those it is in. One that is there already is left alone.
    pub(super) fn folder(&mut self, path: &str) -> io::Result<()> {
        let path = path.trim_matches('/');
        let ends = path.match_indices('/').map(|(at, _)| at);
        for end in ends.chain([path.len()]) {
            let folder = &path[..end];
            if !folder.is_empty() && self.folders.insert(folder.to_owned()) {
                self.entry(folder, FOLDER | 0o755, b"")?;
            }
        }
        Ok(())
    }

    /// Adds a file for everybody to read and execute, and the folders it is in.
    pub(super) fn file(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.beside(path)?;
        self.entry(path.trim_matches('/'), FILE | 0o755, bytes)
    }

    /// Adds a symbolic link, and the folders it is in.
    pub(super) fn link(&mut self, path: &str, target: &str) -> io::Result<()> {
        self.beside(path)?;
        self.entry(path.trim_matches('/'), LINK | 0o777, target.as_bytes())
    }

    /// Writes the end, and gives back what was written to.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.entry("TRAILER!!!", 0, b"")?;
        self.to.flush()?;
        Ok(self.to)
    }

    fn beside(&mut self, path: &str) -> io::Result<()> {
        match path.rsplit_once('/') {
            Some((folder, _)) => self.folder(folder),
            None => Ok(()),
        }
    }

    fn entry(&mut self, name: &str, mode: u32, bytes: &[u8]) -> io::Result<()> {
        self.entries += 1;
        let links = if mode & FOLDER == FOLDER { 2 } else { 1 };
        let size = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        let length = u32::try_from(name.len() + 1).map_err(io::Error::other)?;
        // In this order: inode, mode, user, group, links, time, size, four numbers of devices, name, checksum.
        let fields = [
            self.entries,
            mode,
            0,
            0,
            links,
            0,
            size,
            0,
            0,
            0,
            0,
            length,
            0,
        ];
        let mut header = String::from("070701");
        for field in fields {
            header.push_str(&format!("{field:08x}"));
        }
        header.push_str(name);
        header.push('\0');
        self.to.write_all(header.as_bytes())?;
        self.pad(header.len())?;
        self.to.write_all(bytes)?;
        self.pad(bytes.len())
    }

    /// Every part begins at a multiple of four.
    fn pad(&mut self, written: usize) -> io::Result<()> {
        let missing = written.next_multiple_of(4) - written;
        self.to.write_all(&[0; 4][..missing])
    }
}

const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_000;

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: the archive is what the kernel's description of the format says.
    #[test]
    fn an_archive_has_folders_before_files_and_an_end() {
        let mut archive = Archive::new(Vec::new());
        archive.file("/a/b", b"text!").unwrap();
        archive.link("/a/c", "b").unwrap();
        archive.folder("a").unwrap();
        let bytes = archive.finish().unwrap();
        assert_eq!(bytes.len() % 4, 0);
        let text = String::from_utf8(bytes).unwrap();
        let names: Vec<&str> = text
            .split("070701")
            .skip(1)
            .map(|entry| entry[104..].trim_end_matches('\0'))
            .collect();
        assert_eq!(names, ["a", "a/b\0\0\0text!", "a/c\0\0\0b", "TRAILER!!!"]);
        let modes: Vec<&str> = text
            .split("070701")
            .skip(1)
            .map(|entry| &entry[8..16])
            .collect();
        assert_eq!(modes, ["000041ed", "000081ed", "0000a1ff", "00000000"]);
    }
}
