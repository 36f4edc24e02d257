//! A Chromium without a window, started anew for every look.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{at, looks::Looks};

/// The browser, and where it keeps what it writes.
#[derive(Debug)]
pub(super) struct Chromium {
    program: &'static str,
    folder: PathBuf,
}

/// What the browser made of a page.
#[derive(Debug)]
pub(super) struct Opened {
    /// The page as it was when it had loaded.
    pub(super) dom: String,
    /// What stood on the page's console.
    pub(super) console: Vec<String>,
    /// The addresses that were asked for and are not the browser's own.
    pub(super) fetched: Vec<String>,
}

impl Chromium {
    /// Finds the browser.
    pub(super) fn find(folder: &Path) -> Result<Self, String> {
        let program = PROGRAMS.into_iter().find(|program| {
            let mut version = Command::new(program);
            version
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            version.status().is_ok_and(|status| status.success())
        });
        let program = program.ok_or_else(|| {
            format!(
                "cannot run here: there is no {} on PATH",
                PROGRAMS.join(" or ")
            )
        })?;
        Ok(Self {
            program,
            folder: folder.to_owned(),
        })
    }

    /// Opens a page and returns what became of it.
    pub(super) fn open(&self, page: &Path, looks: Looks) -> Result<Opened, String> {
        let net = self.folder.join("net.json");
        let mut words = self.words(looks);
        words.push("--enable-logging=stderr".into());
        words.push("--virtual-time-budget=10000".into());
        words.push(option("--log-net-log=", &net));
        words.push("--dump-dom".into());
        words.push(option("file://", page));
        let (dom, said) = self.run(&words)?;
        let net_log = fs::read_to_string(&net).map_err(|error| at(&net, &error))?;
        Ok(Opened {
            dom,
            console: said
                .lines()
                .filter(|line| line.contains(":CONSOLE"))
                .map(str::to_owned)
                .collect(),
            fetched: fetched(&net_log),
        })
    }

    /// Takes a picture of a page, `height` pixels high.
    pub(super) fn picture(
        &self,
        page: &Path,
        looks: Looks,
        height: u32,
        to: &Path,
    ) -> Result<(), String> {
        let mut words = self.words(looks);
        words.push(format!("--window-size={},{height}", window(looks)).into());
        words.push(option("--screenshot=", to));
        words.push(option("file://", page));
        self.run(&words)?;
        exists(to)
    }

    /// Prints a page.
    pub(super) fn print(&self, page: &Path, to: &Path) -> Result<(), String> {
        // Paper is light whatever the screen is.
        let mut words = self.words(Looks::Dark);
        words.push("--no-pdf-header-footer".into());
        words.push(option("--print-to-pdf=", to));
        words.push(option("file://", page));
        self.run(&words)?;
        exists(to)
    }

    fn words(&self, looks: Looks) -> Vec<OsString> {
        let scheme = if looks.is_dark() { 0 } else { 1 };
        let mut words: Vec<OsString> = FLAGS.iter().map(Into::into).collect();
        words.push(format!("--blink-settings=preferredColorScheme={scheme}").into());
        words.push(format!("--window-size={},900", window(looks)).into());
        words.push(option("--user-data-dir=", &self.folder.join("profile")));
        words
    }

    /// Runs the browser to its end and returns its standard output and error.
    fn run(&self, words: &[OsString]) -> Result<(String, String), String> {
        let profile = self.folder.join("profile");
        // An empty one for every page: nothing carries over.
        if profile.exists() {
            fs::remove_dir_all(&profile).map_err(|error| at(&profile, &error))?;
        }
        let (stdout, stderr) = (self.folder.join("stdout"), self.folder.join("stderr"));
        let file = |path: &Path| fs::File::create(path).map_err(|error| at(path, &error));
        let child = Command::new(self.program)
            .args(words)
            .stdin(Stdio::null())
            .stdout(file(&stdout)?)
            .stderr(file(&stderr)?)
            .spawn();
        let mut browser =
            Browser(child.map_err(|error| format!("cannot start `{}`: {error}", self.program))?);
        let deadline = Instant::now() + BOUND;
        let status = loop {
            let status = browser.0.try_wait();
            match status.map_err(|error| format!("cannot wait for the browser: {error}"))? {
                Some(status) => break status,
                None if Instant::now() > deadline => {
                    return Err(format!(
                        "the browser was not through after {} s",
                        BOUND.as_secs()
                    ));
                }
                None => thread::sleep(Duration::from_millis(20)),
            }
        };
        let read = |path: &Path| {
            let bytes = fs::read(path).map_err(|error| at(path, &error))?;
            Ok::<_, String>(String::from_utf8_lossy(&bytes).into_owned())
        };
        let said = read(&stderr)?;
        if !status.success() {
            return Err(format!("the browser failed ({status}):\n{said}"));
        }
        Ok((read(&stdout)?, said))
    }
}

/// A running browser, which is ended when nobody waits for it any more.
struct Browser(Child);

impl Drop for Browser {
    fn drop(&mut self) {
        // Both do nothing to one that has been waited for.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// No window is narrower than this; a narrower page stands in a frame.
fn window(looks: Looks) -> u32 {
    looks.width().max(500)
}

/// Returns the addresses of a log that a page can have asked for.
fn fetched(net_log: &str) -> Vec<String> {
    let mut addresses: Vec<String> = net_log
        .split("\"url\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|url| !url.starts_with("file:") && !url.starts_with("data:"))
        .filter(|url| !OWN.iter().any(|own| host(url).ends_with(own)))
        .map(str::to_owned)
        .collect();
    addresses.sort();
    addresses.dedup();
    addresses
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', ':', '?']).next().unwrap_or_default()
}

fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push(path);
    option
}

fn exists(path: &Path) -> Result<(), String> {
    match fs::metadata(path) {
        Ok(data) if data.len() > 0 => Ok(()),
        Ok(_) => Err(format!("{} is empty", path.display())),
        Err(error) => Err(at(path, &error)),
    }
}

const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Nothing leaves this machine, whatever a page or the browser itself asks for: no name is found.
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
];
/// Whom the browser asks for itself, without a page.
const OWN: [&str; 2] = [".google.com", ".googleapis.com"];
/// A page of thousands of steps takes seconds; on a busy machine some times that.
const BOUND: Duration = Duration::from_secs(120);

#[cfg(test)]
mod tests {
    use super::fetched;

    /// Decision: a page that fetches anything is found, and the browser's own habits are not taken for it.
    #[test]
    fn what_a_page_fetches_is_told_from_what_the_browser_does() {
        let log = r#"{"url":"file:///x.html"},{"url":"https://update.googleapis.com/a"},
            {"url":"http://example.org/a.png"},{"url":"http://example.org/a.png"},{"url":"https://evilgoogle.com/"}"#;
        assert_eq!(
            fetched(log),
            ["http://example.org/a.png", "https://evilgoogle.com/"]
        );
    }
}
