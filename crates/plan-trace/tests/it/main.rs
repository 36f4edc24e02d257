//! Tests of plan-trace.
