//! Tests of plan-sched.
