//! The results of this project for a program, in the format of TVM's records.

use hir::facts::VarKind;
use hir::{Config, Database, Source, SourceFile};
use relax::diagnostics::Code;
use relax::release::Release;
use relax::sinfo::StructInfo;
use relax::{FunctionKind, Severity};
use salsa::Setter as _;

#[derive(Default)]
pub struct Conclusion {
    pub errors: Vec<Error>,
    /// Whether there is a warning about an operator that no known release has.
    pub warns_of_operator: bool,
    pub functions: Vec<Function>,
}

#[derive(Clone)]
pub struct Error {
    /// The first and the last line, from 1.
    pub lines: (usize, usize),
    pub code: &'static str,
    pub message: String,
}

/// A Relax function of a file or of another function.
#[derive(Clone)]
pub struct Function {
    /// `outer.inner` for a local function.
    pub name: String,
    pub line: usize,
    pub params: Vec<Var>,
    pub ret: StructInfo,
    pub pure: bool,
    /// Includes those of local functions.
    pub bindings: Vec<Var>,
}

/// A variable, at the line of the statement that binds it.
#[derive(Clone)]
pub struct Var {
    pub name: String,
    pub line: usize,
    pub info: StructInfo,
}

impl Conclusion {
    /// Returns the results for some lines.
    pub fn within(&self, first: usize, last: usize) -> Conclusion {
        let lines = first..=last;
        let errors = self.errors.iter();
        let functions = self.functions.iter();
        Conclusion {
            warns_of_operator: self.warns_of_operator,
            errors: errors
                .filter(|it| lines.contains(&it.lines.0))
                .cloned()
                .collect(),
            functions: functions
                .filter(|it| lines.contains(&it.line))
                .cloned()
                .collect(),
        }
    }
}

/// Reads `text` in `dialect`, or in the detected one.
pub fn conclude(text: &str, release: Option<Release>) -> Conclusion {
    let mut db = Database::default();
    Config::get(&db).set_target(&mut db).to(release);
    let file = SourceFile::new(&db, Source::new(text));
    let line_at = |offset: usize| 1 + text[..offset].matches('\n').count();
    let diagnostics = hir::file_diagnostics(&db, file);
    let mut all = diagnostics.iter();
    let warns_of_operator = all.any(|it| it.code == Code::UnknownOperator);
    let errors = diagnostics
        .iter()
        .filter(|it| it.severity == Severity::Error)
        .map(|it| Error {
            lines: (
                line_at(it.range.start().into()),
                line_at(it.range.end().into()),
            ),
            code: it.code.name(),
            message: it.message.clone(),
        })
        .collect();
    let mut functions = Vec::new();
    for &item in &hir::file_items(&db, file).functions {
        if item.kind(&db) != FunctionKind::Relax {
            continue;
        }
        let facts = hir::lazy_facts(&db, item);
        let start = item.offset(&db);
        let var_of = |var: hir::facts::Var<'_>| Var {
            name: var.name.to_string(),
            line: line_at((var.range + start).start().into()),
            info: var.struct_info.clone(),
        };
        for (index, function) in facts.functions.iter().enumerate() {
            let bound = facts.vars().filter(|var| var.kind != VarKind::Param);
            functions.push(Function {
                name: function.name.to_string(),
                line: line_at((function.name_range + start).start().into()),
                params: function
                    .params
                    .iter()
                    .map(|&it| var_of(facts.var(it)))
                    .collect(),
                ret: function.ret.clone(),
                pure: function.pure,
                bindings: bound
                    .filter(|var| index == 0 || var.function == index)
                    .map(var_of)
                    .collect(),
            });
        }
    }
    Conclusion {
        errors,
        warns_of_operator,
        functions,
    }
}
