//! The pages to look at: made by the command from traces.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use cargo_metadata::MetadataCommand;

use super::{at, traces};

/// The built command, and where cargo builds into.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) target: PathBuf,
    program: PathBuf,
}

/// A page or a picture.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) is_svg: bool,
    /// Whether a person should look at it.
    pub(super) is_pictured: bool,
    /// How many rows it is to have.
    pub(super) rows: usize,
}

/// Builds the command.
pub(super) fn command(root: &Path) -> Result<Built, String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| format!("`cargo metadata` failed: {error}"))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--package", "mur-plan", "--bin", "mur-plan"])
        .current_dir(root)
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !status.success() {
        return Err("the command could not be built".to_owned());
    }
    let target = metadata.target_directory.as_std_path().to_owned();
    let program = target.join("debug/mur-plan");
    Ok(Built { target, program })
}

/// Makes a page and a picture of every fixture and of a big run.
pub(super) fn make(root: &Path, folder: &Path, built: &Built) -> Result<Vec<Page>, String> {
    let mut pages = Vec::new();
    for (name, rows, is_pictured) in FIXTURES {
        let trace = root.join(format!("tests/fixtures/trace/views/{name}.jsonl"));
        pages.extend(both(folder, built, &trace, (name, rows, is_pictured))?);
    }
    let trace = folder.join("big.jsonl");
    fs::write(&trace, traces::big(BIG)).map_err(|error| at(&trace, &error))?;
    pages.extend(both(folder, built, &trace, ("big", BIG, true))?);
    Ok(pages)
}

fn both(
    folder: &Path,
    built: &Built,
    trace: &Path,
    (name, rows, is_pictured): (&str, usize, bool),
) -> Result<[Page; 2], String> {
    let page = |option: &str, is_svg| {
        let file = folder.join(format!("{name}.{option}"));
        let begin = Instant::now();
        let output = Command::new(&built.program)
            .args(["trace", "timeline"])
            .arg(trace)
            .arg(format!("--{option}"))
            .arg(&file)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("cannot start {}: {error}", built.program.display()))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`mur-plan trace timeline` failed: {said}"));
        }
        let size = fs::metadata(&file)
            .map_err(|error| at(&file, &error))?
            .len();
        if size > BYTES_PER_ROW * rows as u64 + BYTES_OF_PAGE {
            return Err(format!("{} has {size} bytes", file.display()));
        }
        if rows == BIG {
            let took = begin.elapsed().as_millis();
            println!("{name}.{option}: {rows} steps, {size} bytes, written in {took} ms");
        }
        Ok(Page {
            name: format!("{name}.{option}"),
            file,
            is_svg,
            is_pictured,
            rows,
        })
    };
    Ok([page("html", false)?, page("svg", true)?])
}

/// Fixtures of views, each with its rows, steps and delegations, and whether a person should look at it.
const FIXTURES: [(&str, usize, bool); 10] = [
    ("failed", 5, false),
    ("refused", 2, false),
    ("canceled", 4, true),
    ("retried", 2, true),
    ("delegations", 6, true),
    ("denied", 3, false),
    ("torn", 3, false),
    ("several", 3, false),
    ("no-plan", 0, false),
    ("hostile", 8, true),
];
/// The steps of a run that must stay usable.
const BIG: usize = 5000;
/// A row says what happened in some words, and a page has its styles: 5,000 rows are some megabytes.
const BYTES_PER_ROW: u64 = 1400;
const BYTES_OF_PAGE: u64 = 40_000;
