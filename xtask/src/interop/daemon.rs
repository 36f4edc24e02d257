//! The real daemon: started on loopback, and ended with the chore.

use std::{
    fs::File,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::Value;

use super::{http, patience, real::Real};

/// The daemon. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Daemon {
    child: Child,
    address: SocketAddr,
}

impl Daemon {
    /// Starts it with the store of `home`, and waits until it answers. What it says goes to `log`.
    pub(super) fn start(real: &Real, home: &Path, log: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("cannot start the daemon: {error}");
        let said = File::create(log).map_err(failed)?;
        let address = free_port().map_err(failed)?;
        let child = Command::new(real.roost())
            .args(["--port", &address.port().to_string()])
            .arg("--registry-path")
            .arg(home.join(".murmur/artifacts"))
            .args(["--spawn-allow", "local/parent"])
            .env_clear()
            .env("HOME", home)
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .stdin(Stdio::null())
            .stdout(said.try_clone().map_err(failed)?)
            .stderr(said)
            .spawn()
            .map_err(failed)?;
        let mut daemon = Self { child, address };
        let is_up = patience::until(UP_WITHIN, || {
            let ended = daemon.child.try_wait().is_ok_and(|status| status.is_some());
            let is_up = http::get(address, "/health").is_ok_and(|(status, _)| status == 200);
            (is_up || ended).then_some(is_up)
        });
        match is_up {
            Some(true) => Ok(daemon),
            _ => Err(format!(
                "the daemon does not come up; what it said is in {}",
                log.display()
            )),
        }
    }

    /// Returns its process id.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns what `MURMUR_ROOST_URL` has to be.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns what the daemon knows of a session.
    pub(super) fn session(&self, id: &str) -> Result<Value, String> {
        let (status, body) = http::get(self.address, &format!("/status/{id}"))?;
        let body = serde_json::from_str(&body).ok();
        body.filter(|_| status == 200)
            .ok_or_else(|| format!("the daemon answers {status} when asked for {id}"))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It keeps nothing that an orderly end would write.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Finds a port that nobody has. Another may take it before the daemon does, which is then told as its failure.
fn free_port() -> std::io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

const UP_WITHIN: Duration = Duration::from_secs(30);
