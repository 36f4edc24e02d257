//! The artifacts of capsules in the user's store, as far as a parent reads them: what a child may see of the host.

use std::{
    fs::OpenOptions,
    io::{BufReader, Read as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use plan_exec::ChildManifests;
use rustix::fs::OFlags;
use serde::Deserialize;
use zip::{ZipArchive, result::ZipError};

/// `<home>/.murmur/artifacts`.
#[derive(Debug, Clone)]
pub(crate) struct Artifacts {
    /// The user's home; `None` when nothing says where that is.
    home: Option<PathBuf>,
}

impl Artifacts {
    /// Takes the value of `HOME`.
    pub(crate) fn of(home: Option<std::ffi::OsString>) -> Self {
        let home = home.filter(|home| !home.is_empty()).map(PathBuf::from);
        Self { home }
    }

    fn path(&self, name: &str, version: &str) -> Result<PathBuf, String> {
        let home = self.home.as_deref();
        let home = home.ok_or("`HOME` is unset, so the artifacts of capsules cannot be found")?;
        let (scope, bare) = name.rsplit_once('/').unwrap_or((DEFAULT_SCOPE, name));
        let parts = scope.split('/').chain([bare, version]);
        if let Some(part) = parts.clone().find(|part| !is_plain(part)) {
            return Err(format!("`{part}` cannot be a part of an artifact's path"));
        }
        let mut path = home.join(".murmur").join("artifacts");
        path.extend(parts);
        path.push(format!("{bare}-{version}.mur.zip"));
        Ok(path)
    }
}

impl ChildManifests for Artifacts {
    fn env_allow(&self, name: &str, version: &str) -> Result<Vec<String>, String> {
        let path = self.path(name, version)?;
        let manifest = manifest(&path).map_err(|why| {
            format!(
                "cannot read `{MANIFEST}` in its artifact `{}`: {why}",
                path.display()
            )
        })?;
        let env = manifest
            .capabilities
            .and_then(|capabilities| capabilities.env);
        Ok(env.and_then(|env| env.allow).unwrap_or_default())
    }
}

fn manifest(path: &Path) -> Result<ChildManifest, String> {
    let file = OpenOptions::new()
        .read(true)
        // Opening a pipe would wait for its writer.
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(path)
        .map_err(|error| error.to_string())?;
    let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
    if !is_file {
        return Err("it is not a regular file".into());
    }
    let said = |error: ZipError| match error {
        ZipError::FileNotFound => "there is no such file in it".to_owned(),
        error => format!("as a zip file it is broken: {error}"),
    };
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(said)?;
    let entry = archive.by_name(MANIFEST).map_err(said)?;
    let mut text = Vec::new();
    // What it says of its own size is not to be trusted.
    entry
        .take(LARGEST + 1)
        .read_to_end(&mut text)
        .map_err(|error| error.to_string())?;
    if text.len() as u64 > LARGEST {
        return Err(format!("it holds more than {} KiB", LARGEST / 1024));
    }
    let text = String::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())?;
    serde_saphyr::from_str(&text).map_err(|error| {
        let error = error.to_string();
        let first = error.lines().next().unwrap_or_default();
        let first = first.strip_prefix("error: ").unwrap_or(first);
        format!("it is not YAML of a manifest: {first}")
    })
}

/// Returns whether a part of a name stands for one folder.
fn is_plain(part: &str) -> bool {
    !matches!(part, "" | "." | "..") && !part.contains(['/', '\0'])
}

/// What of a child's manifest matters to its parent; the rest is between the child and the daemon.
#[derive(Deserialize)]
struct ChildManifest {
    capabilities: Option<Capabilities>,
}

#[derive(Deserialize)]
struct Capabilities {
    env: Option<Env>,
}

#[derive(Deserialize)]
struct Env {
    allow: Option<Vec<String>>,
}

/// The manifest's name in an artifact.
const MANIFEST: &str = "murmur.yaml";

/// The scope of a name that has none.
pub(crate) const DEFAULT_SCOPE: &str = "local";

/// The largest manifest that is read, in bytes.
const LARGEST: u64 = 1024 * 1024;

#[cfg(test)]
mod tests {
    use std::{fs, io::Write as _};

    use plan_exec::ChildManifests as _;
    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::Artifacts;

    /// Reads the list of an artifact that holds these files.
    fn read(files: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".murmur/artifacts/local/worker/0.1.0");
        fs::create_dir_all(&folder).unwrap();
        let file = fs::File::create(folder.join("worker-0.1.0.mur.zip")).unwrap();
        let mut zip = ZipWriter::new(file);
        for (name, text) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
        let artifacts = Artifacts::of(Some(home.path().into()));
        let list = artifacts.env_allow("local/worker", "0.1.0");
        list.map_err(|why| why.replace(&*home.path().to_string_lossy(), "[home]"))
    }

    /// spec: Capsule steps: a child's list is in the manifest of its artifact, in its order; without one it is empty.
    #[test]
    fn a_list_is_read_from_the_artifact() {
        let manifest = "name: worker\nversion: 0.1.0\nhooks: [{a: b}]\ncapabilities:\n  shell: {allow: [sh]}\n  env:\n    allow: [B, A]\n";
        assert_eq!(
            read(&[("capsule.wasm", "x"), ("murmur.yaml", manifest)]),
            Ok(vec!["B".into(), "A".into()])
        );
        for none in ["name: a", "capabilities:\n", "capabilities: {env: {}}"] {
            assert_eq!(read(&[("murmur.yaml", none)]), Ok(Vec::new()));
        }
    }

    /// spec: Capsule steps: an artifact that cannot be read is told of, whatever is wrong with it.
    #[test]
    fn an_artifact_that_cannot_be_read_is_told_of() {
        let big = "#".repeat(1024 * 1024 + 1);
        let told = [
            read(&[("other", "")]),
            read(&[("murmur.yaml", &big)]),
            read(&[("murmur.yaml", "capabilities: {env: {allow: 7}}")]),
            Artifacts::of(None).env_allow("local/worker", "0.1.0"),
            Artifacts::of(Some("/nowhere".into())).env_allow("worker", "0.1.0"),
            Artifacts::of(Some("/nowhere".into())).env_allow("local/../worker", "0.1.0"),
            Artifacts::of(Some("/nowhere".into())).env_allow("local/worker", "0/1"),
        ];
        let told: Vec<_> = told.into_iter().map(Result::unwrap_err).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        cannot read `murmur.yaml` in its artifact `[home]/.murmur/artifacts/local/worker/0.1.0/worker-0.1.0.mur.zip`: there is no such file in it
        cannot read `murmur.yaml` in its artifact `[home]/.murmur/artifacts/local/worker/0.1.0/worker-0.1.0.mur.zip`: it holds more than 1024 KiB
        cannot read `murmur.yaml` in its artifact `[home]/.murmur/artifacts/local/worker/0.1.0/worker-0.1.0.mur.zip`: it is not YAML of a manifest: line 1 column 29: expected sequence start
        `HOME` is unset, so the artifacts of capsules cannot be found
        cannot read `murmur.yaml` in its artifact `/nowhere/.murmur/artifacts/local/worker/0.1.0/worker-0.1.0.mur.zip`: No such file or directory (os error 2)
        `..` cannot be a part of an artifact's path
        `0/1` cannot be a part of an artifact's path
        ");
    }

    /// spec: Bad input: what is no zip file at all is told of.
    #[test]
    fn what_is_no_zip_file_is_told_of() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".murmur/artifacts/local/worker/0.1.0");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("worker-0.1.0.mur.zip");
        let artifacts = Artifacts::of(Some(home.path().into()));
        let told = || artifacts.env_allow("local/worker", "0.1.0").unwrap_err();
        fs::write(&path, "no zip").unwrap();
        assert!(told().contains("as a zip file it is broken"), "{}", told());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(told().ends_with("it is not a regular file"), "{}", told());
    }
}
