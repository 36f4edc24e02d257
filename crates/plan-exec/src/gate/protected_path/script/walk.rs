//! Follows a command, and the scripts in it, to everything it writes.

use std::path::{Path, PathBuf};

use super::{
    bases::Whereabouts,
    choice::Choice,
    frame::Command,
    listener::{Form, Listener, Scope},
    reader::read,
    token::{Separator, is_descriptor},
    variables::Variables,
    word::{Change, Piece, Word},
};
use crate::gate::protected_path::{
    arg::Arg,
    finding::Finding,
    judge::{Judge, Reach},
    program::{self, Act, Destination},
};

/// Follows one call.
#[derive(Debug)]
pub(in super::super) struct Walk<'g> {
    judge: Judge<'g>,
    workdir: &'g Path,
    home: String,
    whereabouts: Whereabouts,
    variables: Variables,
    /// `$0`, `$1` and so on of the script that is read.
    parameters: Vec<Arg>,
    /// How many scripts and commands stand within one another here.
    depth: usize,
    /// How much text of scripts within the call may still be read.
    text_left: usize,
    /// How many bytes of values may still be put into words.
    values_left: usize,
    /// How many moves are still followed.
    moves_left: usize,
}

impl<'g> Walk<'g> {
    /// Starts in `workdir`, with `home` as the home directory.
    pub(in super::super) fn new(judge: Judge<'g>, workdir: &'g Path, home: &Path) -> Self {
        Self {
            judge,
            workdir,
            home: home.display().to_string(),
            whereabouts: Whereabouts::new(workdir.to_owned()),
            variables: Variables::default(),
            parameters: Vec::new(),
            depth: 0,
            text_left: TEXT_MAX,
            values_left: VALUES_MAX,
            moves_left: MOVES_MAX,
        }
    }

    /// Follows a command given by its words, and returns whether it is a shell that reads a script from standard
    /// input.
    pub(in super::super) fn run(&mut self, words: &[Arg]) -> Result<bool, Finding> {
        let reading = program::read(words);
        let bases = self.whereabouts.bases();
        let bases = self.moved(&bases, &reading.moves);
        self.acts(&bases, reading.acts)
    }

    fn acts(&mut self, bases: &[PathBuf], acts: Vec<Act>) -> Result<bool, Finding> {
        let mut reads_script = false;
        for act in acts {
            match act {
                Act::Write {
                    path,
                    reach,
                    signal,
                } => self.judge.write(bases, &path, reach, &signal)?,
                Act::WriteWorkdir { signal } => self.write_workdir(&signal)?,
                Act::WritePathOrWorkdir { path, signal } => {
                    self.judge.write(bases, &path, Reach::Tree, &signal)?;
                    if !bases
                        .iter()
                        .any(|base| base.join(path.as_str()).symlink_metadata().is_ok())
                    {
                        self.write_workdir(&signal)?;
                    }
                }
                Act::Put {
                    source,
                    target,
                    signal,
                } => self.judge.put(bases, &source, &target, &signal)?,
                Act::Merge {
                    source,
                    target,
                    signal,
                } => self.judge.merge(bases, &source, &target, &signal)?,
                Act::Link { path, target } => self.judge.link(bases, &path, &target),
                Act::Set { name, value } => self.variables.set(&name, vec![value], false),
                Act::ScriptFromInput => reads_script = true,
                Act::Script { text, parameters } => self.within(|walk| {
                    let outer = std::mem::replace(&mut walk.parameters, parameters);
                    walk.open(walk.whereabouts.script_scope());
                    walk.whereabouts.enter(bases.to_vec(), true);
                    let read = walk.script(text.as_str(), Form::Script);
                    walk.close();
                    walk.parameters = outer;
                    read
                })?,
                Act::Eval { text } => {
                    self.within(|walk| walk.script(text.as_str(), Form::Script))?
                }
                Act::Command { words, moves } => {
                    let bases = self.moved(bases, &moves);
                    let reading = program::read(&words);
                    let bases = self.moved(&bases, &reading.moves);
                    reads_script |= self.within(|walk| walk.acts(&bases, reading.acts))?;
                }
                Act::Moved { moves, acts } => {
                    let bases = self.moved(bases, &moves);
                    self.acts(&bases, acts)?;
                }
                Act::Cd(Destination::To(directory)) => self.cd(bases, &directory),
                Act::Cd(Destination::Home) => {
                    let home = Arg::plain(self.home.clone());
                    self.cd(bases, &home);
                }
                Act::Cd(Destination::Back) => self.whereabouts.go_back(),
            }
        }
        Ok(reads_script)
    }

