//! Tests of plan-cond.
