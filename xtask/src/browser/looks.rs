//! How a page is looked at: in light or dark, in a wide or a narrow window.

/// One way to look at a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looks {
    Light,
    Dark,
    /// As wide as a phone.
    Narrow,
}

impl Looks {
    pub(super) const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::Narrow];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Narrow => "narrow",
        }
    }

    pub(super) const fn is_dark(self) -> bool {
        match self {
            Self::Dark => true,
            Self::Light | Self::Narrow => false,
        }
    }

    /// In CSS pixels.
    pub(super) const fn width(self) -> u32 {
        match self {
            Self::Light | Self::Dark => 1280,
            Self::Narrow => 360,
        }
    }
}
