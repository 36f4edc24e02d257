//! Ids: a prefix and a UUIDv7 as 32 lowercase hex digits. Times are given by the caller.

use std::{fmt, str::FromStr};

use uuid::{NoContext, Timestamp, Uuid};

/// The id of a session: `ses_` and a UUIDv7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(u128);

/// The id of a line: `evt_` and a UUIDv7.
///
/// Only [`Appender::append`](crate::Appender::append) makes a new one, so a parent is always a line that was
/// written; [`EventId::parse`] is for the node an embedding runtime wrote itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(u128);

/// Text that is not an id of the kind asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an id: write `{prefix}` and a UUIDv7 as 32 lowercase hex digits")]
pub struct NotAnId {
    prefix: &'static str,
    text: String,
}

impl SessionId {
    const PREFIX: &'static str = "ses_";

    /// Makes the id of a session that starts at `now_ms`, in unix milliseconds.
    pub fn new(now_ms: u64) -> Self {
        Self(fresh(now_ms))
    }

    /// Reads an id.
    pub fn parse(text: &str) -> Result<Self, NotAnId> {
        parse(Self::PREFIX, text).map(Self)
    }
}

impl EventId {
    pub(crate) const PREFIX: &'static str = "evt_";

    /// Reads the id of a line that someone else wrote.
    pub fn parse(text: &str) -> Result<Self, NotAnId> {
        parse(Self::PREFIX, text).map(Self)
    }

    pub(crate) fn write(self, line: &mut Vec<u8>) {
        line.extend_from_slice(Self::PREFIX.as_bytes());
        line.extend_from_slice(&hex(self.0));
    }
}

/// Makes an id with a prefix of its own, such as `tsk_` or `ctx_`, at `now_ms` in unix milliseconds.
pub fn id(prefix: &str, now_ms: u64) -> String {
    format!("{prefix}{:032x}", fresh(now_ms))
}

/// Makes the ids of one trace: each greater than the one before, whatever the clock does.
#[derive(Debug)]
pub(crate) struct Mint {
    last: u128,
}

impl Mint {
    /// Makes a mint whose ids are all greater than `nodes`.
    pub(crate) fn after(nodes: &[EventId]) -> Self {
        Self {
            last: nodes.iter().map(|node| node.0).max().unwrap_or(0),
        }
    }

    /// Returns the next id; `None` when there is no greater one.
    pub(crate) fn next(&mut self, now_ms: u64) -> Option<EventId> {
        let next = if clamp(now_ms) > self.last >> TIME_SHIFT {
            // Room above: a stopped clock may count on from here 2^73 times.
            fresh(now_ms) & !RANDOM_TOP
        } else {
            successor(self.last)?
        };
        self.last = next;
        Some(EventId(next))
    }
}

/// Where the 48 bits of milliseconds start in a UUIDv7 (RFC 9562, section 5.7).
const TIME_SHIFT: u32 = 80;
/// Where the 12 random bits below the version start.
const RANDOM_A_SHIFT: u32 = 64;
/// The 62 random bits below the variant.
const RANDOM_B: u128 = (1 << 62) - 1;
/// The highest random bit.
const RANDOM_TOP: u128 = 1 << 75;
/// The version, 7, and the variant, binary 10, at their places.
const MARKS: u128 = (0x7 << 76) | (0b10 << 62);
/// The bits that hold version and variant.
const MARK_BITS: u128 = (0xf << 76) | (0b11 << 62);
/// The last millisecond that 48 bits can tell.
const LAST_MS: u64 = (1 << 48) - 1;

fn clamp(now_ms: u64) -> u128 {
    u128::from(now_ms.min(LAST_MS))
}

fn fresh(now_ms: u64) -> u128 {
    let random = Uuid::new_v7(Timestamp::from_unix(NoContext, 0, 0)).as_u128();
    (clamp(now_ms) << TIME_SHIFT) | (random & ((1 << TIME_SHIFT) - 1))
}

/// Counts on in the random bits, over into the milliseconds if need be.
fn successor(id: u128) -> Option<u128> {
    if id == 0 {
        // Nothing was minted yet and the clock says 1970.
        return Some(fresh(0) & !RANDOM_TOP);
    }
    let low = id & RANDOM_B;
    let middle = (id >> RANDOM_A_SHIFT) & 0xfff;
    let time = id >> TIME_SHIFT;
    let (time, middle, low) = if low < RANDOM_B {
        (time, middle, low + 1)
    } else if middle < 0xfff {
        (time, middle + 1, 0)
    } else if time < u128::from(LAST_MS) {
        (time + 1, 0, 0)
    } else {
        return None;
    };
    Some((time << TIME_SHIFT) | (middle << RANDOM_A_SHIFT) | low | MARKS)
}

fn parse(prefix: &'static str, text: &str) -> Result<u128, NotAnId> {
    let read = || {
        let digits = text.strip_prefix(prefix)?;
        let lowercase = digits
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if digits.len() != 32 || !lowercase {
            return None;
        }
        let id = u128::from_str_radix(digits, 16).ok()?;
        (id & MARK_BITS == MARKS).then_some(id)
    };
    read().ok_or_else(|| NotAnId {
        prefix,
        text: text.chars().take(80).collect(),
    })
}

fn hex(id: u128) -> [u8; 32] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut digits = [0; 32];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(id.to_be_bytes()) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 0xf)];
    }
    digits
}

macro_rules! written {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{:032x}", Self::PREFIX, self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                Self::parse(text)
            }
        }
    };
}
written!(SessionId);
written!(EventId);
