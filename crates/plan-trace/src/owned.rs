//! Turning what borrows from a line into what stands alone.

/// A value that may borrow, and the same value that does not.
pub(crate) trait IntoOwned {
    /// The value without a borrow.
    type Owned;
    /// Copies whatever is borrowed.
    fn into_owned(self) -> Self::Owned;
}

impl<T: IntoOwned> IntoOwned for Option<T> {
    type Owned = Option<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.map(T::into_owned)
    }
}

impl<T: IntoOwned> IntoOwned for Vec<T> {
    type Owned = Vec<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.into_iter().map(T::into_owned).collect()
    }
}

impl IntoOwned for u64 {
    type Owned = Self;
    fn into_owned(self) -> Self {
        self
    }
}

impl IntoOwned for bool {
    type Owned = Self;
    fn into_owned(self) -> Self {
        self
    }
}

/// Gives a record type its `into_owned`, field by field: a field left out does not compile.
macro_rules! into_owned {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $name<'_> {
            /// Returns the same record, borrowing nothing.
            pub fn into_owned(self) -> $name<'static> {
                $name { $($field: $crate::owned::IntoOwned::into_owned(self.$field)),+ }
            }
        }

        impl $crate::owned::IntoOwned for $name<'_> {
            type Owned = $name<'static>;
            fn into_owned(self) -> Self::Owned {
                $name::into_owned(self)
            }
        }
    };
}
pub(crate) use into_owned;
