//! Looks up what is at a position of a file and what is in scope there. Features that start from a position start
//! here:
//!
//! - [`function_at`]: the function around the position;
//! - `mentions::mention_at`: the mention at the position, used by hover, definition, references and rename;
//! - [`RelaxPosition`]: the token and the expressions of a Relax function, for code without a name;
//! - [`Scope`]: the names in scope at a cursor, in incomplete text;
//! - [`FunctionContext`]: a whole function, for fixes and assists;
//! - [`spelling`]: how the file writes namespaces and StructInfo.

mod function_context;
mod scope;
pub mod spelling;

pub use function_context::FunctionContext;
pub use scope::{Scope, indent, var_at};

use hir::LazyFacts;
use hir::body::{Body, Expr, ExprId};
use hir::facts::Def;
use hir::{Database, Db, FunctionItem, ModuleItem, SourceFile, file_items};
use relax::FunctionKind;
use syntax::ast::AstNode;
use syntax::{SyntaxKind, SyntaxToken};
use text_size::{TextRange, TextSize};

/// A position in a Relax function. Ranges here and in facts are relative to the function's start.
pub struct RelaxPosition<'db> {
    pub function: FunctionItem<'db>,
    /// The offset of the function in the file.
    pub start: TextSize,
    pub token: SyntaxToken,
    pub body: &'db Body,
    pub facts: &'db LazyFacts,
}

/// Returns the range of a function in its file.
pub fn function_range(db: &dyn Db, function: FunctionItem<'_>) -> TextRange {
    let length = function.source(db).0.text_len();
    TextRange::at(function.offset(db), length)
}

/// Returns the range of the name in a function's `def`.
pub fn name_range(db: &Database, function: FunctionItem<'_>) -> Option<TextRange> {
    let name = function.source(db).def()?.name()?;
    Some(name.text_range() + function.offset(db))
}

/// Returns the module that contains a function.
pub fn module_of<'db>(db: &'db Database, function: FunctionItem<'db>) -> Option<ModuleItem<'db>> {
    let items = file_items(db, function.file(db));
    items.modules.get(function.module(db)? as usize).copied()
}

/// Returns the function whose text contains `offset`.
pub fn function_at(db: &Database, file: SourceFile, offset: TextSize) -> Option<FunctionItem<'_>> {
    let functions = &file_items(db, file).functions;
    let after = functions.partition_point(|function| function.offset(db) <= offset);
    let function = *functions.get(after.checked_sub(1)?)?;
    function_range(db, function)
        .contains_inclusive(offset)
        .then_some(function)
}

impl<'db> RelaxPosition<'db> {
    pub fn at(db: &'db Database, file: SourceFile, offset: TextSize) -> Option<RelaxPosition<'db>> {
        let function = function_at(db, file, offset)?;
        if function.kind(db) != FunctionKind::Relax {
            return None;
        }
        let start = function.offset(db);
        let tree = function.source(db).def()?;
        let tokens = syntax::tokens_at(tree.syntax(), offset - start);
        // Between two tokens, prefer a word, or a token that ends an expression.
        let token = tokens.max_by_key(|token| match token.kind() {
            SyntaxKind::IDENT | SyntaxKind::INT | SyntaxKind::FLOAT | SyntaxKind::STRING => 3,
            SyntaxKind::R_PAREN | SyntaxKind::R_BRACKET => 2,
            kind if kind.is_trivia() => 0,
            _ => 1,
        })?;
        if token.kind().is_trivia() {
            return None;
        }
        Some(RelaxPosition {
            function,
            start,
            token,
            body: hir::function_body(db, function),
            facts: hir::lazy_facts(db, function),
        })
    }

    /// Returns the expressions around the token, innermost first.
    pub fn expressions(&self) -> Vec<ExprId> {
        let token = self.token.text_range();
        let mut around: Vec<(TextSize, ExprId)> = self
            .body
            .expr_ranges_in(token)
            .filter(|(_, range)| range.contains_range(token))
            .map(|(expr, range)| (range.len(), expr))
            .collect();
        around.sort_by_key(|(length, _)| *length);
        around.into_iter().map(|(_, expr)| expr).collect()
    }

    /// Returns what the name under the token refers to, and the range of the name: all of `R.nn.relu`, or just `x`.
    pub fn definition(&self) -> Option<(Def, TextRange)> {
        let token = self.token.text_range();
        if let Some(var) = self.facts.var_named_at(token) {
            return Some((Def::Var(var.id), token));
        }
        if let Some(sym) = self.facts.sym_named_at(token) {
            return Some((Def::Sym(sym), token));
        }
        for expr in self.expressions() {
            if let Some(def) = self.facts.def(expr) {
                return Some((def.clone(), self.body.range(expr)));
            }
            // Climb from `R` and `R.nn` to `R.nn.relu`, and no further.
            let part_of_path = matches!(
                self.body.exprs[expr],
                Expr::Name(_) | Expr::Attribute { .. }
            );
            if !part_of_path {
                return None;
            }
        }
        None
    }
}
