//! A function with everything that fixes and assists need: text, tree, facts, dialect.
//!
//! Positions are relative to the function's start, as in its facts.

use std::cell::OnceCell;

use hir::LazyFacts;
use hir::body::{Body, Expr, ExprId};
use hir::facts::{Def, Var, VarId, VarKind};
use hir::{Database, FunctionItem, ModuleItem, SourceFile, file_items, file_releases};
use relax::ops::Purity;
use relax::release::Release;
use relax::script::Namespace;
use relax::sinfo::StructInfo;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};
use text_size::{TextRange, TextSize};

use super::spelling::{alias, written_among};
use super::{function_range, module_of};
use crate::lines::line_ending;
use crate::source_edit::SourceEdit;

pub struct FunctionContext<'db> {
    pub db: &'db Database,
    pub function: FunctionItem<'db>,
    /// The offset of the function in the file.
    pub start: TextSize,
    file_text: &'db str,
    pub tree: ast::FunctionDef,
    pub body: &'db Body,
    pub facts: &'db LazyFacts,
    pub release: Release,
    /// The oldest release that the file may be written for.
    pub oldest: Release,
    /// The names of the shape variables that the function declares.
    declared: OnceCell<FxHashSet<SmolStr>>,
}

impl<'db> FunctionContext<'db> {
    /// Returns the functions of every kind that `range` touches. Functions other than Relax functions have no facts
    /// here.
    pub fn touching(
        db: &'db Database,
        file: SourceFile,
        range: TextRange,
    ) -> impl Iterator<Item = FunctionContext<'db>> {
        let functions = &file_items(db, file).functions;
        let first = functions.partition_point(|it| function_range(db, *it).end() < range.start());
        functions[first..]
            .iter()
            .copied()
            .take_while(move |&it| it.offset(db) <= range.end())
            .filter_map(move |it| FunctionContext::new(db, file, it))
    }

    pub fn new(
        db: &'db Database,
        file: SourceFile,
        function: FunctionItem<'db>,
    ) -> Option<FunctionContext<'db>> {
        let releases = file_releases(db, file);
        Some(FunctionContext {
            db,
            function,
            start: function.offset(db),
            file_text: &file.source(db).text,
            tree: function.source(db).def()?,
            body: hir::function_body(db, function),
            facts: hir::lazy_facts(db, function),
            release: releases.until,
            oldest: releases.since,
            declared: OnceCell::new(),
        })
    }

    pub fn text(&self) -> &'db str {
        let length = self.tree.syntax().text_range().len();
        &self.file_text[TextRange::at(self.start, length)]
    }

    pub fn slice(&self, range: TextRange) -> &'db str {
        &self.text()[range]
    }

    /// Returns `true` if every call in an expression is a call of an operator without effects.
    pub fn is_pure(&self, value: ExprId) -> bool {
        let within = self.body.range(value);
        self.body
            .expr_ranges_in(within)
            .filter(|(_, range)| within.contains_range(*range))
            .all(|(expr, _)| match &self.body.exprs[expr] {
                Expr::Call { callee, .. } => {
                    let def = self.facts.def(*callee);
                    matches!(def, Some(Def::Op(op)) if op.0.purity == Purity::Pure)
                }
                Expr::Walrus { .. }
                | Expr::Format(_)
                | Expr::Python(_)
                | Expr::Suspended { .. } => false,
                _ => true,
            })
    }

    /// Returns the indentation of the line at `at`.
    pub fn indent(&self, at: TextSize) -> &'db str {
        let at = usize::from(self.start + at);
        let line = self.file_text[..at].rfind('\n').map_or(0, |it| it + 1);
        let rest = &self.file_text[line..];
        &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
    }

    /// Returns the line ending that the file uses.
    pub fn newline(&self) -> &'static str {
        line_ending(self.file_text)
    }

    /// Returns the whole lines that `range` touches, including the last line ending.
    pub fn lines(&self, range: TextRange) -> TextRange {
        let text = self.text();
        let start = text[..range.start().into()].rfind('\n');
        let from = usize::from(range.end());
        // A compound statement ends after its last line ending.
        let ended = from > range.start().into() && text[..from].ends_with('\n');
        let end = match text[from..].find('\n') {
            _ if ended => from,
            Some(length) => from + length + 1,
            None => text.len(),
        };
        let size = |at: usize| TextSize::new(at as u32);
        TextRange::new(size(start.map_or(0, |it| it + 1)), size(end))
    }

    /// Returns `true` if the lines of `range` contain nothing else except whitespace and a comment.
    pub fn alone_on_its_lines(&self, range: TextRange) -> bool {
        let lines = self.lines(range);
        let before = self.slice(TextRange::new(lines.start(), range.start()));
        let after = self
            .slice(TextRange::new(range.end().min(lines.end()), lines.end()))
            .trim_start_matches([' ', '\t']);
        before.trim().is_empty() && (after.starts_with('#') || after.trim().is_empty())
    }

    /// Converts a range of the file to one relative to the function, clipped to the function.
    pub fn relative(&self, range: TextRange) -> Option<TextRange> {
        let whole = TextRange::at(self.start, self.tree.syntax().text_range().len());
        Some(range.intersect(whole)? - self.start)
    }

    /// Returns `true` if the cursor is in the decorators or the header of the function.
    pub fn is_at_header(&self, range: TextRange) -> bool {
        let body = self.tree.body();
        body.is_some_and(|body| range.end() <= body.range().start())
    }

    /// Returns one step of indentation, as the function's body uses it.
    pub fn indent_step(&self) -> &'db str {
        let first = self.tree.body().and_then(|suite| suite.stmts().next());
        let inner = first.map_or("", |first| self.indent(first.range().start()));
        inner
            .strip_prefix(self.indent(0.into()))
            .filter(|step| !step.is_empty())
            .unwrap_or("    ")
    }

    /// Returns `true` if only whitespace is before `range` on its line.
    pub fn starts_its_line(&self, range: TextRange) -> bool {
        let before = TextRange::new(self.lines(range).start(), range.start());
        self.slice(before).trim().is_empty()
    }

    /// Indents the lines of `range` by one step. Returns `None` if a string spans several of them.
    pub fn indented(&self, range: TextRange) -> Option<SourceEdit> {
        let step = self.indent_step();
        self.each_line(range, |edit, at, _| edit.and_insert(at, step))
    }

    /// Removes `step` after `outer` from the indentation of each line in `range`, if every line has it.
    pub fn dedented(&self, range: TextRange, outer: &str, step: &str) -> Option<SourceEdit> {
        let from = TextSize::of(outer);
        let mut all = true;
        let edit = self.each_line(range, |edit, at, line| {
            all &= line
                .strip_prefix(outer)
                .is_some_and(|it| it.starts_with(step));
            edit.and_delete(TextRange::at(at + from, TextSize::of(step)))
        });
        edit.filter(|_| all)
    }

    /// Applies an edit to every non-blank line of `range`.
    fn each_line(
        &self,
        range: TextRange,
        mut change: impl FnMut(SourceEdit, TextSize, &str) -> SourceEdit,
    ) -> Option<SourceEdit> {
        let lines = self.lines(range);
        let text = self.slice(lines);
        if text.contains("\"\"\"") || text.contains("'''") {
            return None;
        }
        let (mut edit, mut at) = (SourceEdit::default(), lines.start());
        for line in text.split_inclusive('\n') {
            if !line.trim().is_empty() {
                edit = change(edit, at, line);
            }
            at += TextSize::of(line);
        }
        Some(edit)
    }

    /// Returns the file's name for `R`, `T` or `I`.
    pub fn alias(&self, namespace: Namespace) -> SmolStr {
        alias(self.function.env(self.db), namespace)
    }

    /// Returns a name of Relax's namespace as the file writes it, usually `R.astype`.
    pub fn relax(&self, name: &str) -> String {
        format!("{}.{name}", self.alias(Namespace::Relax))
    }

    /// Returns the module that contains the function.
    pub fn module(&self) -> Option<ModuleItem<'db>> {
        module_of(self.db, self.function)
    }

    /// Writes StructInfo in the file's dialect.
    pub fn written(&self, sinfo: &StructInfo) -> String {
        self.written_within(sinfo, usize::MAX)
    }

    /// Like `written`, truncated after `most` bytes.
    pub fn written_within(&self, sinfo: &StructInfo, most: usize) -> String {
        let devices = self.module().map_or(&[][..], |it| it.vdevices(self.db));
        let env = self.function.env(self.db);
        written_among(sinfo, self.release, env, (devices, most))
    }

    /// Returns `true` if the function declares a shape variable of this name: `n = T.int64()`.
    pub fn declares(&self, name: &str) -> bool {
        let declared = self
            .declared
            .get_or_init(|| self.facts.declared_syms().collect());
        declared.contains(name)
    }

    /// Returns the variables of the function around `range` that are bound before it, in order.
    pub fn vars_before(&self, range: TextRange) -> impl Iterator<Item = Var<'db>> {
        let own = self.facts.function_at(range);
        self.facts.vars().filter(move |var| {
            var.function == own
                && var.name_range.end() <= range.start()
                && !var.range.contains_range(range)
                && var.kind != VarKind::Function
                && !var.name.starts_with('_')
        })
    }

    /// Returns the uses of a variable.
    pub fn uses(&self, var: VarId) -> impl Iterator<Item = TextRange> {
        let named = self
            .facts
            .defs()
            .filter(move |(_, def)| **def == Def::Var(var));
        named.map(|(expr, _)| self.body.range(expr))
    }

    /// Returns the names in an expression.
    pub fn names_in(&self, range: TextRange) -> Vec<&'db str> {
        let words = self
            .slice(range)
            .split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|it| !it.is_empty()).collect()
    }

    /// Returns `name`, with a number appended if the function already has a variable of this name.
    pub fn free_name(&self, name: &str) -> String {
        self.free_name_besides(name, &[])
    }

    pub fn free_name_besides(&self, name: &str, also_taken: &[&str]) -> String {
        let taken =
            |name: &str| also_taken.contains(&name) || self.facts.vars().any(|it| it.name == name);
        if !taken(name) {
            return name.to_owned();
        }
        let mut numbered = (1..).map(|number| format!("{name}{number}"));
        numbered
            .find(|name| !taken(name))
            .expect("there are more numbers than names")
    }

    /// Returns the smallest node that covers `range`.
    pub fn covering(&self, range: TextRange) -> Option<SyntaxNode> {
        let root = self.tree.syntax();
        if !root.text_range().contains_range(range) {
            return None;
        }
        if range.is_empty() {
            // A cursor belongs to the token that begins there, not to the one that ends there.
            let tokens = syntax::tokens_at(root, range.start());
            let token = tokens.max_by_key(|it| (!it.kind().is_trivia(), it.text_range().start()));
            return token?.parent();
        }
        let found = root.covering_element(range);
        Some(match found {
            syntax::NodeOrToken::Node(node) => node,
            syntax::NodeOrToken::Token(token) => token.parent()?,
        })
    }

    /// Returns the innermost node of type `N` around `range`.
    pub fn around<N: AstNode>(&self, range: TextRange) -> Option<N> {
        self.covering(range)?.ancestors().find_map(N::cast)
    }

    /// Returns the decorated or local function around `range`.
    pub fn function_def(&self, range: TextRange) -> ast::FunctionDef {
        self.around(range).unwrap_or_else(|| self.tree.clone())
    }
}
