//! The scope at a cursor in incomplete text: the function and module around it, the Python scope, and the names.

use relax::dialect::Dialect;
use relax::release::{Release, Releases};
use std::sync::Arc;

use hir::LazyFacts;
use hir::body::{Body, Expr, Function, Name, Run, Stmt, StmtKind, Target};
use hir::enclosing::{Env, PyValue};
use hir::facts::Var;
use hir::{Database, FunctionItem, ModuleItem, SourceFile, file_items, file_releases};
use relax::FunctionKind;
use relax::script::{Namespace, ScriptPath};
use relax::sinfo::StructInfo;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::spelling::{alias, module_alias, written};
use super::{function_range, module_of};
use crate::cursor::Cursor;

/// The maximum distance between the end of a function and a cursor after it that can still belong to it.
const MAX_GAP: usize = 4096;

pub struct Scope<'db> {
    pub db: &'db Database,
    pub text: &'db str,
    pub releases: Releases,
    pub offset: TextSize,
    /// The start of the cursor's logical line.
    line: TextSize,
    pub function: Option<FunctionItem<'db>>,
    pub module: Option<ModuleItem<'db>>,
    pub env: Arc<Env>,
}

impl<'db> Scope<'db> {
    pub fn new(db: &'db Database, file: SourceFile, cursor: &Cursor) -> Scope<'db> {
        let offset = cursor.offset;
        let text: &str = &file.source(db).text;
        let items = file_items(db, file);
        let holds = |range: TextRange| range.start() <= offset && holds(text, range, offset);
        let before = items
            .functions
            .partition_point(|function| function.offset(db) <= offset);
        let function = before
            .checked_sub(1)
            .map(|last| items.functions[last])
            .filter(|&function| holds(function_range(db, function)));
        let module = match function {
            Some(function) => module_of(db, function),
            None => items
                .modules
                .iter()
                .copied()
                .find(|module| holds(module.range(db))),
        };
        Scope {
            db,
            text,
            releases: file_releases(db, file),
            offset,
            line: cursor
                .line
                .first
                .map_or(cursor.word.start(), |_| cursor.line.start),
            function,
            module,
            env: function.map_or_else(
                || hir::file_env(db, file),
                |function| Arc::clone(function.env(db)),
            ),
        }
    }

    /// Returns the release that the file is read as.
    pub fn release(&self) -> Release {
        self.releases.until
    }

    pub fn kind(&self) -> Option<FunctionKind> {
        self.function.map(|function| function.kind(self.db))
    }

    pub fn body(&self) -> Option<&'db Body> {
        Some(hir::function_body(self.db, self.function?))
    }

