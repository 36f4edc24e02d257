//! Tests of plan-model.
