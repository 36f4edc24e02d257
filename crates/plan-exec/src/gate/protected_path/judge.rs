//! Whether a write touches a protected subtree.

use std::{
    collections::{HashMap, HashSet},
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

use super::{
    arg::{self, Arg, Glob},
    finding::{Finding, Relation, Rule},
    resolve::{Links, existing_prefix, readings},
    subtree::Subtree,
};

/// What a write does to its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reach {
    /// Writes the file or directory it names.
    Path,
    /// Takes the name away, and leaves other names of the file alone.
    Name,
    /// Writes or takes away what lies below as well.
    Tree,
}

/// Judges the writes of one call.
#[derive(Debug)]
pub(super) struct Judge<'s> {
    subtrees: &'s [Subtree],
    /// The links the call makes before it uses them.
    links: Links,
    /// What has passed already, so that a long script does not look at one path again and again.
    passed: HashSet<(PathBuf, String, bool, Reach)>,
    /// The files of the subtrees that have further names, once they were needed.
    hard_links: Option<HashMap<(u64, u64), usize>>,
}

impl<'s> Judge<'s> {
    pub(super) fn new(subtrees: &'s [Subtree]) -> Self {
        Self {
            subtrees,
            links: Links::default(),
            passed: HashSet::new(),
            hard_links: None,
        }
    }

    /// Judges a write of `path` by a command that runs in one of `bases`.
    pub(super) fn write(
        &mut self,
        bases: &[PathBuf],
        path: &Arg,
        reach: Reach,
        signal: &str,
    ) -> Result<(), Finding> {
        let reach = if path.is_below() { Reach::Tree } else { reach };
        if path.as_str().is_empty() {
            return Ok(());
        }
        for base in bases {
            let key = (
                base.clone(),
                path.as_str().to_owned(),
                path.has_globs(),
                reach,
            );
            if self.passed.contains(&key) {
                continue;
            }
            let mut touched = self.touched(base, path, reach);
            if touched.is_none() && reach != Reach::Name {
                touched = self.hard_link(base, path);
            }
            if let Some((path, rule, relation)) = touched {
                return Err(Finding {
                    path,
                    rule,
                    relation,
                    signal: signal.to_owned(),
                });
            }
            self.passed.insert(key);
        }
        Ok(())
    }

    /// Judges what `source` becomes in the directory `target`, as `cp source target` and its like put it there.
    ///
    /// The contents of `source` are merged into the target when it is written as `x/.` or with globs: then it is
    /// looked up whether there is something that would land on a protected path.
    pub(super) fn put(
        &mut self,
        bases: &[PathBuf],
        source: &Arg,
        target: &Arg,
        signal: &str,
    ) -> Result<(), Finding> {
        if let (Some(name), false) = (source.basename(), source.has_globs()) {
            return match name.hole() {
                None => self.write(bases, &target.join(&name), Reach::Path, signal),
                Some(_) => Ok(()),
            };
        }
        self.merge(bases, source, target, signal)
    }

