//! Reads a file that should be small and regular, without waiting on anything that is not.

use std::fs::{FileType, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use super::fault::ManifestError;

/// Reads the whole of the file at `path`.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, ManifestError> {
    let failed = |source| ManifestError::Io {
        path: path.to_owned(),
        source,
    };
    let file = OpenOptions::new()
        .read(true)
        // Opening a pipe would wait for its writer.
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(path)
        .map_err(failed)?;
    let kind = file.metadata().map_err(failed)?.file_type();
    if let Some(what) = other_than_a_file(kind) {
        return Err(ManifestError::NotAFile {
            path: path.to_owned(),
            what,
        });
    }
    let mut bytes = Vec::new();
    file.take(LIMIT as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() > LIMIT {
        return Err(ManifestError::TooLarge {
            path: path.to_owned(),
            limit: LIMIT,
        });
    }
    Ok(bytes)
}

fn other_than_a_file(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a folder")
    } else if kind.is_fifo() {
        Some("a pipe")
    } else {
        Some("a device")
    }
}

/// Four MiB: a thousand times the manifest of a large capsule.
const LIMIT: usize = 4 << 20;
