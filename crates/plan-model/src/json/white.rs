//! JSON text without the white space between its tokens.

/// Returns `json`, which must be valid JSON, without the white space outside its strings.
///
/// Numbers, escapes and the order of keys stay as written.
pub fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    push_compact(json, &mut out);
    out
}

/// Appends `json`, whole tokens of valid JSON, without the white space outside its strings.
pub(crate) fn push_compact(json: &str, out: &mut String) {
    let bytes = json.as_bytes();
    let mut copied = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while let Some(byte) = bytes.get(at) {
                    match byte {
                        b'"' => break,
                        b'\\' => at += 2,
                        _ => at += 1,
                    }
                }
                at += 1;
            }
            b' ' | b'\n' | b'\t' | b'\r' => {
                out.push_str(&json[copied..at]);
                at += 1;
                copied = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(&json[copied..]);
}
