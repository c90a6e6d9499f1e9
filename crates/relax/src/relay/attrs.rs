//! Attributes of operators: their names, kinds and defaults, and the values in a call.
//!
//! A row declares them in one line: `axis: int = -1, shape: ints`. An attribute without a default is required.

#[cfg(test)]
mod tests;

use smol_str::SmolStr;

use crate::dtype::DType;

/// One attribute of an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct AttrDef {
    pub name: &'static str,
    pub kind: AttrKind,
    /// The default; `None` if it is required.
    pub default: Option<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttrKind {
    Int,
    Float,
    Bool,
    Str,
    DType,
    Ints,
    Floats,
    /// A list of lists of integers, such as the widths of a padding.
    Lists,
    /// The number of equal parts, or the positions at which to split.
    Sections,
    Any,
}

const KINDS: &[(&str, AttrKind, &str)] = &[
    ("int", AttrKind::Int, "an integer"),
    ("float", AttrKind::Float, "a number"),
    ("bool", AttrKind::Bool, "a boolean"),
    ("str", AttrKind::Str, "a string"),
    ("dtype", AttrKind::DType, "a dtype"),
    ("ints", AttrKind::Ints, "a list of integers"),
    ("floats", AttrKind::Floats, "a list of numbers"),
    ("lists", AttrKind::Lists, "a list of lists of integers"),
    (
        "sections",
        AttrKind::Sections,
        "an integer or a list of integers",
    ),
    ("any", AttrKind::Any, "a value"),
];

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Int(i64),
    Float(f64),
    Bool(bool),
    Str(SmolStr),
    /// `None`, `nullptr`.
    None,
    List(Vec<Value>),
    /// A value that is not a constant in the text.
    Opaque,
}

impl AttrKind {
    /// Returns how messages describe the expected value.
    pub fn description(self) -> &'static str {
        KINDS
            .iter()
            .find(|row| row.1 == self)
            .map_or("a value", |row| row.2)
    }

    /// Returns `true` if TVM accepts the value.
    pub fn takes(self, value: &Value) -> bool {
        let all = |wanted: AttrKind| match value {
            Value::List(items) => items.iter().all(|it| wanted.takes(it)),
            _ => false,
        };
        match (self, value) {
            (_, Value::Opaque | Value::None) | (AttrKind::Any, _) => true,
            (AttrKind::Int | AttrKind::Bool, Value::Int(_) | Value::Bool(_)) => true,
            (AttrKind::Float, Value::Int(_) | Value::Float(_)) => true,
            (AttrKind::Str, Value::Str(_)) => true,
            (AttrKind::DType, Value::Str(name)) => {
                name.is_empty() || name == "void" || DType::parse(name).is_some()
            }
            (AttrKind::Ints, _) => all(AttrKind::Int) || all(AttrKind::Float),
            (AttrKind::Floats, _) => all(AttrKind::Float),
            (AttrKind::Lists, _) => all(AttrKind::Ints),
            (AttrKind::Sections, _) => AttrKind::Int.takes(value) || all(AttrKind::Int),
            _ => false,
        }
    }
}

/// Parses the attributes of a row. Panics on an error, which a test finds.
pub fn parse(row: &'static str) -> Vec<AttrDef> {
    split(row).map(parse_one).collect()
}

fn parse_one(part: &'static str) -> AttrDef {
    let (name, rest) = part.split_once(':').expect("an attribute has a kind");
    let (kind, default) = match rest.split_once('=') {
        Some((kind, default)) => (kind, Some(default)),
        None => (rest, None),
    };
    let kind = kind.trim();
    AttrDef {
        name: name.trim(),
        kind: KINDS
            .iter()
            .find(|row| row.0 == kind)
            .map(|row| row.1)
            .expect("the kind is known"),
        default: default.map(|it| parse_value(it.trim())),
    }
}

fn parse_value(text: &str) -> Value {
    if let Some(inside) = text.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        let items = inside.split(',').map(str::trim).filter(|it| !it.is_empty());
        return Value::List(items.map(parse_value).collect());
    }
    match text {
        "None" => Value::None,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => {
            let int = text.parse().map(Value::Int);
            let number = int.or_else(|_| text.parse().map(Value::Float));
            number.unwrap_or_else(|_| Value::Str(text.trim_matches('"').into()))
        }
    }
}

/// Splits at commas that are outside of brackets.
fn split(row: &'static str) -> impl Iterator<Item = &'static str> {
    let mut depth = 0;
    row.split(move |c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|it| !it.is_empty())
}
