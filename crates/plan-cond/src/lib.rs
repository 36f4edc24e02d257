//! The `if` language of a plan: parse, list references, evaluate.
//!
//! A condition compares texts and joins the comparisons (spec: Conditions; rulings 12 to 15):
//!
//! ```text
//! or         := and ('||' and)*
//! and        := term ('&&' term)*
//! term       := '(' or ')' | comparison
//! comparison := operand operator operand
//! operator   := '==' | '!=' | '>' | '<'
//! operand    := reference | literal
//! reference  := '$' <step id> '.' <field>
//! literal    := "'" [^']* "'" | '"' [^"]* '"'
//! ```
//!
//! Deliberately not in it: negation, numbers, `>=` and `<=`, escapes inside literals, functions, a
//! reference standing alone. Each of these is answered with an error of its own that says what to
//! write instead. What a step is, and whether a reference names one, is left to the caller: parsing
//! gives a [`Cond`] over [`Spelled`] references, and [`Cond::try_map`] turns them into whatever the
//! caller resolves them to.
//!
//! ```
//! use plan_cond::{Field, Spelled, parse};
//!
//! let text = "$test.status == 'failed' || $lint.output > \"m\"";
//! let cond = parse(text)?.expect("the condition is not blank");
//!
//! // List what it reads.
//! let mut read = Vec::new();
//! cond.each_reference(&mut |reference, _span| read.push(reference.to_string()));
//! assert_eq!(read, ["$test.status", "$lint.output"]);
//!
//! // Resolve the names once; an unknown one is the caller's own error.
//! let cond = cond.try_map(&mut |Spelled { step, field }| match (step, Field::from_name(field)) {
//!     ("test", Some(field)) => Ok((0, field)),
//!     ("lint", Some(field)) => Ok((1, field)),
//!     _ => Err(format!("no step `{step}` with a field `{field}`")),
//! })?;
//!
//! // Decide it. The first side decides here, so `$lint.output` is never looked up.
//! let holds = cond.eval(&mut |&(step, _field)| match step {
//!     0 => Ok("failed"),
//!     _ => Err("not settled"),
//! })?;
//! assert!(holds);
//!
//! // An error says where, what, and what to write instead.
//! let text = "$test.status = 'failed'";
//! let error = parse(text).unwrap_err();
//! assert_eq!((error.column(text), error.hint()), (14, "write `==`".to_owned()));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![no_std]

extern crate alloc;

mod reference;
pub use reference::{Field, Mentions, Spelled};

mod ast;
pub use ast::{CmpOp, Comparison, Cond, Operand, Value};

mod print;

mod parse;
pub use parse::{MAX_DEPTH, parse};

mod eval;

mod error;
pub use error::{ErrorKind, Found, ParseError};

mod diagnose;

mod hint;

mod excerpt;

mod caret;
pub use caret::Caret;
