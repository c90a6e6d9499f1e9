//! Finds the parts of a file that are TVMScript to format, and the functions in them to leave alone.

use hir::{Database, FunctionItem, SourceFile, file_items};
use relax::FunctionKind;
use syntax::ast::{self, AstNode};
use syntax::{GreenNode, SyntaxNode};
use text_size::{TextRange, TextSize};

use crate::semantics::function_range;

/// A module, or a function outside of modules.
pub struct Region {
    pub green: GreenNode,
    pub start: TextSize,
    /// Functions in it that are left as they are, in the order of the file.
    pub alone: Vec<TextRange>,
}

impl Region {
    pub fn range(&self) -> TextRange {
        TextRange::at(self.start, self.green.text_len())
    }
}

pub fn regions(db: &Database, file: SourceFile) -> Vec<Region> {
    let source = file.source(db);
    let root = source.parse.syntax();
    let off = switched_off(&source.text);
    let errors = merged(source.parse.errors.iter().map(|it| it.range));
    let is_alone = |function: FunctionItem<'_>| {
        let range = function_range(db, function);
        function.kind(db) == FunctionKind::Python
            || !touching(&off, range).is_empty()
            || !touching(&errors, range).is_empty()
    };
    let items = file_items(db, file);
    let mut regions = Vec::new();
    let mut functions: Vec<FunctionItem<'_>> = Vec::new();
    for module in &items.modules {
        let members = module.functions(db).iter().copied();
        let (alone, formatted): (Vec<FunctionItem<'_>>, Vec<_>) =
            members.partition(|it| is_alone(*it));
        let alone: Vec<TextRange> = alone.iter().map(|it| function_range(db, *it)).collect();
        let class = class_at(&root, module.range(db));
        let between = |places: &[TextRange]| {
            let mut places = touching(places, module.range(db)).iter();
            places.any(|it| {
                let around = touching(&alone, *it);
                !around.iter().any(|function| function.contains_range(*it))
            })
        };
        let whole = class.filter(|class| {
            let moves = !alone.is_empty() && !is_indented_by_a_step(class, &source.text);
            !moves && !between(&errors) && !between(&off)
        });
        match whole {
            Some(class) => regions.push(Region {
                green: class.syntax().green().into_owned(),
                start: class.range().start(),
                alone,
            }),
            None => functions.extend(formatted),
        }
    }
    functions.extend(items.functions.iter().filter(|it| it.module(db).is_none()));
    for function in functions {
        if !is_alone(function) {
            regions.push(Region {
                green: function.source(db).0.clone(),
                start: function.offset(db),
                alone: Vec::new(),
            });
        }
    }
    regions.sort_by_key(|it| it.start);
    regions
}

/// Merges ranges that overlap, given in the order of their starts.
fn merged(ranges: impl Iterator<Item = TextRange>) -> Vec<TextRange> {
    let mut merged: Vec<TextRange> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start() < last.end() => *last = last.cover(range),
            _ => merged.push(range),
        }
    }
    merged
}

/// Returns those of some ranges, whose starts and ends are ascending, that overlap or touch a range.
fn touching(places: &[TextRange], range: TextRange) -> &[TextRange] {
    let first = places.partition_point(|it| it.end() < range.start());
    let after = places.partition_point(|it| it.start() <= range.end());
    &places[first..after.max(first)]
}

fn class_at(root: &SyntaxNode, range: TextRange) -> Option<ast::ClassDef> {
    let found = root.covering_element(range);
    let node = match found {
        syntax::NodeOrToken::Node(node) => node,
        syntax::NodeOrToken::Token(token) => token.parent()?,
    };
    node.ancestors()
        .filter_map(ast::ClassDef::cast)
        .find(|it| it.range() == range)
}

/// Returns `true` if formatting keeps the column of a class's members.
fn is_indented_by_a_step(class: &ast::ClassDef, text: &str) -> bool {
    let column = |at: TextSize| {
        let line = &text[..at.into()];
        line.len() - line.rfind('\n').map_or(0, |it| it + 1)
    };
    let first = class.body().and_then(|it| it.stmts().next());
    let outer = column(class.range().start());
    first.is_none_or(|first| column(first.range().start()) == outer + super::STEP as usize)
}

/// Returns the ranges between `# fmt: off` and `# fmt: on`.
fn switched_off(text: &str) -> Vec<TextRange> {
    let size = |at: usize| TextSize::new(at as u32);
    let mut ranges = Vec::new();
    let mut since = None;
    for (at, mark) in text.match_indices("# fmt: o") {
        let word = &text[at + mark.len() - 1..];
        if word.starts_with("off") {
            since.get_or_insert(at);
        } else if word.starts_with("on")
            && let Some(since) = since.take()
        {
            ranges.push(TextRange::new(size(since), size(at)));
        }
    }
    ranges.extend(since.map(|since| TextRange::new(size(since), size(text.len()))));
    ranges
}
