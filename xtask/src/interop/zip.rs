//! Writes zip files whose entries are stored as they are, which is all that an artifact needs.
//!
//! The format is in PKWARE's application note; the numbers of its sections stand beside what they describe.

/// Returns a zip file with these entries, each a name and its bytes.
///
/// # Errors
/// What does not fit the format's fields of 16 and 32 bits.
pub(super) fn zip(entries: &[(&str, &[u8])]) -> Result<Vec<u8>, String> {
    let too_big = |_| "too big for a zip file".to_owned();
    let mut file = Vec::new();
    let mut directory = Vec::new();
    for (name, bytes) in entries {
        let at = u32::try_from(file.len()).map_err(too_big)?;
        let size = u32::try_from(bytes.len()).map_err(too_big)?;
        let length = u16::try_from(name.len()).map_err(too_big)?;
        // 4.3.7 from "version needed" to "extra field length": the part that both headers share.
        let mut shared = Vec::new();
        for half in [NEEDED, 0, STORED, 0, FIRST_OF_1980] {
            shared.extend(half.to_le_bytes());
        }
        for word in [crc32(bytes), size, size] {
            shared.extend(word.to_le_bytes());
        }
        for half in [length, 0] {
            shared.extend(half.to_le_bytes());
        }
        file.extend(LOCAL);
        file.extend(&shared);
        file.extend(name.as_bytes());
        file.extend(*bytes);
        // 4.3.12: the same with who made it before, and comment, disk, attributes and place after.
        directory.extend(CENTRAL);
        directory.extend((UNIX | NEEDED).to_le_bytes());
        directory.extend(&shared);
        directory.extend([0; 6]);
        directory.extend((REGULAR_FILE << 16).to_le_bytes());
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let count = u16::try_from(entries.len()).map_err(too_big)?;
    let at = u32::try_from(file.len()).map_err(too_big)?;
    let size = u32::try_from(directory.len()).map_err(too_big)?;
    file.extend(directory);
    // 4.3.16
    file.extend(END);
    for half in [0, 0, count, count] {
        file.extend(half.to_le_bytes());
    }
    for word in [size, at] {
        file.extend(word.to_le_bytes());
    }
    file.extend([0; 2]);
    Ok(file)
}

/// 4.4.7: the checksum, bit by bit. A few megabytes take a few dozen milliseconds.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let carry = 0_u32.wrapping_sub(crc & 1);
            crc = (crc >> 1) ^ (0xedb8_8320 & carry);
        }
    }
    !crc
}

const LOCAL: [u8; 4] = *b"PK\x03\x04";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";
/// 4.4.3: version 2.0 of the format.
const NEEDED: u16 = 20;
/// 4.4.2: made on a Unix, so that attributes are those of a Unix.
const UNIX: u16 = 3 << 8;
/// 4.4.5: not compressed.
const STORED: u16 = 0;
/// 4.4.6: the first day it can say, so that the same content gives the same file.
const FIRST_OF_1980: u16 = (1 << 5) | 1;
/// A regular file for everybody to read.
const REGULAR_FILE: u32 = 0o100_644;

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: an artifact is what the description of the format says.
    #[test]
    fn entries_are_stored_and_listed() {
        // The check value that goes with this polynomial.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let file = zip(&[("a.txt", b"123456789"), ("b", b"")]).unwrap();
        let of = |signature: [u8; 4]| {
            let parts = file.windows(4).enumerate();
            let found: Vec<usize> = parts
                .filter(|(_, part)| *part == signature)
                .map(|(at, _)| at)
                .collect();
            found
        };
        assert_eq!(of(LOCAL), [0, 44]);
        assert_eq!(of(CENTRAL), [75, 126]);
        assert_eq!(of(END), [173]);
        assert_eq!(file.len(), 195);
        assert_eq!(&file[30..44], b"a.txt123456789");
        // The second entry's place, in the directory and the directory's own in the end.
        assert_eq!(file[126 + 42..126 + 46], 44_u32.to_le_bytes());
        assert_eq!(file[173 + 12..173 + 20], [98, 0, 0, 0, 75, 0, 0, 0]);
    }
}
