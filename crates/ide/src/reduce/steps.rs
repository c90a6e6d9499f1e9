//! The steps that make a program smaller.

use std::collections::BTreeMap;

use hir::facts::{Var, VarKind};
use hir::{Database, SourceFile, file_items, function_body, function_facts};
use relax::FunctionKind;
use relax::sinfo::{StructInfo, Tensor, TensorShape};
use syntax::ast::{self, AstNode, Stmt};
use syntax::{NodeOrToken, SyntaxKind};
use text_size::{TextRange, TextSize};

use crate::annotations;
use crate::semantics::FunctionContext;

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
    without_unused_bindings,
    with_bindings_as_parameters,
    with_earlier_results,
    with_earlier_results_of_branches,
    without_unused_parameters,
    without_declarations,
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

/// Proposes to return an earlier variable from a function and its last dataflow block, without the bindings after it.
pub fn with_earlier_results(db: &Database, file: SourceFile) -> Vec<Edit> {
    earlier_results(db, file, false)
}

/// Proposes to return an earlier variable, and keeps the bindings after it, where they may be all of a branch.
fn with_earlier_results_of_branches(db: &Database, file: SourceFile) -> Vec<Edit> {
    earlier_results(db, file, true)
}

fn earlier_results(db: &Database, file: SourceFile, keeps_later: bool) -> Vec<Edit> {
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
        let own = function_facts(db, item).vars();
        let own = own.filter(|it| it.function == 0 && it.kind != VarKind::Param);
        let own: Vec<Var<'_>> = own.collect();
        let tree = item.source(db).def();
        let branches = tree.is_some_and(|it| {
            let mut nodes = it.syntax().descendants();
            nodes.any(|node| node.kind() == SyntaxKind::IF_STMT)
        });
        if keeps_later && !branches {
            continue;
        }
        for var in &own {
            if var.name.is_empty() || var.name == "_" {
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
            let later = own.iter().map(|it| it.range);
            let later = later.filter(|it| !keeps_later && it.start() >= var.range.end());
            let without = later.map(|it| Replacement {
                range: lines(text, it + item.offset(db)),
                text: String::new(),
            });
            edits.push(Edit {
                replacements: without.chain(named).chain(open).collect(),
            });
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
    let mut edits = Vec::new();
    let mut last: Option<FunctionContext<'_>> = None;
    for (var, start, item) in bound(db, file) {
        let is_named = usize::from(var.name_range.len()) == var.name.len();
        if var.kind == VarKind::Param || !is_named || var.struct_info.is_unknown() {
            continue;
        }
        if last.as_ref().is_none_or(|it| it.function != item) {
            last = FunctionContext::new(db, file, item);
        }
        let Some(annotation) = last.as_ref().and_then(|cx| annotation(cx, var.struct_info)) else {
            continue;
        };
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
        let parameter = format!("{comma}{}: {annotation}", var.name);
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

/// Returns the annotation of a parameter with this StructInfo. Dimensions that the signature cannot name stay open.
fn annotation(cx: &FunctionContext<'_>, sinfo: &StructInfo) -> Option<String> {
    annotations::in_signature(cx, sinfo).or_else(|| {
        let StructInfo::Tensor(tensor) = sinfo else {
            return None;
        };
        let open = StructInfo::Tensor(Tensor {
            shape: TensorShape::Unknown(tensor.ndim()),
            ..tensor.clone()
        });
        annotations::in_signature(cx, &open)
    })
}

/// Proposes to remove a statement that binds no Relax variable: `n = T.int64()`, `cls = Module`, `R.func_attr(...)`.
fn without_declarations(db: &Database, file: SourceFile) -> Vec<Edit> {
    let text = &file.source(db).text;
    let mut edits = Vec::new();
    for &item in &file_items(db, file).functions {
        let Some(cx) = FunctionContext::new(db, file, item) else {
            continue;
        };
        if item.kind(db) != FunctionKind::Relax {
            continue;
        }
        let bound: Vec<TextRange> = cx.facts.vars().map(|var| var.range).collect();
        let stmts = cx.tree.syntax().descendants().filter_map(ast::Stmt::cast);
        let stmts = stmts.filter(|it| matches!(it, Stmt::AssignStmt(_) | Stmt::ExprStmt(_)));
        let stmts = stmts.map(|it| it.range());
        let others = stmts.filter(|range| !bound.iter().any(|it| range.contains_range(*it)));
        edits.extend(others.map(|range| delete(lines(text, range + cx.start))));
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

/// Proposes to replace all occurrences of a number above 1 with a smaller number. Comments keep theirs.
fn with_smaller_numbers(db: &Database, file: SourceFile) -> Vec<Edit> {
    let mut places: BTreeMap<u64, Vec<TextRange>> = BTreeMap::new();
    let tree = file.source(db).parse.syntax();
    let tokens = tree.descendants_with_tokens();
    let tokens = tokens.filter_map(NodeOrToken::into_token);
    for token in tokens.filter(|it| it.kind() != SyntaxKind::COMMENT) {
        let mut at = token.text_range().start();
        for word in token.text().split_inclusive(|c: char| !is_of_number(c)) {
            let digits = word.trim_end_matches(|c: char| !is_of_number(c));
            if let Ok(number) = digits.parse::<u64>()
                && number > 1
            {
                let range = TextRange::at(at, TextSize::of(digits));
                places.entry(number).or_default().push(range);
            }
            at += TextSize::of(word);
        }
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

fn is_of_number(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}
