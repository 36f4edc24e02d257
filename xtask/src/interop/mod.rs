//! `cargo xtask interop`: runs plans with capsule steps through the real daemon and its real children, and has the real
//! viewer read the traces.
//!
//! Everything is below `target/interop`, on loopback and with nothing from the network but the programs themselves.
//! What is expected of a run is in `checks/`; the rest sets the scene. `docs/interop.md` is about repeating it.

mod call;
mod checks;
mod daemon;
mod http;
mod lines;
mod model;
mod options;
mod patience;
mod processes;
mod real;
mod scene;
mod verdict;
mod worker;
mod zip;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use options::Options;
use real::Real;
use scene::Scene;

/// Installs what is missing, sets the scene, and fails unless every check that is asked for passes.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let options = Options::read(words)?;
    if !cfg!(target_os = "linux") {
        return Err("cannot run here: `interop` looks for processes as Linux shows them".into());
    }
    let target = root.join("target");
    let real = Real::provide(&target.join("interop"))?;
    let command = build(root)?;
    let folder = target.join("interop/scene");
    let scene = Scene::open(folder, real, command)?;
    verdict::run(&scene, checks::ALL, &options)
}

fn build(root: &Path) -> Result<PathBuf, String> {
    println!("==> cargo build --package mur-plan");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--package", "mur-plan", "--target-dir"])
        .arg(root.join("target"))
        .current_dir(root)
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if built.success() {
        Ok(root.join("target/debug/mur-plan"))
    } else {
        Err(format!("cannot build mur-plan ({built})"))
    }
}