    /// Does something one level further in, or nothing when that is too deep.
    fn within<T: Default>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, Finding>,
    ) -> Result<T, Finding> {
        if self.depth >= DEPTH_MAX {
            return Ok(T::default());
        }
        self.depth += 1;
        let done = inner(self);
        self.depth -= 1;
        done
    }

    fn script(&mut self, text: &str, form: Form) -> Result<(), Finding> {
        let Some(left) = self.text_left.checked_sub(text.len()) else {
            return Ok(());
        };
        self.text_left = left;
        read(text, form, self)
    }

    fn write_workdir(&mut self, signal: &str) -> Result<(), Finding> {
        let here = Arg::plain(".");
        self.judge
            .write(&[self.workdir.to_owned()], &here, Reach::Tree, signal)
    }

    /// Moves to `directory`. Where that is not known, it may be any directory there was, the workdir included: a
    /// path is then still judged against those.
    fn cd(&mut self, bases: &[PathBuf], directory: &Arg) {
        let (entered, sure) = match self.moves_left.checked_sub(1) {
            Some(left) => {
                self.moves_left = left;
                self.entered(bases, directory)
            }
            None => (Vec::new(), false),
        };
        if entered.is_empty() {
            self.whereabouts.go_back();
        } else {
            self.whereabouts.enter(entered, sure);
        }
    }

    /// Returns where a command is after moving to each of `directories` in turn.
    fn moved(&self, bases: &[PathBuf], directories: &[Arg]) -> Vec<PathBuf> {
        let mut bases = bases.to_vec();
        for directory in directories {
            let (entered, _) = self.entered(&bases, directory);
            if !entered.is_empty() {
                bases = entered;
            }
        }
        bases
    }

    fn entered(&self, bases: &[PathBuf], directory: &Arg) -> (Vec<PathBuf>, bool) {
        let mut entered: Vec<PathBuf> = Vec::new();
        let mut all_sure = true;
        for base in bases {
            let (directories, sure) = self.judge.enter(base, directory);
            all_sure &= sure;
            for directory in directories {
                if !entered.contains(&directory) {
                    entered.push(directory);
                }
            }
        }
        (entered, all_sure)
    }

    /// Returns what a variable may hold.
    fn values(&self, name: &str, change: &Change) -> Vec<Option<Arg>> {
        match name {
            // Where it is, so that what follows is relative.
            "PWD" => vec![Some(Arg::plain("."))],
            "HOME" => vec![Some(Arg::plain(self.home.clone()))],
            "OLDPWD" => {
                let seen = self.whereabouts.seen();
                seen.iter()
                    .map(|base| base.to_str().map(Arg::plain))
                    .collect()
            }
            "@" | "*" if self.parameters.len() > 1 => {
                self.parameters[1..].iter().cloned().map(Some).collect()
            }
            _ => match name
                .parse::<usize>()
                .ok()
                .and_then(|index| self.parameters.get(index))
            {
                Some(parameter) => vec![Some(parameter.clone())],
                None => self.variables.get(name, change),
            },
        }
    }

    /// Calls `each` with every choice of values for the variables in `words`.
    fn choices(
        &mut self,
        words: &[&Word],
        mut each: impl FnMut(&mut Self, &Choice<'_>) -> Result<(), Finding>,
    ) -> Result<(), Finding> {
        let mut names: Vec<(&str, &Change)> = Vec::new();
        for piece in words.iter().flat_map(|word| &word.pieces) {
            if let Piece::Variable { name, change, .. } = piece
                && names.len() < NAMES_MAX
                && !names.contains(&(name.as_str(), change))
            {
                names.push((name, change));
            }
        }
        let mut values: Vec<Vec<Option<Arg>>> = names
            .iter()
            .map(|(name, change)| self.values(name, change))
            .collect();
        let all: usize = values
            .iter()
            .fold(1, |product, values| product.saturating_mul(values.len()));
        let most = values.iter().map(Vec::len).max().unwrap_or(1);
        // Too many to try each: then each value of each variable at least once.
        let count = if all <= CHOICES_MAX { all } else { most };
        let size: usize = values
            .iter()
            .flatten()
            .flatten()
            .map(|value| value.as_str().len())
            .sum();
        let count = match self.values_left.checked_sub(size.saturating_mul(count)) {
            Some(left) => {
                self.values_left = left;
                count
            }
            None => {
                values.fill(vec![None]);
                1
            }
        };
        for number in 0..count {
            let mut rest = number;
            let picked = values
                .iter()
                .map(|values| {
                    let index = rest % values.len();
                    if all <= CHOICES_MAX {
                        rest /= values.len();
                    }
                    index
                })
                .collect();
            let choice = Choice {
                names: &names,
                values: &values,
                picked,
            };
            each(self, &choice)?;
        }
        Ok(())
    }
}

