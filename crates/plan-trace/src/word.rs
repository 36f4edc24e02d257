//! The words a trace chooses from. What is written is one of ours; what is read may be a word of a later version.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{owned::IntoOwned, text::Text};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $word:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name<'a> {
            $($(#[$word_doc])* $word,)+
            /// A word this version does not know, as read.
            Other(Text<'a>),
        }

        impl $name<'_> {
            /// Returns the word as the trace spells it.
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$word => $text,)+
                    Self::Other(text) => text,
                }
            }

            /// Returns the same word, borrowing nothing.
            pub fn into_owned(self) -> $name<'static> {
                match self {
                    $(Self::$word => $name::$word,)+
                    Self::Other(text) => $name::Other(text.into_owned()),
                }
            }
        }

        impl<'a> From<Text<'a>> for $name<'a> {
            fn from(text: Text<'a>) -> Self {
                match text.as_str() {
                    $($text => Self::$word,)+
                    _ => Self::Other(text),
                }
            }
        }

        impl<'a> From<&'a str> for $name<'a> {
            fn from(text: &'a str) -> Self {
                Self::from(Text::from(text))
            }
        }

        impl IntoOwned for $name<'_> {
            type Owned = $name<'static>;
            fn into_owned(self) -> Self::Owned {
                $name::into_owned(self)
            }
        }

        impl Serialize for $name<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de: 'a, 'a> Deserialize<'de> for $name<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Text::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

words! {
    /// What a step does.
    StepKind {
        /// It calls a tool.
        Tool = "tool",
        /// It runs a command.
        Shell = "shell",
        /// It delegates to a sub-capsule.
        Capsule = "capsule",
        /// It declares none of the three, or several.
        Unknown = "unknown",
    }
}

words! {
    /// How a step settled, after `on_error`.
    StepStatus {
        /// It ran and passed.
        Success = "success",
        /// It failed.
        Failed = "failed",
        /// It never ran, or failed under `on_error: skip`.
        Skipped = "skipped",
    }
}

words! {
    /// How a plan ended.
    PlanOutcome {
        /// Every step settled without stopping it.
        Completed = "completed",
        /// A step, a refusal or a missing scope stopped it.
        Failed = "failed",
        /// The task running it was cancelled.
        Canceled = "canceled",
    }
}

words! {
    /// How a delegation ended.
    DelegationOutcome {
        /// The child answered.
        Completed = "completed",
        /// The child did not answer in time.
        TimedOut = "timed_out",
        /// The child failed, or could not be launched.
        Failed = "failed",
        /// The daemon refused the launch.
        Refused = "refused",
        /// The cancelled task ended the child.
        Terminated = "terminated",
    }
}

words! {
    /// The event a deny hook is bound to.
    HookEvent {
        /// A command is about to run.
        OnShell = "on-shell",
        /// A tool is about to be called.
        OnToolCall = "on-tool-call",
    }
}

words! {
    /// What kind of call wrote a protected path.
    CallKind {
        /// A command.
        Shell = "shell",
        /// A tool.
        Tool = "tool",
    }
}

words! {
    /// How a task or a session ended.
    ExitStatus {
        /// It ended well.
        Ok = "ok",
        /// It failed.
        Failed = "failed",
        /// It was cancelled.
        Canceled = "canceled",
    }
}

impl From<plan_model::Kind> for StepKind<'_> {
    fn from(kind: plan_model::Kind) -> Self {
        match kind {
            plan_model::Kind::Tool => Self::Tool,
            plan_model::Kind::Shell => Self::Shell,
            plan_model::Kind::Capsule => Self::Capsule,
        }
    }
}

impl From<Option<plan_model::Kind>> for StepKind<'_> {
    /// Turns `None`, a step that declares none or several, into `unknown`.
    fn from(kind: Option<plan_model::Kind>) -> Self {
        kind.map_or(Self::Unknown, Self::from)
    }
}

impl From<plan_model::Status> for StepStatus<'_> {
    fn from(status: plan_model::Status) -> Self {
        match status {
            plan_model::Status::Success => Self::Success,
            plan_model::Status::Failed => Self::Failed,
            plan_model::Status::Skipped => Self::Skipped,
        }
    }
}
