//! End-to-end tests of the built command live in `it/`; this crate has no code of its own.
