//! Turns byte offsets into JSON Pointers, lines and columns; each in one pass, and only when there is a fault.

use super::{Cursor, RawString, decoded};

/// How many bytes of pointers are built for one text. Only a text made to be awkward (a key of megabytes around
/// a million faults) comes near it.
const POINTERS: usize = 256 << 20;

/// A byte-order mark, which a plan may start with (ruling 1).
pub(crate) const BOM: char = '\u{feff}';

/// One container on the way to a value.
enum Open {
    Object(RawString),
    List(usize),
}

/// Returns the JSON Pointers of the values or keys that start at `targets`, which ascend.
///
/// Walking starts at `from`. The answer is shorter than `targets` when the pointers would take too much room.
pub(crate) fn pointers(text: &str, from: usize, targets: &[u32]) -> Vec<String> {
    let mut walk = Places {
        text,
        cursor: Cursor::new(text, from),
        targets,
        open: Vec::new(),
        out: Vec::with_capacity(targets.len()),
        spent: 0,
    };
    walk.run();
    walk.out
}

struct Places<'t> {
    text: &'t str,
    cursor: Cursor<'t>,
    targets: &'t [u32],
    open: Vec<Open>,
    out: Vec<String>,
    spent: usize,
}

impl Places<'_> {
    fn run(&mut self) {
        while self.out.len() < self.targets.len() && self.spent <= POINTERS {
            let opening = self.cursor.peek();
            self.arrive();
            match opening {
                b'{' | b'[' => {
                    if !self.cursor.opens_empty() {
                        if opening == b'{' {
                            self.key();
                        } else {
                            self.open.push(Open::List(0));
                        }
                        continue;
                    }
                }
                b'"' => {
                    self.cursor.string();
                }
                _ => {
                    self.cursor.scalar();
                }
            }
            if !self.leave() {
                return;
            }
        }
    }

    /// Closes what ends here and moves to the next value; false at the end of the text.
    fn leave(&mut self) -> bool {
        loop {
            if self.open.is_empty() {
                return false;
            }
            let closes = self.cursor.closes();
            let open = self.open.pop();
            if closes {
                continue;
            }
            if let Some(Open::List(n)) = open {
                self.open.push(Open::List(n + 1));
            } else {
                self.key();
            }
            return true;
        }
    }

    fn key(&mut self) {
        self.cursor.peek();
        let start = self.cursor.at();
        let key = self.cursor.key();
        self.open.push(Open::Object(key));
        self.arrive_at(start);
    }

    fn arrive(&mut self) {
        self.arrive_at(self.cursor.at());
    }

    fn arrive_at(&mut self, at: u32) {
        while self.targets.get(self.out.len()) == Some(&at) {
            let mut pointer = String::new();
            for open in &self.open {
                match open {
                    Open::Object(key) => push_segment(&decoded(*key, self.text), &mut pointer),
                    Open::List(n) => push_segment(&n.to_string(), &mut pointer),
                }
            }
            self.spent += pointer.len();
            self.out.push(pointer);
        }
    }
}

/// Appends one reference token of a JSON Pointer (RFC 6901).
pub(super) fn push_segment(token: &str, pointer: &mut String) {
    pointer.push('/');
    for char in token.chars() {
        match char {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Returns the line and the column in characters, both from 1, of each of `offsets`, which ascend.
///
/// A byte-order mark takes no column.
pub(crate) fn positions(text: &str, offsets: &[u32]) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = if text.starts_with(BOM) {
        BOM.len_utf8()
    } else {
        0
    };
    let (mut line, mut column) = (1, 1);
    offsets
        .iter()
        .map(|offset| {
            let end = (*offset as usize).min(bytes.len());
            for byte in bytes.get(at..end).unwrap_or_default() {
                match byte {
                    b'\n' => (line, column) = (line + 1, 1),
                    // The bytes that go on with a character.
                    0x80..=0xBF => {}
                    _ => column += 1,
                }
            }
            at = at.max(end);
            (line, column)
        })
        .collect()
}
