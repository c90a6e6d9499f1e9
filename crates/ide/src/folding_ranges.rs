//! Folding ranges: suites, multi-line brackets, runs of imports and comments, regions.

use hir::{Database, SourceFile};
use rustc_hash::FxHashMap;
use syntax::ast::AstNode;
use syntax::{SyntaxKind as K, SyntaxNode};
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::relay;
use crate::types::{FileId, Fold, FoldKind};

impl Analysis {
    /// Returns the folding ranges of a file.
    pub fn folding_ranges(&self, file: FileId) -> Cancellable<Vec<Fold>> {
        self.with_file(file, |db, file| match hir::relay_file(db, file) {
            Some(relay) => relay::folding_ranges::folding_ranges(relay, &file.source(db).text),
            None => folding_ranges(db, file),
        })
    }
}

fn folding_ranges(db: &Database, file: SourceFile) -> Vec<Fold> {
    let source = file.source(db);
    let text = &*source.text;
    let newlines = text.match_indices('\n');
    let mut folding = Folding {
        text,
        newlines: newlines.map(|(at, _)| TextSize::new(at as u32)).collect(),
        folds: Vec::new(),
    };
    folding.node(source.parse.tree().syntax());
    folding.comments();
    folding
        .folds
        .sort_by_key(|fold| (fold.range.start(), fold.range.end()));
    folding.by_lines()
}

struct Folding<'t> {
    text: &'t str,
    newlines: Vec<TextSize>,
    folds: Vec<Fold>,
}

impl Folding<'_> {
    fn spans_lines(&self, range: TextRange) -> bool {
        let next = self.newlines.partition_point(|&at| at < range.start());
        self.newlines.get(next).is_some_and(|&at| at < range.end())
    }

    fn line(&self, offset: TextSize) -> usize {
        self.newlines.partition_point(|&at| at < offset)
    }

    /// Editors hide whole lines, and drop a fold that begins on the last line of another fold. So this shortens the
    /// other one.
    fn by_lines(mut self) -> Vec<Fold> {
        let mut folds = std::mem::take(&mut self.folds);
        let lines = |it: &Fold| (self.line(it.range.start()), self.line(it.range.end()));
        let begun: FxHashMap<usize, usize> = folds.iter().rev().map(lines).collect();
        folds.retain_mut(|fold| {
            let (start, end) = lines(fold);
            if begun.get(&end).is_some_and(|further| *further > end) {
                fold.range = TextRange::new(fold.range.start(), self.newlines[end - 1]);
            }
            start < self.line(fold.range.end())
        });
        folds.dedup_by_key(|it| lines(it));
        folds
    }

    fn add(&mut self, range: TextRange, kind: FoldKind) {
        // Exclude the line end and the blank lines after a suite.
        let kept = self.text[range].trim_end().len();
        let range = TextRange::at(range.start(), TextSize::new(kept as u32));
        if self.spans_lines(range) {
            self.folds.push(Fold { range, kind });
        }
    }

    /// Visits only nodes that span several lines, since only these can contain a fold.
    fn node(&mut self, node: &SyntaxNode) {
        let mut imports: Option<TextRange> = None;
        for child in node.children() {
            let range = child.text_range();
            match child.kind() {
                K::IMPORT_STMT | K::IMPORT_FROM_STMT => {
                    imports = Some(imports.map_or(range, |run| run.cover(range)));
                }
                _ => {
                    if let Some(run) = imports.take() {
                        self.add(run, FoldKind::Imports);
                    }
                }
            }
            if !self.spans_lines(range) {
                continue;
            }
            match child.kind() {
                K::SUITE
                | K::ARG_LIST
                | K::PARAM_LIST
                | K::TYPE_PARAM_LIST
                | K::LIST_EXPR
                | K::DICT_EXPR
                | K::SET_EXPR
                | K::TUPLE_EXPR
                | K::PAREN_EXPR
                | K::SUBSCRIPT_EXPR
                | K::STRING_LIT => self.add(range, FoldKind::Region),
                _ => {}
            }
            self.node(&child);
        }
        if let Some(run) = imports {
            self.add(run, FoldKind::Imports);
        }
    }

    /// Adds runs of comment lines, and the lines between `# region` and `# endregion`.
    fn comments(&mut self) {
        let mut run: Option<TextRange> = None;
        let mut regions = Vec::new();
        let mut at = TextSize::from(0);
        let mut found = Vec::new();
        for line in self.text.split_inclusive('\n') {
            let range = TextRange::at(at, TextSize::of(line));
            at = range.end();
            let Some(comment) = line.trim_start().strip_prefix('#') else {
                found.extend(run.take().map(|run| (run, FoldKind::Comment)));
                continue;
            };
            let comment = comment.trim_start();
            if comment.starts_with("region") {
                regions.push(range);
            } else if comment.starts_with("endregion") {
                let region = regions.pop().map(|start: TextRange| start.cover(range));
                found.extend(region.map(|region| (region, FoldKind::Region)));
            } else {
                run = Some(run.map_or(range, |run| run.cover(range)));
                continue;
            }
            found.extend(run.take().map(|run| (run, FoldKind::Comment)));
        }
        found.extend(run.map(|run| (run, FoldKind::Comment)));
        for (range, kind) in found {
            self.add(range, kind);
        }
    }
}
