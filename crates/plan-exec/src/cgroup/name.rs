//! The name of a scope: whose plan it bounds, as one legal component of a path.

/// Returns `murmur-<plan id>-<pid>-<serial>`, with `_` for whatever in the id is not `[A-Za-z0-9._-]` (spec: What
/// a plan may reach). An id too long for a file's name is cut; the rest of the name keeps it unique.
pub(super) fn scope(plan_id: &str, pid: u32, serial: u64) -> String {
    let end = format!("-{pid}-{serial}");
    let room = NAME_MAX - BEGIN.len() - end.len();
    let id = plan_id.chars().take(room).map(|char| match char {
        'A'..='Z' | 'a'..='z' | '0'..='9' | '.' | '_' | '-' => char,
        _ => '_',
    });
    format!("{BEGIN}{}{end}", id.collect::<String>())
}

/// What the name of every cgroup of ours begins with.
const BEGIN: &str = "murmur-";

/// The longest name a file can have, in bytes (Linux).
const NAME_MAX: usize = 255;

#[cfg(test)]
mod tests {
    use super::*;

    /// spec: What a plan may reach. The id of a plan is text, and the name of a scope one component of a path.
    #[test]
    fn a_scope_is_named_for_its_plan() {
        assert_eq!(
            scope("nightly.build-2_x", 41, 7),
            "murmur-nightly.build-2_x-41-7"
        );
        assert_eq!(scope("../../etc", 1, 0), "murmur-.._.._etc-1-0");
        assert_eq!(scope("", 1, 0), "murmur--1-0");
        assert_eq!(scope("..", 1, 0), "murmur-..-1-0");
        assert_eq!(scope("ünïcode\n\0", 1, 0), "murmur-_n_code__-1-0");
        let longest = scope(&"x".repeat(100_000), u32::MAX, u64::MAX);
        assert_eq!(longest.len(), NAME_MAX);
        assert!(longest.ends_with("x-4294967295-18446744073709551615"));
    }

    /// spec: What a plan may reach. Whatever the id, the name is legal, bounded, and unique by its end.
    #[test]
    fn any_id_gives_a_legal_name() {
        proptest::proptest!(|(id: String, pid: u32, serial: u64)| {
            let name = scope(&id, pid, serial);
            proptest::prop_assert!(name.len() <= NAME_MAX);
            proptest::prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)));
            proptest::prop_assert!(name.starts_with("murmur-"));
            let end = format!("-{pid}-{serial}");
            proptest::prop_assert!(name.ends_with(&end));
        });
    }
}
