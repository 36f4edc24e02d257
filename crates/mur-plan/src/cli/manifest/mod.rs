//! `murmur.yaml`: what a session grants and which tools it has, read with every mistake in it at once.
//!
//! Murmur's own keys that this command does not use are accepted without a word. Whether what is granted can be
//! enforced is left to others.

mod command;
mod fault;
mod fields;
mod file;
mod find;
mod grant;
mod hooks;
mod lists;
mod names;
mod node;
mod protect;
mod resources;
mod schema;
mod syntax;
mod tools;

pub use command::Program;
pub use fault::{Fault, ManifestError};
pub use find::find_manifest;
pub use grant::{Manifest, Shell};
pub use hooks::Hook;
pub use resources::Resources;
pub use tools::Tool;

use std::path::Path;

/// Reads the manifest at `path`.
///
/// # Errors
/// What keeps the file from being read, or every fault in it, in the order of the keys read.
pub fn read(path: &Path) -> Result<Manifest, ManifestError> {
    let bytes = file::read(path)?;
    parse(path, &bytes)
}

/// Reads a manifest's text; `path` is what its faults and its relative tool paths refer to.
///
/// # Errors
/// Every fault in it, in the order of the keys read.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<Manifest, ManifestError> {
    let refused = |faults: Vec<Fault>| ManifestError::Refused {
        path: path.to_owned(),
        text: bytes.to_owned(),
        faults,
    };
    let root = node::parse(bytes).map_err(|fault| refused(vec![fault]))?;
    grant::manifest(path, &root).map_err(refused)
}