    /// Returns the facts of the Relax function around the cursor.
    pub fn facts(&self) -> Option<&'db LazyFacts> {
        let function = self.function?;
        let is_relax = function.kind(self.db) == FunctionKind::Relax;
        is_relax.then(|| hir::lazy_facts(self.db, function))
    }

    /// Converts an offset of the file to one relative to the function.
    pub fn relative(&self, offset: TextSize) -> TextSize {
        let start = self
            .function
            .map_or(TextSize::new(0), |function| function.offset(self.db));
        offset.checked_sub(start).unwrap_or_default()
    }

    /// Resolves a dotted name to a TVMScript name.
    pub fn script(&self, names: &[SmolStr]) -> Option<ScriptPath> {
        self.env.script_path(names)
    }

    /// Returns the file's name for a namespace, usually `R`.
    pub fn alias(&self, namespace: Namespace) -> SmolStr {
        alias(&self.env, namespace)
    }

    /// Writes StructInfo as the file does here.
    pub fn written(&self, sinfo: &StructInfo) -> String {
        written(sinfo, self.release(), &self.env)
    }

    /// Returns the functions of the module, or the functions next to this one if there is no module.
    pub fn functions(&self) -> &'db [FunctionItem<'db>] {
        self.module.map_or(&[], |module| module.functions(self.db))
    }

    pub fn function_named(&self, name: &str) -> Option<FunctionItem<'db>> {
        self.functions()
            .iter()
            .copied()
            .find(|function| function.name(self.db) == name)
    }

    /// Returns `true` if a name refers to the module around the cursor, directly or through an alias in the function.
    pub fn is_module(&self, name: &str) -> bool {
        self.module.is_some_and(|module| {
            name == "cls"
                || name == module.name(self.db)
                || self.module_alias().as_deref() == Some(name)
        })
    }

    /// Returns the alias of the module in this function, such as `cls`.
    pub fn module_alias(&self) -> Option<SmolStr> {
        let module = self.module?.name(self.db);
        if self.release().dialect() == Dialect::Rfc {
            return None;
        }
        let alias = self.body().and_then(|body| module_alias(body, &module));
        Some(alias.unwrap_or(module))
    }

    /// Returns the names bound before the cursor in the enclosing blocks that are wanted, the nearest first.
    pub fn names<'a>(
        &self,
        is_wanted: &'a dyn Fn(&str) -> bool,
    ) -> impl Iterator<Item = &'db Name> + use<'a, 'db> {
        let mut reached = Reached::default();
        let body = self.body();
        let function = body.map(|body| &body.function);
        let at = self.relative(self.line);
        let mut runs = function.map(|function| function.body.back_from(at).peekable());
        if let Some(runs) = &mut runs {
            if let Some(Run::WithEnd) = runs.peek()
                && self.is_inside_last(runs.clone())
            {
                runs.next();
            }
            // The cursor may be inside the statement before it.
            let empty = |run: &Run<'_>| matches!(run, Run::Statements(it) if it.get().is_empty());
            while runs.next_if(empty).is_some() {}
            if let Some(Run::Statements(block)) =
                runs.next_if(|run| matches!(run, Run::Statements(_)))
            {
                self.enter(block.get(), &mut reached);
            }
        }
        let near = reached.blocks.into_iter().rev().flat_map(move |block| {
            let before = block.before.iter().rev();
            let own = before.flat_map(move |stmt| bound_after(stmt, body));
            let function = block.function.into_iter();
            let params = function.flat_map(|function| function.params.iter().map(|it| &it.name));
            own.chain(block.targets).chain(params)
        });
        let further = body.zip(runs).into_iter();
        let further = further.flat_map(move |(body, runs)| names_of_runs(body, runs, is_wanted));
        let params = function
            .into_iter()
            .flat_map(|function| function.params.iter());
        let all = near.chain(further).chain(params.map(|param| &param.name));
        all.filter(|name| is_wanted(&name.text))
    }

    /// Returns `true` if the cursor is after the end of a `with`, but indented like its body.
    fn is_inside_last<'b>(&self, runs: impl Iterator<Item = Run<'b>>) -> bool {
        let start = self.function.map(|function| function.offset(self.db));
        let inner = runs.skip(1).find_map(|run| match run {
            Run::Statements(stmts) => stmts.get().first(),
            Run::With(_) | Run::WithEnd => None,
        });
        inner.zip(start).is_some_and(|(inner, start)| {
            indent(self.text, self.offset) >= indent(self.text, inner.range.start() + start)
        })
    }

    fn enter<'b>(&self, block: &'b [Stmt], reached: &mut Reached<'b>) {
        let at = self.relative(self.line);
        let after = block.partition_point(|stmt| stmt.range.start() < at);
        let Some((last, before)) = block[..after].split_last() else {
            return;
        };
        let start = self
            .function
            .map_or(TextSize::new(0), |function| function.offset(self.db));
        let inner = last.blocks();
        let column = indent(self.text, last.range.start() + start);
        let inside = !inner.is_empty() && indent(self.text, self.offset) > column;
        reached.blocks.push(Block {
            before: if inside { before } else { &block[..after] },
            ..Block::default()
        });
        // The last block that begins before the cursor; for an `if`, this may be the `else`.
        let begun = inner
            .iter()
            .rev()
            .find(|inner| inner.first().is_some_and(|first| first.range.start() < at));
        if let (true, Some(inner)) = (inside, begun.or(inner.first())) {
            let mut block = Block::default();
            match &last.kind {
                StmtKind::For { target, .. } => target_names(target, &mut block.targets),
                StmtKind::With { items, .. } => {
                    let targets = items.iter().filter_map(|(_, target)| target.as_ref());
                    targets.for_each(|target| target_names(target, &mut block.targets));
                }
                StmtKind::Function(function) => block.function = Some(function),
                _ => {}
            }
            reached.blocks.push(block);
            self.enter(inner, reached);
        }
    }

    /// Returns the plain names of the Python code around the function.
    pub fn python_names(&self) -> Vec<(&SmolStr, &PyValue)> {
        let names = self.env.names();
        names
            .filter_map(|name| Some((name, self.env.get(name)?)))
            .collect()
    }
}

#[derive(Default)]
struct Reached<'b> {
    blocks: Vec<Block<'b>>,
}

