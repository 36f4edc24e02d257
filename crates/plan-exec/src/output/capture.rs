//! A command's standard output: the first MiB in memory, the whole in a file once there is more (ruling 26).

use super::{
    Sink,
    text::{CUT_MARK, floor_boundary, into_text},
    whole::{OutputPlace, WholeFile},
};

/// Takes a stream of any length in bounded memory.
///
/// The file is written where the bytes are read, on the runtime's thread: it is a local disk's cache that takes
/// them, and a command that writes faster than that is slowed down, not buffered.
#[derive(Debug)]
pub(crate) struct Capture<'s> {
    place: OutputPlace<'s>,
    kept: Vec<u8>,
    total: u64,
    whole: Whole,
}

/// What has become of the file.
#[derive(Debug)]
enum Whole {
    /// Nothing was cut so far.
    NotNeeded,
    /// It holds everything so far.
    Kept(WholeFile),
    /// It is full.
    Full,
    /// It could not be kept, and why.
    Lost(String),
}

impl<'s> Capture<'s> {
    /// Makes one whose file, should it need one, goes to `place`.
    pub(crate) const fn new(place: OutputPlace<'s>) -> Self {
        Self {
            place,
            kept: Vec::new(),
            total: 0,
            whole: Whole::NotNeeded,
        }
    }

    /// Returns the text, with the note of ruling 26 when it was cut.
    pub(crate) fn finish(mut self) -> String {
        let whereabouts = match &self.whole {
            Whole::NotNeeded => return into_text(self.kept),
            Whole::Kept(_) => format!(
                "the whole output is {} in the runtime directory",
                self.place.path()
            ),
            Whole::Full => format!(
                "its first {} bytes are {} in the runtime directory, which holds no more",
                self.place.bound,
                self.place.path()
            ),
            Whole::Lost(why) => format!("the whole output could not be kept: {why}"),
        };
        self.kept.truncate(floor_boundary(&self.kept));
        let kept = self.kept.len();
        let mut text = into_text(self.kept);
        text.push_str(&format!(
            "{CUT_MARK}\n[cut at {kept} of {} bytes; {whereabouts}]",
            self.total
        ));
        text
    }

    fn keep_whole(&mut self, rest: &[u8]) {
        if let Whole::NotNeeded = self.whole {
            self.whole = match WholeFile::create(&self.place) {
                Ok(file) => write(file, &self.kept),
                Err(error) => Whole::Lost(error.to_string()),
            };
        }
        self.whole = match std::mem::replace(&mut self.whole, Whole::Full) {
            Whole::Kept(file) => write(file, rest),
            settled @ (Whole::NotNeeded | Whole::Full | Whole::Lost(_)) => settled,
        };
    }
}

impl Sink for Capture<'_> {
    fn take(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = OUTPUT_BYTES - self.kept.len();
        let (fits, rest) = bytes.split_at(room.min(bytes.len()));
        self.kept.extend_from_slice(fits);
        if !rest.is_empty() {
            self.keep_whole(rest);
        }
    }
}

fn write(mut file: WholeFile, bytes: &[u8]) -> Whole {
    match file.write(bytes) {
        Ok(true) => Whole::Kept(file),
        Ok(false) => Whole::Full,
        Err(error) => {
            file.remove();
            Whole::Lost(error.to_string())
        }
    }
}

/// The most of an output a report holds, in bytes (ruling 26).
const OUTPUT_BYTES: usize = 1024 * 1024;
