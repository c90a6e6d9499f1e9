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
mod unknown_dtype;
mod unknown_operator;
mod unknown_vdevice;
mod unsupported_statement;
mod unused_binding;
mod unused_function;

#[cfg(test)]
use criteria::CRITERIA;
use hir::{Code, Database, SourceFile};

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
        format!(
            "## {name}\n\n*{severity}*\n\n{}\n\nSource: {}.\n\nWrong:\n```python\n{}```\nRight:\n```python\n{}```\n{}\n",
            self.rule, self.source, self.wrong, self.right, self.fix
        )
    }
}

pub fn diagnostics(db: &Database, file: SourceFile) -> Vec<Diagnostic> {
    hir::file_diagnostics(db, file)
        .into_iter()
        .map(|diagnostic| Diagnostic {
            code: diagnostic.code.name(),
            severity: match diagnostic.severity {
                hir::Severity::Error => Severity::Error,
                hir::Severity::Warning => Severity::Warning,
                hir::Severity::Hint => Severity::Hint,
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

fn tags(code: Code, severity: hir::Severity) -> Vec<Tag> {
    match code {
        Code::UnusedBinding | Code::UnusedFunction => vec![Tag::Unnecessary],
        Code::OtherDialect if severity == hir::Severity::Hint => vec![Tag::Deprecated],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
