//! The environment of a command (ruling 32).

use std::{collections::BTreeMap, ffi::OsString, path::Path};

use plan_exec::{EnvironmentSpec, Host};

/// A host with these variables and directories.
#[derive(Default)]
struct Written {
    variables: BTreeMap<&'static str, &'static str>,
    directories: Vec<&'static str>,
}

impl Host for Written {
    fn var(&self, name: &str) -> Option<OsString> {
        self.variables.get(name).map(OsString::from)
    }
    fn is_dir(&self, path: &Path) -> bool {
        self.directories
            .iter()
            .any(|known| Path::new(known) == path)
    }
}

fn shown(host: &Written, baseline_env: &[&str], strip_env: &[&str]) -> String {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let spec = EnvironmentSpec {
        baseline_env: owned(baseline_env),
        strip_env: owned(strip_env),
        home: "/s/home".into(),
        tmp: "/s/tmp".into(),
        runtime_dir: "/s/runtime".into(),
        records_dir: "/s/records".into(),
    };
    let lines = spec
        .build(host)
        .into_iter()
        .map(|(name, value)| format!("{}={}\n", name.to_str().unwrap(), value.to_str().unwrap()));
    lines.collect()
}

/// ruling 32: the host's own few names, then the runtime's, and nothing else.
#[test]
fn the_environment_is_built_from_nothing() {
    let host = Written {
        variables: [
            ("PATH", "/bin"),
            ("HOME", "/home/u"),
            ("USER", "u"),
            ("LOGNAME", "u"),
            ("LANG", "C.UTF-8"),
            ("TERM", "xterm"),
            ("TMOUT", "900"),
            ("MURMUR_HOME", "/m"),
            ("LD_PRELOAD", "/evil.so"),
        ]
        .into(),
        directories: Vec::new(),
    };
    insta::assert_snapshot!(shown(&host, &[], &[]), @r"
    HOME=/s/home
    LANG=C.UTF-8
    LOGNAME=u
    MURMUR_RECORDS_DIR=/s/records
    MURMUR_RUNTIME_DIR=/s/runtime
    PATH=/bin
    TEMP=/s/tmp
    TERM=xterm
    TMP=/s/tmp
    TMPDIR=/s/tmp
    USER=u
    ");
}

/// ruling 32: the toolchain's folders are found on the host although HOME is replaced, where they exist.
#[test]
fn the_toolchain_is_found_through_the_hosts_home() {
    let mut host = Written {
        variables: [("HOME", "/home/u"), ("RUSTUP_HOME", "/opt/rustup")].into(),
        directories: vec!["/home/u/.cargo", "/home/u/.rustup"],
    };
    let toolchain = |host: &Written| {
        let all = shown(host, &[], &[]);
        let lines = all
            .lines()
            .filter(|line| line.contains("UP_HOME") || line.contains("CARGO"));
        lines.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        toolchain(&host),
        "CARGO_HOME=/home/u/.cargo RUSTUP_HOME=/opt/rustup"
    );
    host.directories.clear();
    assert_eq!(toolchain(&host), "RUSTUP_HOME=/opt/rustup");
    host.variables.insert("HOME", "relative");
    host.directories.push("relative/.cargo");
    assert_eq!(toolchain(&host), "RUSTUP_HOME=/opt/rustup");
}

/// ruling 32: every credential-shaped name is taken away, whatever named it.
#[test]
fn credentials_are_taken_away() {
    let credentials = [
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "GOOGLE_API_KEY",
        "HUGGING_FACE_HUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_",
        "GITHUB_TOKEN",
        "GH_TOKEN",
        "DOCKER_HOST",
        "KUBECONFIG",
        "NPM_TOKEN",
        "PYPI_TOKEN",
        "CARGO_REGISTRY_TOKEN",
        "MY_API_KEY",
        "_API_KEY",
    ];
    let harmless = [
        "MY_TOKEN",
        "AWS",
        "MY_API_KEY_ID",
        "NOT_KUBECONFIG",
        "XAWS_Y",
    ];
    let named: Vec<&str> = credentials.iter().chain(&harmless).copied().collect();
    let host = Written {
        variables: credentials
            .iter()
            .chain(&harmless)
            .map(|&name| (name, "v"))
            .collect(),
        directories: Vec::new(),
    };
    let kept = shown(&host, &named, &[]);
    let mut kept: Vec<&str> = kept
        .lines()
        .filter_map(|line| line.strip_suffix("=v"))
        .collect();
    kept.sort_unstable();
    let mut expected = harmless;
    expected.sort_unstable();
    assert_eq!(kept, expected);
}

/// ruling 32: `strip_env` takes a `*` at either end and nowhere else, and cannot take the runtime's own names.
#[test]
fn stripping_takes_wildcards_at_the_ends() {
    let names = [
        "ONE", "ONE_TWO", "TWO_ONE", "A_MID_B", "ST*R", "STAR", "PATH", "HOME",
    ];
    let host = Written {
        variables: names.iter().map(|&name| (name, "v")).collect(),
        directories: Vec::new(),
    };
    let left = |strip: &[&str]| {
        let all = shown(&host, &names, strip);
        let lines = all.lines().filter_map(|line| line.strip_suffix("=v"));
        lines.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(left(&[]), "A_MID_B ONE ONE_TWO PATH ST*R STAR TWO_ONE");
    assert_eq!(left(&["ONE"]), "A_MID_B ONE_TWO PATH ST*R STAR TWO_ONE");
    assert_eq!(left(&["ONE*"]), "A_MID_B PATH ST*R STAR TWO_ONE");
    assert_eq!(left(&["*ONE"]), "A_MID_B ONE_TWO PATH ST*R STAR");
    assert_eq!(left(&["*MID*", "PATH"]), "ONE ONE_TWO ST*R STAR TWO_ONE");
    assert_eq!(left(&["ST*R"]), "A_MID_B ONE ONE_TWO PATH STAR TWO_ONE");
    assert_eq!(left(&["one", ""]), left(&[]));
    assert_eq!(left(&["*"]), "");
    assert!(shown(&host, &names, &["*"]).contains("HOME=/s/home\n"));
}

/// ruling 32: later wins: the runtime's own names are its own, whatever was asked for.
#[test]
fn the_runtimes_own_names_win() {
    let asked = [
        "TMP",
        "TMPDIR",
        "TEMP",
        "MURMUR_RUNTIME_DIR",
        "EXTRA",
        "UNSET",
        "",
        "A=B",
        "NUL\0",
    ];
    let host = Written {
        variables: asked
            .iter()
            .filter(|&&name| name != "UNSET")
            .map(|&name| (name, "h"))
            .collect(),
        directories: Vec::new(),
    };
    insta::assert_snapshot!(shown(&host, &asked, &[]), @r"
    EXTRA=h
    HOME=/s/home
    MURMUR_RECORDS_DIR=/s/records
    MURMUR_RUNTIME_DIR=/s/runtime
    TEMP=/s/tmp
    TMP=/s/tmp
    TMPDIR=/s/tmp
    ");
}
