//! How a view is drawn, and the colours of its words.

use anstyle::{AnsiColor, Style};

use crate::{
    pair::{PlanRun, Standing},
    word::StepStatus,
};

/// How a view is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// How many columns a line may take; `None` leaves long texts whole.
    pub width: Option<usize>,
    /// Whether styles for a terminal are written.
    pub colour: bool,
}

impl Look {
    /// Appends `word` in a style.
    pub(super) fn push(self, out: &mut String, word: &str, style: Style) {
        if self.colour {
            out.push_str(&style.render().to_string());
        }
        out.push_str(word);
        if self.colour {
            out.push_str(&style.render_reset().to_string());
        }
    }
}

/// What a plan is called.
pub(super) fn plan_name(plan: &PlanRun) -> &str {
    match plan.id.as_str() {
        "" => "(without an id)",
        id => id,
    }
}

/// A step's standing in a word, and how the word looks.
pub(super) fn standing_word<'r>(standing: &'r Standing<'_>, is_going_on: bool) -> (&'r str, Style) {
    match standing {
        Standing::Settled(settled) => (settled.status.name(), status_style(&settled.status)),
        Standing::Unsettled if is_going_on => ("in flight", AnsiColor::Cyan.on_default()),
        Standing::Unsettled => ("unsettled", AnsiColor::Yellow.on_default().bold()),
        Standing::NotRun => ("not run", Style::new().dimmed()),
    }
}

/// How a heading looks.
pub(super) const HEADING: Style = Style::new().bold();
/// How an outcome looks that is as it should be.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// How an outcome looks that needs a look.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// How an outcome looks that somebody asked for.
pub(super) const STOPPED: Style = AnsiColor::Yellow.on_default();
/// How what stands beside looks.
pub(super) const ASIDE: Style = Style::new().dimmed();

/// How an outcome's word looks, whoever's outcome it is.
pub(super) fn outcome_style(word: &str) -> Style {
    match word {
        "completed" | "ok" => GOOD,
        "canceled" | "terminated" => STOPPED,
        _ => BAD,
    }
}

fn status_style(status: &StepStatus<'_>) -> Style {
    match status {
        StepStatus::Success => GOOD,
        StepStatus::Failed => BAD,
        StepStatus::Skipped => STOPPED,
        StepStatus::Other(_) => Style::new(),
    }
}
