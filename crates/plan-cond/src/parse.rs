//! Reads a condition: one function per grammar rule, named as the rule. What a mistake is called is
//! left to `diagnose`.

use alloc::{boxed::Box, vec, vec::Vec};

use winnow::{
    LocatingSlice, Parser, Stateful,
    combinator::{alt, delimited, eof, opt, preceded},
    error::EmptyError,
    stream::{Location, Stream},
    token::{take_till, take_until, take_while},
};

use crate::{
    ast::{CmpOp, Comparison, Cond, Operand, Value},
    diagnose::diagnose,
    error::{ErrorKind, ParseError},
    reference::{Spelled, ends_reference},
};

/// How deep parentheses may nest (decision: nesting of conditions).
///
/// The same bound as for the JSON of a plan (ruling 1): far beyond what anyone writes, and small
/// enough that the parser and every walk over a tree may recurse into parentheses.
pub const MAX_DEPTH: usize = 128;

/// Parses a condition. A blank one is `None`, as if absent (ruling 15).
///
/// # Errors
/// The first mistake, with its bytes, what was found, what was expected and what to write instead.
pub fn parse(text: &str) -> Result<Option<Cond<Spelled<'_>>>, ParseError> {
    if text.trim_start().is_empty() {
        return Ok(None);
    }
    if u32::try_from(text.len()).is_err() {
        // Spans in the tree are 32 bits wide.
        return Err(ParseError {
            span: 0..text.len(),
            kind: ErrorKind::TooLong,
        });
    }
    let mut input = Input {
        input: LocatingSlice::new(text),
        state: 0,
    };
    condition(&mut input)
        .map(Some)
        .map_err(|fault| diagnose(text, fault))
}

/// The text still to be read, with the number of parentheses open at this place.
type Input<'t> = Stateful<LocatingSlice<&'t str>, usize>;

/// Where reading ended, and what should have been there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault {
    /// A byte of the text: white space may follow before the text at fault.
    pub(crate) at: usize,
    pub(crate) expected: Expected,
}

/// What the grammar asked for at the place of a [`Fault`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expected {
    /// A comparison or a group.
    Term,
    /// `==`, `!=`, `>` or `<`, after the left side of a comparison.
    Operator,
    /// The right side of a comparison.
    Operand,
    /// `&&`, `||`, or the end of the condition.
    JointOrEnd,
    /// `&&`, `||`, or the `)` that belongs to the `(` at byte `open`.
    JointOrClose { open: usize },
    /// Fewer parentheses.
    Shallower,
}

fn condition<'t>(input: &mut Input<'t>) -> Result<Cond<Spelled<'t>>, Fault> {
    let cond = or(input)?;
    match token(eof).parse_next(input) {
        Ok(_) => Ok(cond),
        Err(EmptyError) => Err(fault(input, Expected::JointOrEnd)),
    }
}

fn or<'t>(input: &mut Input<'t>) -> Result<Cond<Spelled<'t>>, Fault> {
    joined(input, and, "||", Cond::Or)
}

fn and<'t>(input: &mut Input<'t>) -> Result<Cond<Spelled<'t>>, Fault> {
    joined(input, term, "&&", Cond::And)
}

/// Reads sides of one kind and what joins them. A loop: a chain may be as long as the text.
fn joined<'t>(
    input: &mut Input<'t>,
    side: fn(&mut Input<'t>) -> Result<Cond<Spelled<'t>>, Fault>,
    joint: &'static str,
    join: fn(Vec<Cond<Spelled<'t>>>) -> Cond<Spelled<'t>>,
) -> Result<Cond<Spelled<'t>>, Fault> {
    let first = side(input)?;
    if !accept(input, joint) {
        return Ok(first);
    }
    let mut sides = vec![first, side(input)?];
    while accept(input, joint) {
        sides.push(side(input)?);
    }
    Ok(join(sides))
}

fn term<'t>(input: &mut Input<'t>) -> Result<Cond<Spelled<'t>>, Fault> {
    if !accept(input, "(") {
        return comparison(input).map(Cond::Compare);
    }
    let open = input.previous_token_end() - "(".len();
    if input.state == MAX_DEPTH {
        return Err(Fault {
            at: open,
            expected: Expected::Shallower,
        });
    }
    input.state += 1;
    let inner = or(input)?;
    input.state -= 1;
    if accept(input, ")") {
        Ok(inner)
    } else {
        Err(fault(input, Expected::JointOrClose { open }))
    }
}

fn comparison<'t>(input: &mut Input<'t>) -> Result<Comparison<Spelled<'t>>, Fault> {
    Ok(Comparison {
        left: expect(input, operand, Expected::Term)?,
        op: expect(input, operator, Expected::Operator)?,
        right: expect(input, operand, Expected::Operand)?,
    })
}

fn operator(input: &mut Input<'_>) -> Result<CmpOp, EmptyError> {
    alt((
        "==".value(CmpOp::Equal),
        "!=".value(CmpOp::NotEqual),
        '>'.value(CmpOp::Greater),
        '<'.value(CmpOp::Less),
    ))
    .parse_next(input)
}

fn operand<'t>(input: &mut Input<'t>) -> Result<Operand<Spelled<'t>>, EmptyError> {
    alt((
        reference.map(Value::Reference),
        literal.map(|text| Value::Literal(Box::from(text))),
    ))
    .with_span()
    .map(|(value, span)| Operand {
        value,
        span: narrow(span.start)..narrow(span.end),
    })
    .parse_next(input)
}

fn reference<'t>(input: &mut Input<'t>) -> Result<Spelled<'t>, EmptyError> {
    take_till(1.., ends_reference)
        .verify_map(Spelled::whole)
        .parse_next(input)
}

fn literal<'t>(input: &mut Input<'t>) -> Result<&'t str, EmptyError> {
    alt((
        delimited('\'', take_until(0.., '\''), '\''),
        delimited('"', take_until(0.., '"'), '"'),
    ))
    .parse_next(input)
}

/// Reads the operand that `text` begins with, and returns its spelling: what a hint can repeat.
pub(crate) fn operand_at(text: &str) -> Option<&str> {
    let mut input = Input {
        input: LocatingSlice::new(text),
        state: 0,
    };
    token(operand.take()).parse_next(&mut input).ok()
}

/// Lets white space stand before `parser` (ruling 12: it is free, and not needed).
fn token<'t, O>(
    parser: impl Parser<Input<'t>, O, EmptyError>,
) -> impl Parser<Input<'t>, O, EmptyError> {
    preceded(take_while(0.., char::is_whitespace), parser)
}

fn accept(input: &mut Input<'_>, text: &'static str) -> bool {
    matches!(opt(token(text)).parse_next(input), Ok(Some(_)))
}

fn expect<'t, O>(
    input: &mut Input<'t>,
    rule: fn(&mut Input<'t>) -> Result<O, EmptyError>,
    expected: Expected,
) -> Result<O, Fault> {
    let start = input.checkpoint();
    token(rule).parse_next(input).map_err(|EmptyError| {
        input.reset(&start);
        fault(input, expected)
    })
}

fn fault(input: &Input<'_>, expected: Expected) -> Fault {
    Fault {
        at: input.current_token_start(),
        expected,
    }
}

fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).expect("`parse` refuses a text over 4 GiB before reading it")
}
