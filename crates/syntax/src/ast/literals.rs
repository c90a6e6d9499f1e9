//! Values of literals: numbers, strings with decoded escapes, and the parts of f-strings and t-strings.
//!
//! Malformed literals, and values that cannot be represented, give `None`, never a wrong value.

use super::{
    AstNode, BoolLit, Expr, FString, FStringField, FormatSpec, NumberLit, Segments, StringLit,
    accessors, children, token, tokens,
};
use text_size::{TextRange, TextSize};

use crate::kind::{SyntaxElement, SyntaxKind as K, SyntaxNode, SyntaxToken};

accessors! {
    BoolLit {
        has_token value: TRUE_KW;
    }
    FStringField {
        child expr: Expr;
        /// Whether the field is written `{expr=}`.
        has_token is_debug: EQ;
        /// The letter after `!`.
        token conversion: IDENT;
        child format_spec: FormatSpec;
    }
    FormatSpec {
        children fields: FStringField;
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum NumberValue {
    Int(i128),
    /// An integer beyond `i128`, as decimal, hexadecimal, octal or binary text without underscores.
    BigInt(String),
    Float(f64),
    Imaginary(f64),
}

impl NumberLit {
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(self.syntax()).find(|it| matches!(it.kind(), K::INT | K::FLOAT | K::IMAGINARY))
    }

    pub fn value(&self) -> Option<NumberValue> {
        let token = self.token()?;
        let text: String = token.text().chars().filter(|&it| it != '_').collect();
        match token.kind() {
            K::INT => int_value(text),
            K::FLOAT => text.parse().ok().map(NumberValue::Float),
            _ => text
                .trim_end_matches(['j', 'J'])
                .parse()
                .ok()
                .map(NumberValue::Imaginary),
        }
    }

    /// The value, if it is an integer that fits into `i128`.
    pub fn int(&self) -> Option<i128> {
        match self.value()? {
            NumberValue::Int(value) => Some(value),
            _ => None,
        }
    }
}

fn int_value(text: String) -> Option<NumberValue> {
    let (digits, radix) = match text.get(..2) {
        Some("0x" | "0X") => (&text[2..], 16),
        Some("0o" | "0O") => (&text[2..], 8),
        Some("0b" | "0B") => (&text[2..], 2),
        _ => (text.as_str(), 10),
    };
    match i128::from_str_radix(digits, radix) {
        Ok(value) => Some(NumberValue::Int(value)),
        Err(_) if !digits.is_empty() && digits.chars().all(|it| it.is_digit(radix)) => {
            Some(NumberValue::BigInt(text))
        }
        Err(_) => None,
    }
}

/// One of the adjacent strings of a [`StringLit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StringPiece {
    Plain(SyntaxToken),
    /// An f-string or a t-string.
    Formatted(FString),
}

impl StringLit {
    pub fn pieces(&self) -> impl Iterator<Item = StringPiece> + use<> {
        self.syntax()
            .children_with_tokens()
            .filter_map(|it| match it {
                SyntaxElement::Token(token) if token.kind() == K::STRING => {
                    Some(StringPiece::Plain(token))
                }
                SyntaxElement::Token(_) => None,
                SyntaxElement::Node(node) => FString::cast(node).map(StringPiece::Formatted),
            })
    }

    /// The decoded text. `None` for bytes, for t-strings, and for f-strings that embed an expression.
    pub fn value(&self) -> Option<String> {
        let mut value = String::new();
        for piece in self.pieces() {
            match piece {
                StringPiece::Plain(token) => {
                    let prefix = prefix(token.text());
                    if prefix.contains(['b', 'B']) {
                        return None;
                    }
                    let raw = prefix.contains(['r', 'R']);
                    unescape(contents(token.text()), raw, |_, c| value.push(c))?;
                }
                StringPiece::Formatted(string) => {
                    if string.is_template() || string.fields().next().is_some() {
                        return None;
                    }
                    for token in tokens(string.syntax()).filter(|it| it.kind() == K::FSTRING_TEXT) {
                        value.push_str(&formatted_text(&token, string.is_raw())?);
                    }
                }
            }
        }
        Some(value)
    }

    /// The decoded text with the position of each character in the source. `None` for all f-strings.
    pub fn value_with_places(&self) -> Option<(String, Segments)> {
        let (mut value, mut segments) = (String::new(), Segments::default());
        for piece in self.pieces() {
            let StringPiece::Plain(token) = piece else {
                return None;
            };
            let prefix = prefix(token.text());
            if prefix.contains(['b', 'B']) {
                return None;
            }
            let raw = prefix.contains(['r', 'R']);
            let contents = contents(token.text());
            let before = contents.as_ptr() as usize - token.text().as_ptr() as usize;
            let start = token.text_range().start() + TextSize::new(before as u32);
            segments.cover(TextRange::at(start, TextSize::of(contents)));
            unescape(contents, raw, |at, c| {
                segments.push(TextSize::of(&*value), start + TextSize::new(at as u32), c);
                value.push(c);
            })?;
        }
        Some((value, segments))
    }
}

