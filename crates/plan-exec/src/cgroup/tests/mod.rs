//! Tests of the scope.