/// Returns the names that are bound after runs of statements, the last first, at least those that are wanted. A
/// completed `with` only leaves its outputs.
fn names_of_runs<'b>(
    body: &'b Body,
    runs: impl Iterator<Item = Run<'b>>,
    is_wanted: &dyn Fn(&str) -> bool,
) -> impl Iterator<Item = &'b Name> {
    let mut ended = false;
    let mut given_out: Option<Vec<&'b SmolStr>> = None;
    runs.flat_map(move |run| {
        let mut names = Vec::new();
        match run {
            Run::WithEnd => ended = true,
            Run::With(_) => (ended, given_out) = (false, None),
            Run::Statements(stmts) if ended || stmts.may_bind(is_wanted) => {
                let stmts = stmts.get();
                if let (true, Some(last)) = (ended, stmts.last()) {
                    (ended, given_out) = (false, outputs(last, body));
                }
                let bound = stmts
                    .iter()
                    .rev()
                    .flat_map(|stmt| bound_after(stmt, Some(body)));
                names.extend(bound.filter(|name| {
                    let named = |names: &Vec<&SmolStr>| names.contains(&&name.text);
                    given_out.as_ref().is_none_or(named)
                }));
            }
            Run::Statements(_) => {}
        }
        names
    })
}

/// A block around the cursor: its statements before the cursor, and the names that its header binds.
#[derive(Default)]
struct Block<'b> {
    before: &'b [Stmt],
    targets: Vec<&'b Name>,
    function: Option<&'b Function>,
}

/// Returns the names that are bound after a statement, the last first.
fn bound_after<'b>(stmt: &'b Stmt, body: Option<&'b Body>) -> Vec<&'b Name> {
    let mut names = Vec::new();
    match &stmt.kind {
        StmtKind::Assign { targets, .. } => {
            for target in targets {
                target_names(target, &mut names);
            }
        }
        StmtKind::AnnAssign { target, .. } => target_names(target, &mut names),
        StmtKind::Function(function) => names.push(&function.name),
        // The last statement of each branch binds the variable of the `if`.
        StmtKind::If { then, .. } => {
            if let Some(last) = then.last() {
                names = bound_after(last, body);
            }
        }
        // A dataflow block leaves its outputs; any other block leaves all its names.
        StmtKind::With { body: block, .. } => {
            let outputs = block
                .last()
                .zip(body)
                .and_then(|(last, body)| outputs(last, body));
            let bound = block.iter().rev().flat_map(|stmt| bound_after(stmt, body));
            match outputs {
                Some(outputs) => {
                    let is_output = |name: &&Name| outputs.contains(&&name.text);
                    names = bound.filter(is_output).collect();
                }
                None => names = bound.collect(),
            }
            return names;
        }
        _ => {}
    }
    names.reverse();
    names
}

/// Returns the names in `R.output(...)`.
fn outputs<'b>(stmt: &Stmt, body: &'b Body) -> Option<Vec<&'b SmolStr>> {
    let StmtKind::Expr(call) = stmt.kind else {
        return None;
    };
    let Expr::Call { callee, args } = &body.exprs[call] else {
        return None;
    };
    let Expr::Attribute { name, .. } = &body.exprs[*callee] else {
        return None;
    };
    let named = args.iter().filter_map(|arg| match &body.exprs[arg.value] {
        Expr::Name(name) => Some(name),
        _ => None,
    });
    matches!(name.text.as_str(), "output" | "outputs").then(|| named.collect())
}

fn target_names<'b>(target: &'b Target, names: &mut Vec<&'b Name>) {
    match target {
        Target::Name(name) => names.push(name),
        Target::Tuple(targets, _) => targets
            .iter()
            .for_each(|target| target_names(target, names)),
        Target::Place(_) => {}
    }
}

/// Returns the fact of a variable by the range of its name. If both branches of an `if` bind it, returns the joined
/// one.
pub fn var_at(facts: &LazyFacts, name_range: TextRange) -> Option<Var<'_>> {
    facts.vars_named_at(name_range).last()
}

/// Returns `true` if `offset` is in `range`, or in the blank lines after it with more indentation.
fn holds(text: &str, range: TextRange, offset: TextSize) -> bool {
    if offset < range.end() {
        return true;
    }
    let (end, offset_at) = (usize::from(range.end()), usize::from(offset));
    let gap = text.get(end..offset_at).unwrap_or_default();
    let same_line = !gap.contains('\n') && !text[..end].ends_with('\n');
    same_line
        || gap.len() <= MAX_GAP
            && gap.lines().all(|line| {
                let line = line.trim_start();
                line.is_empty() || line.starts_with('#')
            })
            && indent(text, offset) > indent(text, range.start())
}

/// Returns the width of the whitespace between the start of the line and `offset`.
pub fn indent(text: &str, offset: TextSize) -> usize {
    let before = text.get(..usize::from(offset)).unwrap_or_default();
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    line.len() - line.trim_start_matches([' ', '\t']).len()
}