/// A part of an f-string or a t-string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FStringPart {
    /// Text with escapes and doubled braces decoded. Text that cannot be decoded, such as `\N{...}`, stays as written.
    Text(String),
    Field(FStringField),
}

impl FString {
    /// Whether this is a t-string.
    pub fn is_template(&self) -> bool {
        self.prefix().is_some_and(|it| it.contains(['t', 'T']))
    }

    pub fn fields(&self) -> impl Iterator<Item = FStringField> + use<> {
        children(self.syntax())
    }

    pub fn parts(&self) -> impl Iterator<Item = FStringPart> + use<> {
        parts(self.syntax(), self.is_raw())
    }

    fn is_raw(&self) -> bool {
        self.prefix().is_some_and(|it| it.contains(['r', 'R']))
    }

    fn prefix(&self) -> Option<String> {
        token(self.syntax(), K::FSTRING_START).map(|it| prefix(it.text()).to_owned())
    }
}

fn parts(parent: &SyntaxNode, raw: bool) -> impl Iterator<Item = FStringPart> + use<> {
    parent
        .children_with_tokens()
        .filter_map(move |it| match it {
            SyntaxElement::Token(token) if token.kind() == K::FSTRING_TEXT => {
                let text = formatted_text(&token, raw).unwrap_or_else(|| token.text().to_owned());
                Some(FStringPart::Text(text))
            }
            SyntaxElement::Token(_) => None,
            SyntaxElement::Node(node) => FStringField::cast(node).map(FStringPart::Field),
        })
}

/// Decodes the text between the embedded expressions of an f-string or a t-string.
fn formatted_text(token: &SyntaxToken, raw: bool) -> Option<String> {
    let braces = token.text().replace("{{", "{").replace("}}", "}");
    let mut text = String::new();
    unescape(&braces, raw, |_, c| text.push(c))?;
    Some(text)
}

/// The prefix letters of a string literal, such as `rb`.
fn prefix(text: &str) -> &str {
    &text[..text.find(['"', '\'']).unwrap_or(text.len())]
}

/// The text between the quotes. The closing quote may be missing.
fn contents(text: &str) -> &str {
    let text = &text[prefix(text).len()..];
    for quotes in ["\"\"\"", "'''", "\"", "'"] {
        if let Some(rest) = text.strip_prefix(quotes) {
            return rest.strip_suffix(quotes).unwrap_or(rest);
        }
    }
    text
}

/// Decodes the escapes of `text` and calls `out` with each character and its offset in `text`. All line ends become
/// `\n`, as in Python. `None` if an escape is invalid or unsupported.
fn unescape(text: &str, raw: bool, mut out: impl FnMut(usize, char)) -> Option<()> {
    let mut chars = text.char_indices().peekable();
    while let Some((at, next)) = chars.next() {
        if next == '\r' {
            chars.next_if(|it| it.1 == '\n');
            out(at, '\n');
            continue;
        }
        if next != '\\' || raw {
            out(at, next);
            continue;
        }
        let Some((behind, escape)) = chars.next() else {
            out(at, '\\');
            break;
        };
        let decoded = match escape {
            '\n' => continue,
            '\r' => {
                chars.next_if(|it| it.1 == '\n');
                continue;
            }
            '\\' | '\'' | '"' => escape,
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            '0'..='7' => {
                let mut code = escape.to_digit(8)?;
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|it| it.1.to_digit(8)) else {
                        break;
                    };
                    chars.next();
                    code = code * 8 + digit;
                }
                char::from_u32(code)?
            }
            'x' => hex(&mut chars, 2)?,
            'u' => hex(&mut chars, 4)?,
            'U' => hex(&mut chars, 8)?,
            // `\N{NAME}` would need the table of Unicode names.
            'N' if chars.peek().is_some_and(|it| it.1 == '{') => return None,
            other => {
                out(at, '\\');
                out(behind, other);
                continue;
            }
        };
        out(at, decoded);
    }
    Some(())
}

fn hex(chars: &mut impl Iterator<Item = (usize, char)>, digits: usize) -> Option<char> {
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + chars.next()?.1.to_digit(16)?;
    }
    char::from_u32(code)
}
