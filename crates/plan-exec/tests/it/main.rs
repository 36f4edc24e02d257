//! Tests of plan-exec.