impl Listener for Walk<'_> {
    type Stop = Finding;

    fn command(&mut self, command: &Command) -> Result<bool, Finding> {
        let opened_in = self.whereabouts.redirection_bases();
        let home = self.home.clone();
        for (operator, word) in &command.opened {
            self.choices(&[word], |walk, choice| {
                let signal = format!("redirection `{operator}`");
                for path in choice.expand(word, &home) {
                    if !(operator.ends_with(">&") && is_descriptor(path.as_str())) {
                        walk.judge.write(&opened_in, &path, Reach::Path, &signal)?;
                    }
                }
                Ok(())
            })?;
        }
        let assignments = command
            .words
            .iter()
            .take_while(|word| word.assignment().is_some())
            .count();
        let (assignments, words) = command.words.split_at(assignments);
        let mut commands = Vec::new();
        let all: Vec<&Word> = words.iter().collect();
        self.choices(&all, |_, choice| {
            commands.push(
                words
                    .iter()
                    .flat_map(|word| choice.expand(word, &home))
                    .collect::<Vec<Arg>>(),
            );
            Ok(())
        })?;
        // What is set in front of a command holds for the command, not for its words.
        for word in assignments {
            if let Some((name, value)) = word.assignment() {
                self.assign(name, &value, words.is_empty())?;
            }
        }
        let mut reads_script = false;
        for args in commands {
            reads_script |= self.run(&args)?;
        }
        self.declare(words)?;
        if reads_script {
            for text in &command.texts {
                if let Some(text) = text.literal() {
                    self.within(|walk| walk.script(&text, Form::Script))?;
                }
            }
        }
        Ok(reads_script)
    }

    fn separator(&mut self, separator: Separator) {
        self.whereabouts.separator(separator);
    }

    fn open(&mut self, scope: Scope) {
        self.whereabouts.open(scope);
    }

    fn branch(&mut self) {
        self.whereabouts.branch();
    }

    fn close(&mut self) {
        self.whereabouts.close();
    }

    fn variable(&mut self, name: &str, words: &[Word]) -> Result<(), Finding> {
        self.variables.forget(name);
        for word in words {
            self.assign(name, word, false)?;
        }
        Ok(())
    }

    fn nested(&mut self, text: &str, form: Form) -> Result<(), Finding> {
        self.within(|walk| {
            walk.open(Scope::Subshell);
            let read = walk.script(text, form);
            walk.close();
            read
        })
    }
}

impl Walk<'_> {
    /// Notes what a variable is set to.
    fn assign(&mut self, name: &str, value: &Word, stays: bool) -> Result<(), Finding> {
        let home = self.home.clone();
        let mut values = Vec::new();
        self.choices(&[value], |_, choice| {
            let expanded = choice.expand(value, &home);
            values.extend(if expanded.is_empty() {
                vec![Arg::default()]
            } else {
                expanded
            });
            Ok(())
        })?;
        let replaces = stays && self.whereabouts.surely_runs();
        self.variables.set(name, values, replaces);
        Ok(())
    }

    /// Notes what `export NAME=value` and its like set.
    fn declare(&mut self, words: &[Word]) -> Result<(), Finding> {
        let Some((first, rest)) = words.split_first() else {
            return Ok(());
        };
        if !matches!(
            first.bare(),
            Some("export" | "local" | "readonly" | "declare" | "typeset")
        ) {
            return Ok(());
        }
        for word in rest {
            if let Some((name, value)) = word.assignment() {
                self.assign(name, &value, true)?;
            }
        }
        Ok(())
    }
}

/// The scripts and commands read within one another.
const DEPTH_MAX: usize = 16;

/// The text of scripts read for one call, in bytes, scripts within scripts counted again.
const TEXT_MAX: usize = 32 << 20;

/// The bytes of values put into words for one call. Past that variables are not known.
const VALUES_MAX: usize = 16 << 20;

/// The moves followed for one call. Past that a script may be in any directory it was in.
const MOVES_MAX: usize = 256;

/// The variables of a command whose values are tried. Further ones are not known.
const NAMES_MAX: usize = 16;

/// The combinations of values that are tried for one command.
const CHOICES_MAX: usize = 64;
