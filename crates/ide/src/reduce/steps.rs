//! The steps that make a program smaller.

use std::collections::BTreeMap;

use hir::facts::{Var, VarKind};
use hir::{Database, SourceFile, file_items, file_release, function_body, function_facts};
use relax::FunctionKind;
use text_size::{TextRange, TextSize};

/// Replacements that have to be applied together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub replacements: Vec<Replacement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub range: TextRange,
    pub text: String,
}

pub const ALL: &[fn(&Database, SourceFile) -> Vec<Edit>] = &[
    without_functions,
    with_earlier_results,
    without_unused_bindings,
    with_bindings_as_parameters,
    without_unused_parameters,
    with_smaller_numbers,
];

fn delete(range: TextRange) -> Edit {
    replace(range, "")
}

fn replace(range: TextRange, text: &str) -> Edit {
    Edit {
        replacements: vec![Replacement {
            range,
            text: text.to_owned(),
        }],
    }
}

/// Extends a range to whole lines.
fn lines(text: &str, range: TextRange) -> TextRange {
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}

fn without_functions(db: &Database, file: SourceFile) -> Vec<Edit> {
    let text = &file.source(db).text;
    let functions = file_items(db, file).functions.iter();
    functions
        .map(|it| {
            let range = function_body(db, *it).function.range + it.offset(db);
            delete(lines(text, range))
        })
        .collect()
}

/// Returns the variables that statements of each top-level function bind, with the offset of the function.
fn bound(db: &Database, file: SourceFile) -> Vec<(Var<'_>, TextSize, hir::FunctionItem<'_>)> {
    let functions = file_items(db, file).functions.iter();
    let relax = functions.filter(|it| it.kind(db) == FunctionKind::Relax);
    let vars = relax.flat_map(|&it| {
        let vars = function_facts(db, it).vars();
        vars.filter(|var| var.function == 0)
            .map(move |var| (var, it.offset(db), it))
    });
    vars.collect()
}

/// Proposes to return an earlier variable from a function and its last dataflow block.
fn with_earlier_results(db: &Database, file: SourceFile) -> Vec<Edit> {
    let text = &file.source(db).text;
    let mut edits = Vec::new();
    for &item in &file_items(db, file).functions {
        if item.kind(db) != FunctionKind::Relax {
            continue;
        }
        let function = &function_body(db, item).function;
        let range = function.range + item.offset(db);
        let source = &text[std::ops::Range::<usize>::from(range)];
        let place = |line: &str| source.rfind(line).map(|at| at + line.len());
        let Some(returned) = place("return ") else {
            continue;
        };
        let after = |at: usize, stop: char| {
            let length = source[at..].find(stop).unwrap_or(source.len() - at);
            let start = range.start() + TextSize::new(at as u32);
            TextRange::at(start, TextSize::new(length as u32))
        };
        let mut places = vec![after(returned, '\n')];
        places.extend(place("R.output(").map(|at| after(at, ')')));
        // The annotation of the return type need not fit the other variable, so remove it.
        let header = function.header + item.offset(db);
        let header_text = &text[std::ops::Range::<usize>::from(header)];
        let annotation = header_text.find(") ->").map(|at| {
            let start = header.start() + TextSize::new(at as u32 + 1);
            TextRange::new(start, header.end() - TextSize::of(':'))
        });
        for var in function_facts(db, item).vars() {
            let is_own = var.function == 0 && var.kind != VarKind::Param && !var.name.is_empty();
            if !is_own || var.name == "_" {
                continue;
            }
            let named = places.iter().map(|&range| Replacement {
                range,
                text: var.name.to_string(),
            });
            let open = annotation.iter().map(|&range| Replacement {
                range,
                text: String::new(),
            });
            let edit = Edit {
                replacements: named.chain(open).collect(),
            };
            edits.push(edit);
        }
    }
    edits
}

