//! The file that keeps a cut output whole (ruling 26): `outputs/plan-<n>/<k>.txt` in the runtime directory.
//!
//! Every step down from the open directory is taken without following a link, and the file is always a new
//! one, so what a command plants there beforehand is never written through.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::{BorrowedFd, OwnedFd},
};

use rustix::{
    fs::{AtFlags, Mode, OFlags, mkdirat, openat, unlinkat},
    io::Errno,
};

/// Where the whole output of one step goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutputPlace<'s> {
    /// The runtime directory, `None` when the session has none.
    pub(crate) runtime_dir: Option<BorrowedFd<'s>>,
    /// The plan's number, from 1.
    pub(crate) plan_number: u32,
    /// The step's number, from 1.
    pub(crate) step_number: usize,
    /// The most the file may hold, in bytes.
    pub(crate) bound: u64,
}

impl OutputPlace<'_> {
    /// Returns the path in the runtime directory.
    pub(super) fn path(&self) -> String {
        format!("{OUTPUTS}/{}/{}", self.folder_name(), self.file_name())
    }

    fn folder_name(&self) -> String {
        format!("plan-{}", self.plan_number)
    }

    fn file_name(&self) -> String {
        format!("{}.txt", self.step_number)
    }

    fn folder(&self, make: bool) -> io::Result<OwnedFd> {
        let runtime_dir = self
            .runtime_dir
            .ok_or_else(|| io::Error::other("the session has no runtime directory"))?;
        let outputs = subfolder(runtime_dir, OUTPUTS, make)?;
        subfolder(&outputs, &self.folder_name(), make)
    }
}

/// Removes what an earlier attempt of the step kept, so that the file is the last attempt's or absent.
pub(crate) fn forget(place: OutputPlace<'_>) {
    // Nothing to do about a failure: there was no file, or creating the next one reports what is wrong.
    if let Ok(folder) = place.folder(false) {
        let _ = unlinkat(folder, place.file_name(), AtFlags::empty());
    }
}

/// The open file.
#[derive(Debug)]
pub(super) struct WholeFile {
    folder: OwnedFd,
    name: String,
    file: File,
    room: u64,
}

impl WholeFile {
    /// Creates it, replacing what has its name.
    pub(super) fn create(place: &OutputPlace<'_>) -> io::Result<Self> {
        let folder = place.folder(true)?;
        let name = place.file_name();
        let create = || {
            openat(
                &folder,
                &name,
                OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC,
                Mode::RUSR | Mode::WUSR,
            )
        };
        let file = match create() {
            Err(Errno::EXIST) => {
                unlinkat(&folder, &name, AtFlags::empty())?;
                create()?
            }
            other => other?,
        };
        Ok(Self {
            folder,
            name,
            file: file.into(),
            room: place.bound,
        })
    }

    /// Writes as much of `bytes` as the bound leaves room for, and returns whether that was all.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let length = usize::try_from(self.room).map_or(bytes.len(), |room| room.min(bytes.len()));
        self.file.write_all(&bytes[..length])?;
        self.room -= length as u64;
        Ok(length == bytes.len())
    }

    /// Removes the file: a part of an output must not pass for the whole of it.
    pub(super) fn remove(self) {
        // The write that failed is what is reported.
        let _ = unlinkat(&self.folder, &self.name, AtFlags::empty());
    }
}

fn subfolder(parent: impl rustix::fd::AsFd, name: &str, make: bool) -> io::Result<OwnedFd> {
    if make {
        match mkdirat(&parent, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(openat(
        &parent,
        name,
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
    )?)
}

/// The folder of every kept output in the runtime directory.
const OUTPUTS: &str = "outputs";