    /// Judges putting what `source` holds, or what its globs stand for, into the directory `target`.
    pub(super) fn merge(
        &mut self,
        bases: &[PathBuf],
        source: &Arg,
        target: &Arg,
        signal: &str,
    ) -> Result<(), Finding> {
        if source.hole().is_some() || target.hole().is_some() || target.has_globs() {
            return Ok(());
        }
        let (folder, pattern) = if source.has_globs() {
            let text = source.as_str().trim_end_matches('/');
            let start = text.rfind('/').map_or(0, |at| at + 1);
            (
                source.until(start),
                Some(source.until(text.len()).from(start).globs()),
            )
        } else {
            (source.clone(), None)
        };
        if folder.has_globs() {
            return Ok(());
        }
        for base in bases {
            for to in readings(base, target.as_str(), &self.links) {
                for from in readings(base, &format!("{}/.", folder.as_str()), &self.links) {
                    let landing = self.subtrees.iter().find(|subtree| {
                        subtree.resolved.strip_prefix(&to).is_ok_and(|rest| {
                            let first = rest.iter().next().and_then(|name| name.to_str());
                            let named = pattern.as_ref().is_none_or(|globs| {
                                first.is_some_and(|name| arg::matches(globs, name))
                            });
                            named && from != to && from.join(rest).symlink_metadata().is_ok()
                        })
                    });
                    if let Some(subtree) = landing {
                        return Err(Finding {
                            path: subtree.resolved.clone(),
                            rule: subtree.rule.clone(),
                            relation: Relation::Within,
                            signal: signal.to_owned(),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Notes that a symbolic link to `target` is made at `path`, so that what is done through it later is seen.
    pub(super) fn link(&mut self, bases: &[PathBuf], path: &Arg, target: &Arg) {
        let is_known = |arg: &Arg| arg.hole().is_none() && !arg.has_globs() && !arg.is_below();
        if !is_known(path) || !is_known(target) || self.links.len() >= LINKS_MADE_MAX {
            return;
        }
        for base in bases {
            for place in readings(base, path.as_str(), &self.links) {
                // A directory stays one: the link is made in it, under the name of what it leads to.
                if !place.is_dir() {
                    self.links.insert(place, PathBuf::from(target.as_str()));
                    // A path that has passed may lead elsewhere now.
                    self.passed.clear();
                }
            }
        }
    }

    /// Returns the directories that `path` may lead to, and whether it surely leads there.
    pub(super) fn enter(&self, base: &Path, path: &Arg) -> (Vec<PathBuf>, bool) {
        if path.hole().is_some() {
            return (Vec::new(), false);
        }
        if path.has_globs() {
            // Only a directory that is protected matters here, or one that holds such a directory.
            let entered = self.touched(base, path, Reach::Tree);
            return (entered.map(|(path, ..)| path).into_iter().collect(), false);
        }
        let mut led = readings(base, path.as_str(), &self.links);
        led.sort();
        led.dedup();
        let sure = led.iter().all(|directory| directory.is_dir());
        (led, sure)
    }

    /// Returns the path that is touched, the rule that protects it, and how they lie to one another.
    fn touched(&self, base: &Path, path: &Arg, reach: Reach) -> Option<Touched> {
        let Some(hole) = path.hole() else {
            if path.has_globs() {
                return self.pattern(base, path, reach);
            }
            let readings = readings(base, path.as_str(), &self.links);
            return readings.iter().find_map(|reading| self.at(reading, reach));
        };
        // What is not known may be anything in the directory that is.
        let known = path.as_str()[..hole].rfind('/')? + 1;
        let (folder, reach) = (path.until(known), Reach::Path);
        if folder.has_globs() {
            return self.pattern(base, &folder, reach);
        }
        let readings = readings(base, folder.as_str(), &self.links);
        let (folder, rule, relation) = readings
            .iter()
            .find_map(|reading| self.at(reading, reach))?;
        Some((folder.join("…"), rule, relation))
    }

    /// Looks whether one path, resolved, is touched.
    fn at(&self, path: &Path, reach: Reach) -> Option<Touched> {
        let touched =
            |subtree: &Subtree, relation| (path.to_owned(), subtree.rule.clone(), relation);
        if let Some(subtree) = self.subtrees.iter().find(|subtree| subtree.covers(path)) {
            return Some(touched(subtree, Relation::Within));
        }
        if reach != Reach::Tree {
            return None;
        }
        let held = self.subtrees.iter().find(|subtree| subtree.lies_in(path))?;
        Some(touched(held, Relation::Holds))
    }

    /// Looks whether a path with globs can stand for one that is touched.
    fn pattern(&self, base: &Path, path: &Arg, reach: Reach) -> Option<Touched> {
        let components = path.components();
        let plain = components
            .iter()
            .take_while(|component| !component.has_globs())
            .count();
        let mut prefix = Arg::plain(if path.as_str().starts_with('/') {
            "/"
        } else {
            "."
        });
        for component in &components[..plain] {
            prefix = prefix.join(component);
        }
        readings(base, prefix.as_str(), &self.links)
            .into_iter()
            .find_map(|mut folder| {
                let mut rest: Vec<&Arg> = Vec::new();
                for component in &components[plain..] {
                    match component.as_str() {
                        "." => {}
                        ".." if rest.pop().is_none() => {
                            folder.pop();
                        }
                        ".." => {}
                        _ => rest.push(component),
                    }
                }
                self.folder(&folder, &rest, reach)
            })
    }

    /// Looks whether `rest`, of which the first has globs, can stand for something touched in `folder`.
    fn folder(&self, folder: &Path, rest: &[&Arg], reach: Reach) -> Option<Touched> {
        let any_depth = rest.iter().position(|component| component.as_str() == "**");
        let rest: Vec<Vec<Glob>> = rest[..any_depth.unwrap_or(rest.len())]
            .iter()
            .map(|component| component.globs())
            .collect();
        let any_depth = any_depth.is_some();
        if let Some(touched) = self.fits(folder, &rest, any_depth, reach) {
            return Some(touched);
        }
        // A glob stands for a link as well, and that leads elsewhere.
        let (first, after) = rest.split_first()?;
        let links = fs::read_dir(folder)
            .ok()?
            .take(ENTRIES_MAX)
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let named = entry
                    .file_name()
                    .to_str()
                    .is_none_or(|name| arg::matches(first, name));
                (named && entry.file_type().is_ok_and(|kind| kind.is_symlink()))
                    .then(|| entry.path())
            });
        for link in links {
            let led = existing_prefix(&link);
            let touched = if after.is_empty() && !any_depth {
                self.at(&led, reach)
            } else {
                self.fits(&led, after, any_depth, reach)
            };
            if touched.is_some() {
                return touched;
            }
        }
        None
    }

    /// Compares the components of each subtree below `folder` with `rest`.
    fn fits(
        &self,
        folder: &Path,
        rest: &[Vec<Glob>],
        any_depth: bool,
        reach: Reach,
    ) -> Option<Touched> {
        if let Some(touched) = self.at(folder, Reach::Path) {
            return Some(touched);
        }
        for subtree in self.subtrees {
            for place in [&subtree.resolved, &subtree.spelled] {
                let Ok(below) = place.strip_prefix(folder) else {
                    continue;
                };
                let below: Vec<_> = below.iter().collect();
                let fits = rest.iter().zip(&below).all(|(globs, name)| {
                    name.to_str().is_none_or(|name| arg::matches(globs, name))
                });
                if fits && (any_depth || rest.len() >= below.len()) {
                    return Some((place.clone(), subtree.rule.clone(), Relation::Within));
                }
                if fits && reach == Reach::Tree {
                    let held = below
                        .iter()
                        .take(rest.len())
                        .fold(folder.to_owned(), |path, name| path.join(name));
                    return Some((held, subtree.rule.clone(), Relation::Holds));
                }
            }
        }
        None
    }

    /// Looks whether a file is also one of a subtree's, under another name.
    ///
    /// A subtree is searched for such files only when the file has further names at all, once a call, and not
    /// beyond [`ENTRIES_MAX`] entries.
    fn hard_link(&mut self, base: &Path, path: &Arg) -> Option<Touched> {
        if path.has_globs() || path.hole().is_some() {
            return None;
        }
        for reading in readings(base, path.as_str(), &self.links) {
            let Ok(metadata) = reading.symlink_metadata() else {
                continue;
            };
            if !metadata.is_file() || metadata.nlink() < 2 {
                continue;
            }
            let subtrees = self.subtrees;
            let linked = self.hard_links.get_or_insert_with(|| hard_links(subtrees));
            if let Some(index) = linked.get(&(metadata.dev(), metadata.ino())) {
                let rule = subtrees.get(*index)?.rule.clone();
                return Some((reading, rule, Relation::HardLink));
            }
        }
        None
    }
}

/// A path that is touched, the rule that protects it, and how they lie to one another.
type Touched = (PathBuf, Rule, Relation);

/// Finds the files of the subtrees that have further names, each with the number of its subtree.
fn hard_links(subtrees: &[Subtree]) -> HashMap<(u64, u64), usize> {
    subtrees
        .iter()
        .enumerate()
        .flat_map(|(index, subtree)| {
            WalkDir::new(&subtree.resolved)
                .into_iter()
                .map(move |entry| (index, entry))
        })
        .take(ENTRIES_MAX)
        .filter_map(|(index, entry)| {
            let metadata = entry.ok()?.metadata().ok()?;
            (metadata.is_file() && metadata.nlink() > 1)
                .then(|| ((metadata.dev(), metadata.ino()), index))
        })
        .collect()
}

/// The entries of directories looked through at most for links, of either kind. What is past them is left to the
/// kernel.
const ENTRIES_MAX: usize = 10_000;

/// The links made by a call itself that are followed.
const LINKS_MADE_MAX: usize = 64;
