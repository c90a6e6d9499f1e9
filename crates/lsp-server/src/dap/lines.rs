//! The lines of a file at which a run can stop.

use std::path::Path;

use hir::tir::Stmt;
use hir::{FunctionItem, file_items, function_program};
use relax::{FunctionKind, Release};
use text_size::TextRange;

use crate::compilation::files::Files;
use crate::line_index::LineColumns;

/// The first and the last line of each statement.
pub(super) struct Lines(Vec<(u32, u32)>);

impl Lines {
    pub fn of(path: &Path, release: Option<Release>) -> anyhow::Result<Lines> {
        let read = Files::on_disk(release).analysis(path)?;
        let columns = LineColumns::new(&read.text);
        let Some((db, source)) = read.analysis.hir(read.file) else {
            return Ok(Lines(Vec::new()));
        };
        let mut ranges = Vec::new();
        let functions = &file_items(db, source).functions;
        let of_kind = |kind| {
            functions
                .iter()
                .copied()
                .filter(move |it| it.kind(db) == kind)
        };
        let relax: Vec<FunctionItem> = of_kind(FunctionKind::Relax).collect();
        for module in relax.chunk_by(|a, b| a.module(db) == b.module(db)) {
            ranges.extend(vm::lower::places(db, module));
        }
        for function in of_kind(FunctionKind::PrimFunc) {
            let program = function_program(db, function);
            let body = program.as_ref().map_or(&[][..], |it| &it.body);
            statements(body, &mut |range| ranges.push(range + function.offset(db)));
        }
        let line = |at| columns.line_col(at).0;
        let ranges = ranges.iter().filter(|it| !it.is_empty());
        let lines = ranges.map(|it| (line(it.start()), line(it.end())));
        Ok(Lines(lines.collect()))
    }

    /// Returns the line at which a run stops for a breakpoint in this line: that of the statement in it.
    pub fn bind(&self, line: u32) -> Option<u32> {
        let around = self.0.iter().filter(|it| (it.0..=it.1).contains(&line));
        around.map(|it| it.0).max()
    }
}

/// Calls `found` with the ranges of statements. A statement with others inside is only its first line.
fn statements(body: &[Stmt], found: &mut dyn FnMut(TextRange)) {
    for stmt in body {
        let bodies = stmt.bodies();
        if bodies.iter().all(|it| it.is_empty()) {
            found(stmt.range);
        } else {
            found(TextRange::at(stmt.range.start(), 1.into()));
        }
        for body in bodies {
            statements(body, found);
        }
    }
}
