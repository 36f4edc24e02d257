//! Control groups, as files: the base, a scope per plan, a leaf per step.

pub(crate) mod leaf;
