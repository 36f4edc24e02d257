//! A second implementation of the condition language: slow, obvious, and written from the rulings alone.

/// What a condition is split into. White space is gone.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Open,
    Close,
    Or,
    And,
    Compare(String),
    Literal(String),
    Reference(String),
}

/// What evaluating gave: the truth or the first reference unknown, and every reference looked up.
pub(crate) type Outcome = (Result<bool, String>, Vec<String>);

/// Evaluates `text`. `None` when it is no condition, `Some(None)` when it is blank.
///
/// A reference is unknown when `value` has none for it.
pub(crate) fn decide(
    text: &str,
    value: fn(&str) -> Option<&'static str>,
) -> Option<Option<Outcome>> {
    let tokens = tokens(&text.chars().collect::<Vec<_>>())?;
    if tokens.is_empty() {
        return Some(None);
    }
    if !is_condition(&tokens) {
        return None;
    }
    let mut asked = Vec::new();
    let truth = truth(&tokens, value, &mut asked);
    Some(Some((truth, asked)))
}

/// Rulings 12 and 13.
fn tokens(text: &[char]) -> Option<Vec<Token>> {
    let Some((&first, rest)) = text.split_first() else {
        return Some(Vec::new());
    };
    let two: String = text.iter().take(2).collect();
    let (token, len) = match first {
        c if c.is_whitespace() => return tokens(rest),
        '(' => (Token::Open, 1),
        ')' => (Token::Close, 1),
        '\'' | '"' => {
            let len = rest.iter().position(|&c| c == first)?;
            (Token::Literal(rest[..len].iter().collect()), len + 2)
        }
        _ if two == "||" => (Token::Or, 2),
        _ if two == "&&" => (Token::And, 2),
        _ if two == "==" || two == "!=" => (Token::Compare(two), 2),
        '<' | '>' => (Token::Compare(first.to_string()), 1),
        '$' => {
            let ends = |&c: &char| c.is_whitespace() || "'\"()=!<>&|".contains(c);
            let len = text.iter().position(ends).unwrap_or(text.len());
            let dot = text[..len].iter().rposition(|&c| c == '.')?;
            let field = &text[dot + 1..len];
            let letter = |c: char| c == '_' || c.is_ascii_alphabetic();
            let identifier = !field.is_empty()
                && letter(field[0])
                && field.iter().all(|&c| letter(c) || c.is_ascii_digit());
            if dot < 2 || !identifier {
                return None;
            }
            (Token::Reference(text[..len].iter().collect()), len)
        }
        _ => return None,
    };
    let mut all = vec![token];
    all.extend(tokens(&text[len..])?);
    Some(all)
}

/// Splits at every `joint` that is in no parentheses. `None` when the parentheses do not match.
fn split(tokens: &[Token], joint: &Token) -> Option<Vec<Vec<Token>>> {
    let mut sides = vec![Vec::new()];
    let mut depth = 0;
    for token in tokens {
        match token {
            Token::Open => depth += 1,
            Token::Close if depth == 0 => return None,
            Token::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 && token == joint {
            sides.push(Vec::new());
        } else {
            sides.last_mut()?.push(token.clone());
        }
    }
    (depth == 0).then_some(sides)
}

fn is_condition(tokens: &[Token]) -> bool {
    let Some(sides) = split(tokens, &Token::Or) else {
        return false;
    };
    sides.iter().all(|side| {
        let terms = split(side, &Token::And).unwrap_or_default();
        terms.iter().all(|term| match term.as_slice() {
            [Token::Open, inner @ .., Token::Close] => is_condition(inner),
            [left, Token::Compare(_), right] => is_operand(left) && is_operand(right),
            _ => false,
        })
    })
}

fn is_operand(token: &Token) -> bool {
    matches!(token, Token::Literal(_) | Token::Reference(_))
}

/// Ruling 14.
fn truth(
    tokens: &[Token],
    value: fn(&str) -> Option<&'static str>,
    asked: &mut Vec<String>,
) -> Result<bool, String> {
    for side in split(tokens, &Token::Or).expect("checked") {
        let mut all = true;
        for term in split(&side, &Token::And).expect("checked") {
            let holds = match term.as_slice() {
                [Token::Open, inner @ .., Token::Close] => truth(inner, value, asked)?,
                [left, Token::Compare(op), right] => {
                    let left = text(left, value, asked)?;
                    let right = text(right, value, asked)?;
                    match op.as_str() {
                        "==" => left == right,
                        "!=" => left != right,
                        "<" => left < right,
                        ">" => left > right,
                        other => unreachable!("{other} is no operator"),
                    }
                }
                other => unreachable!("{other:?} is no term"),
            };
            if !holds {
                all = false;
                break;
            }
        }
        if all {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The code points of an operand, which compare as such.
fn text(
    token: &Token,
    value: fn(&str) -> Option<&'static str>,
    asked: &mut Vec<String>,
) -> Result<Vec<u32>, String> {
    let text = match token {
        Token::Literal(text) => text.as_str(),
        Token::Reference(name) => {
            asked.push(name.clone());
            value(name).ok_or_else(|| name.clone())?
        }
        other => unreachable!("{other:?} is no operand"),
    };
    Ok(text.chars().map(u32::from).collect())
}
