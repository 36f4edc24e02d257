//! Tests of mur-plan.
