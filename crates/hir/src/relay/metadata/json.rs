//! JSON, as far as TVM writes it: a tree of values, of a bounded depth.

use std::iter::Peekable;
use std::str::Chars;

/// TVM's blocks are three deep.
const MOST_DEPTH: usize = 32;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    /// `None`: it is none, or too deep.
    pub(super) fn parse(text: &str) -> Option<Json> {
        let mut chars = text.chars().peekable();
        let value = value(&mut chars, MOST_DEPTH)?;
        skip(&mut chars);
        chars.next().is_none().then_some(value)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Map(entries) => entries.iter().find(|it| it.0 == key).map(|it| &it.1),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number of a node: TVM writes it as a number or as text.
    pub(super) fn index(&self) -> Option<usize> {
        match self {
            Json::Number(value) if *value >= 0.0 => Some(*value as usize),
            Json::Text(text) => text.parse().ok(),
            _ => None,
        }
    }
}

type Input<'a> = Peekable<Chars<'a>>;

fn skip(chars: &mut Input<'_>) {
    while chars.next_if(|it| it.is_whitespace()).is_some() {}
}

fn value(chars: &mut Input<'_>, depth: usize) -> Option<Json> {
    let depth = depth.checked_sub(1)?;
    skip(chars);
    match *chars.peek()? {
        '{' => {
            let mut entries = Vec::new();
            items(chars, '}', |chars| {
                skip(chars);
                let key = text(chars)?;
                skip(chars);
                chars.next_if_eq(&':')?;
                entries.push((key, value(chars, depth)?));
                Some(())
            })?;
            Some(Json::Map(entries))
        }
        '[' => {
            let mut list = Vec::new();
            items(chars, ']', |chars| {
                list.push(value(chars, depth)?);
                Some(())
            })?;
            Some(Json::List(list))
        }
        '"' => text(chars).map(Json::Text),
        _ => word(chars),
    }
}

/// Items between brackets, with commas between them.
fn items(
    chars: &mut Input<'_>,
    close: char,
    mut item: impl FnMut(&mut Input<'_>) -> Option<()>,
) -> Option<()> {
    chars.next()?;
    skip(chars);
    if chars.next_if_eq(&close).is_some() {
        return Some(());
    }
    loop {
        item(chars)?;
        skip(chars);
        match chars.next()? {
            ',' => {}
            it if it == close => return Some(()),
            _ => return None,
        }
    }
}

fn text(chars: &mut Input<'_>) -> Option<String> {
    chars.next_if_eq(&'"')?;
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => text.push(match chars.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'u' => {
                    let digits: String = chars.by_ref().take(4).collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?).unwrap_or('\u{fffd}')
                }
                other => other,
            }),
            other => text.push(other),
        }
    }
}

fn word(chars: &mut Input<'_>) -> Option<Json> {
    let mut word = String::new();
    while let Some(next) =
        chars.next_if(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '+' | '.'))
    {
        word.push(next);
    }
    match word.as_str() {
        "null" => Some(Json::Null),
        "true" => Some(Json::Bool(true)),
        "false" => Some(Json::Bool(false)),
        number => number.parse().ok().map(Json::Number),
    }
}
