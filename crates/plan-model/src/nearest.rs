//! Finds the name that a misspelt one was probably meant to be, with a bound on the work.

/// Names longer than this, in characters, are not compared.
const LONGEST: usize = 48;

/// Returns the candidate that `name` differs least from, the earliest of several; `None` when none is near.
///
/// Near is: the same but for case and separators, or at most a third of its characters wrong and at most three of them.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let name: Vec<char> = name.chars().take(LONGEST + 1).collect();
    within(&name, (name.len() / 3).min(3), candidates)
}

/// Returns the candidate that `name` differs least from, however much that is; the earliest of several.
pub(crate) fn closest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let name: Vec<char> = name.chars().take(LONGEST + 1).collect();
    within(&name, LONGEST, candidates)
}

/// Returns the candidate that differs least from `name`, in at most `limit` places.
fn within<'c>(
    name: &[char],
    mut limit: usize,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let mut best = None;
    let mut rows = Rows::default();
    let mut other = Vec::new();
    for candidate in candidates {
        // Bytes bound characters from above; the cheap test spares most candidates the rest.
        if candidate.len() + limit < name.len() || candidate.len() > 4 * LONGEST {
            continue;
        }
        other.clear();
        other.extend(candidate.chars());
        if other.is_empty() || other.len().abs_diff(name.len()) > limit {
            continue;
        }
        if let Some(distance) = rows.distance(name, &other, limit) {
            best = Some(candidate);
            if distance == 0 {
                break;
            }
            // Only a nearer one is of interest from here on.
            limit = distance - 1;
        }
    }
    best
}

/// Three rows of the table of edit distances.
#[derive(Default)]
struct Rows {
    before: Vec<usize>,
    last: Vec<usize>,
    this: Vec<usize>,
}

impl Rows {
    /// Returns in how many places two names differ, when in at most `limit`: a character missing, added, another,
    /// or two neighbours swapped. Case and the choice of separator cost nothing.
    fn distance(&mut self, name: &[char], other: &[char], limit: usize) -> Option<usize> {
        let far = limit + 1;
        self.last.clear();
        self.last.extend(0..=other.len());
        self.before.clear();
        self.before.resize(other.len() + 1, far);
        for (row, char) in name.iter().enumerate() {
            self.this.clear();
            self.this.resize(other.len() + 1, far);
            let from = row.saturating_sub(limit);
            let to = (row + limit + 1).min(other.len());
            if row < limit {
                self.this[0] = row + 1;
            }
            let mut least = self.this[0];
            for column in from..to {
                let same = fold(*char) == fold(other[column]);
                let mut cost = self.last[column] + usize::from(!same);
                cost = cost
                    .min(self.last[column + 1] + 1)
                    .min(self.this[column] + 1);
                let swapped = row > 0
                    && column > 0
                    && fold(*char) == fold(other[column - 1])
                    && fold(name[row - 1]) == fold(other[column]);
                if swapped {
                    cost = cost.min(self.before[column - 1] + 1);
                }
                self.this[column + 1] = cost.min(far);
                least = least.min(cost);
            }
            if least > limit {
                return None;
            }
            std::mem::swap(&mut self.before, &mut self.last);
            std::mem::swap(&mut self.last, &mut self.this);
        }
        let distance = self.last[other.len()];
        (distance <= limit).then_some(distance)
    }
}

const fn fold(char: char) -> char {
    match char {
        '_' | ' ' | '.' => '-',
        other => other.to_ascii_lowercase(),
    }
}
