//! The tokens of a script that are no words, read with winnow.

use winnow::{
    ModalResult, Parser as _,
    ascii::{digit0, digit1},
    combinator::{alt, delimited, opt, preceded, repeat},
    token::{any, one_of, rest, take_while},
};

use super::word::Change;

/// A redirection's operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirect {
    /// Opens its word for writing.
    Write,
    /// `>&`: opens its word for writing, unless that is a descriptor.
    WriteOrDuplicate,
    /// Opens its word for reading, or duplicates a descriptor.
    Read,
    /// Begins a here-document.
    Document { strip_tabs: bool },
    /// A here-string.
    Text,
}

/// What ends a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    /// `;` or a newline.
    End,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `|` or `|&`.
    Pipe,
    /// `&`.
    Background,
    /// `;;`, `;&` or `;;&`.
    Arm,
}

/// Reads a redirection's operator with what stands right in front of it, and returns its kind.
pub(super) fn redirect(input: &mut &str) -> ModalResult<Redirect> {
    let descriptor = alt((
        digit1.void(),
        delimited(
            '{',
            take_while(1.., |c: char| c.is_ascii_alphanumeric() || c == '_'),
            '}',
        )
        .void(),
    ));
    alt((
        alt(("&>>|", "&>>", "&>|", "&>")).value(Redirect::Write),
        preceded(
            opt(descriptor),
            alt((
                "<<<".value(Redirect::Text),
                "<<-".value(Redirect::Document { strip_tabs: true }),
                "<<".value(Redirect::Document { strip_tabs: false }),
                alt(("<>", ">>|", ">>", ">|")).value(Redirect::Write),
                "<&".value(Redirect::Read),
                '<'.value(Redirect::Read),
                ">&".value(Redirect::WriteOrDuplicate),
                '>'.value(Redirect::Write),
            )),
        ),
    ))
    .parse_next(input)
}

/// Reads what ends a command, newlines aside.
pub(super) fn separator(input: &mut &str) -> ModalResult<Separator> {
    alt((
        alt((";;&", ";;", ";&", ";|")).value(Separator::Arm),
        ';'.value(Separator::End),
        "&&".value(Separator::And),
        '&'.value(Separator::Background),
        "||".value(Separator::Or),
        alt(("|&", "|")).value(Separator::Pipe),
    ))
    .parse_next(input)
}

/// Reads the name of a variable after `$`: a name, one digit, or `@` or `*`.
pub(super) fn variable<'t>(input: &mut &'t str) -> ModalResult<&'t str> {
    alt((
        (
            one_of(|c: char| c.is_ascii_alphabetic() || c == '_'),
            take_while(0.., is_name_char),
        )
            .take(),
        one_of(('0'..='9', '@', '*')).take(),
    ))
    .parse_next(input)
}

/// Reads what stands in `${…}`: a name and what is done to its value; `None` when that cannot be told.
pub(super) fn braced(inside: &str) -> Option<(String, Change)> {
    let name = alt((variable_name, digit1, alt(("@", "*"))));
    let element = opt(delimited('[', take_while(0.., |c| c != ']'), ']'));
    let change = alt((
        preceded(alt((":-", ":=", ":+", "-", "=", "+")), rest)
            .map(|text: &str| Some(Change::Or(text.to_owned()))),
        preceded(alt((":?", "?")), rest).value(Some(Change::None)),
        preceded('%', rest).value(Some(Change::Trimmed)),
        any.value(None),
    ));
    let (name, _, change) = (name, element, opt(change))
        .parse_next(&mut &*inside)
        .ok()?;
    Some((name.to_owned(), change.unwrap_or(Some(Change::None))?))
}

fn variable_name<'t>(input: &mut &'t str) -> ModalResult<&'t str> {
    (
        one_of(|c: char| c.is_ascii_alphabetic() || c == '_'),
        take_while(0.., is_name_char),
    )
        .take()
        .parse_next(input)
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Reads one escape of `$'…'` after its backslash, as the bytes it stands for.
pub(super) fn escape(input: &mut &str) -> ModalResult<Vec<u8>> {
    let hex = |most: usize| take_while(1..=most, |c: char| c.is_ascii_hexdigit());
    let code = |digits: &str| u32::from_str_radix(digits, 16).ok();
    let utf8 = move |digits: &str| {
        let c = code(digits).and_then(char::from_u32)?;
        Some(c.encode_utf8(&mut [0; 4]).as_bytes().to_vec())
    };
    alt((
        preceded('x', hex(2))
            .verify_map(move |digits| Some(vec![u8::try_from(code(digits)?).ok()?])),
        preceded('u', hex(4)).verify_map(utf8),
        preceded('U', hex(8)).verify_map(utf8),
        take_while(1..=3, '0'..='7').verify_map(|digits: &str| {
            Some(vec![(u32::from_str_radix(digits, 8).ok()? & 0xff) as u8])
        }),
        preceded('c', any).map(|c: char| vec![(c as u32 & 0x1f) as u8]),
        one_of([
            'a', 'b', 'e', 'E', 'f', 'n', 'r', 't', 'v', '\\', '\'', '"', '?',
        ])
        .map(|c| {
            vec![match c {
                'a' => 7,
                'b' => 8,
                'e' | 'E' => 27,
                'f' => 12,
                'n' => b'\n',
                'r' => b'\r',
                't' => b'\t',
                'v' => 11,
                // The rest stand for themselves.
                other => other as u8,
            }]
        }),
        any.map(|c: char| {
            let mut bytes = vec![b'\\'];
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            bytes
        }),
    ))
    .parse_next(input)
}

/// Reads white space and joined lines.
pub(super) fn blanks(input: &mut &str) -> ModalResult<()> {
    repeat(
        0..,
        alt((take_while(1.., [' ', '\t']).void(), "\\\n".void())),
    )
    .parse_next(input)
}

/// Returns whether a redirection's word is a descriptor: digits, a dash, or digits and a dash.
pub(super) fn is_descriptor(word: &str) -> bool {
    let descriptor: ModalResult<_> = (digit0, opt('-')).take().parse_next(&mut &*word);
    !word.is_empty() && descriptor == Ok(word)
}
