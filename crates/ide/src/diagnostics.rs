//! Diagnostics as an editor shows them, and the page about each code.
//!
//! What is wrong, hir says; this adds what a person should know of the rule. One file for each code.

mod annotation_mismatch;
mod argument_count;
mod argument_type;
mod argument_value;
mod binding_after_output;
mod branch_variable_mismatch;
mod conflicting_purity;
mod control_flow_in_dataflow;
pub mod criteria;
mod dataflow_var_captured;
mod dataflow_var_outside_block;
mod dtype_mismatch;
mod global_symbol_mismatch;
mod ignored_argument;
mod impossible_cast;
mod impure_call_in_dataflow;
mod impure_call_in_pure_function;
mod index_count;
mod invalid_annotation;
mod invalid_output;
mod iteration_count;
mod misplaced_block_statement;
mod misplaced_return;
mod missing_annotation;
mod missing_else;
mod missing_output;
mod missing_return;
mod no_entry_point;
mod no_fitting_call;
mod not_a_tuple;
mod not_callable;
mod other_dialect;
mod rank_mismatch;
mod recursion_in_dataflow;
mod recursion_without_annotation;
mod redefinition;
mod return_mismatch;
mod shape_mismatch;
mod syntax_error;
mod tuple_index_out_of_range;
mod unbound_shape_variable;
mod unbound_value;
mod undefined_function;
mod undefined_name;
mod unknown_argument;
mod unknown_attribute;
mod unknown_dtype;
mod unknown_operator;
mod unknown_vdevice;
mod unsupported_statement;
mod unused_binding;
mod unused_function;

#[cfg(test)]
use criteria::CRITERIA;
use hir::{Database, SourceFile};
use relax::Code;
use text_size::{TextRange, TextSize};

use crate::types::{Diagnostic, RelatedInformation, Severity, Tag};

/// What there is to know of a code.
pub struct Page {
    pub code: Code,
    /// What must hold, in a sentence or two.
    pub rule: &'static str,
    /// Where that is written.
    pub source: &'static str,
    /// A program that breaks the rule, and nothing else.
    pub wrong: &'static str,
    /// The same, corrected.
    pub right: &'static str,
    pub fix: &'static str,
}

/// The page of each code, in the order of hir's table.
#[rustfmt::skip]
pub static PAGES: &[&Page] = &[
    &syntax_error::PAGE,
    &unsupported_statement::PAGE,
    &undefined_name::PAGE,
    &undefined_function::PAGE,
    &dataflow_var_outside_block::PAGE,
    &dataflow_var_captured::PAGE,
    &control_flow_in_dataflow::PAGE,
    &recursion_in_dataflow::PAGE,
    &impure_call_in_dataflow::PAGE,
    &impure_call_in_pure_function::PAGE,
    &conflicting_purity::PAGE,
    &global_symbol_mismatch::PAGE,
    &missing_output::PAGE,
    &invalid_output::PAGE,
    &binding_after_output::PAGE,
    &missing_return::PAGE,
    &misplaced_return::PAGE,
    &missing_else::PAGE,
    &branch_variable_mismatch::PAGE,
    &missing_annotation::PAGE,
    &recursion_without_annotation::PAGE,
    &invalid_annotation::PAGE,
    &annotation_mismatch::PAGE,
    &return_mismatch::PAGE,
    &impossible_cast::PAGE,
    &unbound_value::PAGE,
    &shape_mismatch::PAGE,
    &rank_mismatch::PAGE,
    &dtype_mismatch::PAGE,
    &argument_type::PAGE,
    &argument_value::PAGE,
    &argument_count::PAGE,
    &unknown_argument::PAGE,
    &ignored_argument::PAGE,
    &not_callable::PAGE,
    &unknown_attribute::PAGE,
    &unknown_operator::PAGE,
    &unknown_dtype::PAGE,
    &unknown_vdevice::PAGE,
    &tuple_index_out_of_range::PAGE,
    &not_a_tuple::PAGE,
    &unbound_shape_variable::PAGE,
    &index_count::PAGE,
    &iteration_count::PAGE,
    &misplaced_block_statement::PAGE,
    &redefinition::PAGE,
    &other_dialect::PAGE,
    &no_entry_point::PAGE,
    &no_fitting_call::PAGE,
    &unused_binding::PAGE,
    &unused_function::PAGE,
];

/// What the programs on the pages begin with.
pub const IMPORTS: &str = "from tvm.script import ir as I, relax as R, tir as T\n\n";

/// The page of a code by its name.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.iter().copied().find(|page| page.code.name() == code)
}

impl Page {
    pub fn markdown(&self) -> String {
        let name = self.code.name();
        let severity = self.code.severity().name();
        let unchecked = if self.code.is_of_form() {
            ", warning under `check_well_formed=False`"
        } else {
            ""
        };
        format!(
            "## {name}\n\n*{severity}{unchecked}*\n\n{}\n\nSource: {}.\n\nWrong:\n```python\n{}```\nRight:\n```python\n{}```\n{}\n",
            self.rule, self.source, self.wrong, self.right, self.fix
        )
    }
}

pub fn diagnostics(db: &Database, file: SourceFile) -> Vec<Diagnostic> {
    let found = hir::file_diagnostics(db, file);
    let broken = broken_lines(&file.source(db).text, &found);
    let follows = |it: &relax::Diagnostic| {
        let at = broken.partition_point(|line| line.end() < it.range.start());
        let line = broken.get(at);
        it.code != Code::SyntaxError && line.is_some_and(|line| line.intersect(it.range).is_some())
    };
    found
        .into_iter()
        .filter(|diagnostic| !follows(diagnostic))
        .map(|diagnostic| Diagnostic {
            code: diagnostic.code.name(),
            severity: match diagnostic.severity {
                relax::Severity::Error => Severity::Error,
                relax::Severity::Warning => Severity::Warning,
                relax::Severity::Hint => Severity::Hint,
            },
            range: diagnostic.range,
            message: diagnostic.message,
            related: diagnostic
                .related
                .into_iter()
                .map(|(range, message)| RelatedInformation { range, message })
                .collect(),
            tags: tags(diagnostic.code, diagnostic.severity),
        })
        .collect()
}

/// The lines that are no Python, or not yet: what else is wrong there comes of that.
fn broken_lines(text: &str, found: &[relax::Diagnostic]) -> Vec<TextRange> {
    let line = |range: TextRange| {
        let at = usize::from(range.start());
        let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
        let end = text[at..]
            .find('\n')
            .map_or(text.len(), |length| at + length);
        TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
    };
    let errors = found.iter().filter(|it| it.code == Code::SyntaxError);
    let places = errors.flat_map(|it| {
        let opened = it.related.iter().map(|(range, _)| *range);
        opened.chain([it.range])
    });
    let mut lines: Vec<TextRange> = places.map(line).collect();
    lines.sort_by_key(|line| line.start());
    lines.dedup();
    lines
}

fn tags(code: Code, severity: relax::Severity) -> Vec<Tag> {
    match code {
        Code::UnusedBinding | Code::UnusedFunction => vec![Tag::Unnecessary],
        Code::OtherDialect if severity == relax::Severity::Hint => vec![Tag::Deprecated],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