fn without_unused_bindings(db: &Database, file: SourceFile) -> Vec<Edit> {
    let text = &file.source(db).text;
    let unused = bound(db, file).into_iter();
    unused
        .filter(|(var, ..)| var.kind != VarKind::Param && !var.used)
        .map(|(var, start, _)| delete(lines(text, var.range + start)))
        .collect()
}

/// Proposes to remove a statement and turn its variable into a parameter.
fn with_bindings_as_parameters(db: &Database, file: SourceFile) -> Vec<Edit> {
    let text = &file.source(db).text;
    let dialect = file_release(db, file).dialect();
    let mut edits = Vec::new();
    for (var, start, item) in bound(db, file) {
        let is_named = usize::from(var.name_range.len()) == var.name.len();
        if var.kind == VarKind::Param || !is_named || var.struct_info.is_unknown() {
            continue;
        }
        let header = function_body(db, item).function.header + start;
        let header_text = &text[std::ops::Range::<usize>::from(header)];
        let close = header_text.find(") ->").or_else(|| header_text.rfind(')'));
        let Some(close) = close else {
            continue;
        };
        let comma = match header_text[..close].trim_end().chars().next_back() {
            Some('(' | ',') => "",
            _ => ", ",
        };
        let at = header.start() + TextSize::new(close as u32);
        let parameter = format!("{comma}{}: {}", var.name, var.struct_info.display(dialect));
        edits.push(Edit {
            replacements: vec![
                Replacement {
                    range: TextRange::empty(at),
                    text: parameter,
                },
                Replacement {
                    range: lines(text, var.range + start),
                    text: String::new(),
                },
            ],
        });
    }
    edits
}

fn without_unused_parameters(db: &Database, file: SourceFile) -> Vec<Edit> {
    let text = &file.source(db).text;
    let mut edits = Vec::new();
    for (var, start, item) in bound(db, file) {
        if var.kind != VarKind::Param || var.used {
            continue;
        }
        let params = &function_body(db, item).function.params;
        let at = params.iter().position(|it| it.name.range == var.name_range);
        let Some(at) = at else {
            continue;
        };
        let begin = var.name_range.start() + start;
        // Delete up to the next parameter, or back to the end of the previous one.
        let range = match (params.get(at + 1), at.checked_sub(1)) {
            (Some(next), _) => TextRange::new(begin, next.name.range.start() + start),
            (None, before) => {
                let header = function_body(db, item).function.header + start;
                let header_text = &text[std::ops::Range::<usize>::from(header)];
                let close = header_text.find(") ->").or_else(|| header_text.rfind(')'));
                let Some(close) = close else {
                    continue;
                };
                let end = header.start() + TextSize::new(close as u32);
                let comma = before.and_then(|_| text[..usize::from(begin)].rfind(','));
                let from = comma.map_or(begin, |at| TextSize::new(at as u32));
                TextRange::new(from, end)
            }
        };
        edits.push(delete(range));
    }
    edits
}

/// Proposes to replace all occurrences of a number above 1 with a smaller number.
fn with_smaller_numbers(db: &Database, file: SourceFile) -> Vec<Edit> {
    let text: &str = &file.source(db).text;
    let mut places: BTreeMap<u64, Vec<TextRange>> = BTreeMap::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if length == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        if let Ok(number) = rest[..length].parse::<u64>()
            && number > 1
        {
            let start = TextSize::new(at as u32);
            let range = TextRange::at(start, TextSize::new(length as u32));
            places.entry(number).or_default().push(range);
        }
        at += length;
    }
    let mut edits = Vec::new();
    for (number, ranges) in places.iter().rev() {
        for smaller in [1, 2, 3, 4, 8].into_iter().filter(|it| it < number) {
            let replacements = ranges.iter().map(|&range| Replacement {
                range,
                text: smaller.to_string(),
            });
            edits.push(Edit {
                replacements: replacements.collect(),
            });
        }
    }
    edits
}
