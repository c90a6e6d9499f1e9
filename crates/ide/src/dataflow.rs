//! Dataflow blocks, as fixes and assists edit them: the `with`, its bindings and its `R.output`.

use hir::facts::{Def, VarId};
use relax::dialect::Dialect;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{self, AstNode, Expr, Stmt};
use text_size::TextRange;

use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;
use crate::text_difference::differing_range;

pub struct DataflowBlock {
    pub with: ast::WithStmt,
    /// The statements in the block, including `R.output`.
    pub stmts: Vec<Stmt>,
    /// The call in `R.output(...)`.
    pub output: Option<ast::CallExpr>,
}

/// A part of a block that is taken apart, by the indices of its bindings.
pub enum Part {
    Block(std::ops::Range<usize>),
    /// A statement outside of any dataflow block.
    Beside(usize),
}

impl DataflowBlock {
    /// Returns the innermost dataflow block around `range`.
    pub fn around(cx: &FunctionContext<'_>, range: TextRange) -> Option<DataflowBlock> {
        let node = cx.covering(range)?;
        node.ancestors()
            .filter_map(ast::WithStmt::cast)
            .find_map(DataflowBlock::new)
    }

    pub fn new(with: ast::WithStmt) -> Option<DataflowBlock> {
        let Expr::CallExpr(call) = with.items().next()?.context()? else {
            return None;
        };
        if last_name(&call.callee()?)? != "dataflow" {
            return None;
        }
        let stmts: Vec<Stmt> = with.body()?.stmts().collect();
        let output = stmts.iter().find_map(output_call);
        Some(DataflowBlock {
            with,
            stmts,
            output,
        })
    }

    pub fn range(&self) -> TextRange {
        self.with.range()
    }

    /// Returns the statements except `R.output`.
    pub fn bindings(&self) -> Vec<&Stmt> {
        let is_binding = |stmt: &&Stmt| output_call(stmt).is_none();
        self.stmts.iter().filter(is_binding).collect()
    }

    /// Returns the names in `R.output`.
    pub fn outputs(&self) -> Vec<String> {
        let args = self.output.as_ref().and_then(ast::CallExpr::arg_list);
        args.into_iter()
            .flat_map(|args| args.args())
            .filter_map(|arg| match arg.value()? {
                Expr::NameExpr(name) => Some(name.text()),
                _ => None,
            })
            .collect()
    }

    /// Returns the file's name for `R`.
    fn script<'db>(&self, cx: &FunctionContext<'db>) -> &'db str {
        let callee = self.with.items().next().and_then(|it| it.context());
        let path = callee.map_or("", |it| cx.slice(it.range()));
        path.split_once('.').map_or("R", |(root, _)| root.trim())
    }

    /// Returns a call of `R.output(...)` in the file's dialect.
    pub fn output_call(&self, cx: &FunctionContext<'_>, names: &[&str]) -> String {
        let output = match cx.release.dialect() {
            Dialect::Rfc => "outputs",
            Dialect::StructInfo | Dialect::Type => "output",
        };
        format!("{}.{output}({})", self.script(cx), names.join(", "))
    }

    /// Splits the block into parts. Each part outputs the variables that later code needs.
    pub fn take_apart(&self, cx: &FunctionContext<'_>, parts: &[Part]) -> Option<SourceEdit> {
        let bindings = self.bindings();
        let first = bindings.first()?;
        if !self.with.body()?.is_block() || cx.slice(self.range()).contains("\"\"\"") {
            return None;
        }
        let outer = cx.indent(self.range().start());
        let inner = cx.indent(first.range().start());
        let step = inner.strip_prefix(outer)?;
        let newline = cx.newline();
        let header = TextRange::new(
            cx.lines(self.range()).start(),
            cx.lines(TextRange::empty(self.with.body()?.range().start()))
                .end(),
        );
        let export = Exported::new(cx, self.outputs(), &bindings);
        let mut text = String::new();
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Beside(index) => {
                    let segment = self.segment(cx, &bindings, *index);
                    for line in cx.slice(segment).split_inclusive('\n') {
                        let line = line.strip_prefix(inner).map_or(line, |rest| {
                            text.push_str(outer);
                            rest
                        });
                        text.push_str(line);
                    }
                }
                Part::Block(range) => {
                    let later = parts[at + 1..].iter().flat_map(Part::indices).collect();
                    let given = export.names(cx, &bindings[range.clone()], &later);
                    text.push_str(cx.slice(header));
                    for index in range.clone() {
                        text.push_str(cx.slice(self.segment(cx, &bindings, index)));
                    }
                    text.push_str(outer);
                    text.push_str(step);
                    text.push_str(&self.output_call(cx, &given));
                    text.push_str(newline);
                }
            }
        }
        let lines = cx.lines(self.range());
        let (range, inserted) = differing_range(cx.slice(lines), &text);
        let new = text[TextRange::at(range.start(), inserted)].to_owned();
        Some(SourceEdit::replace(range + lines.start(), new))
    }

    /// Returns the lines of a binding, including the comments above it.
    fn segment(&self, cx: &FunctionContext<'_>, bindings: &[&Stmt], index: usize) -> TextRange {
        let stmt = cx.lines(bindings[index].range());
        let before = match index.checked_sub(1) {
            Some(before) => cx.lines(bindings[before].range()).end(),
            None => {
                let suite = self
                    .with
                    .body()
                    .map_or(stmt.start(), |it| it.range().start());
                cx.lines(TextRange::empty(suite)).end()
            }
        };
        // `R.output` may be between the two bindings.
        let text = cx.slice(TextRange::new(before.min(stmt.start()), stmt.start()));
        let plain = text
            .lines()
            .all(|it| it.trim().is_empty() || it.trim().starts_with('#'));
        TextRange::new(if plain { before } else { stmt.start() }, stmt.end())
    }
}

/// Why a variable of a block is needed after a part of it.
struct Exported {
    outputs: FxHashSet<String>,
    /// The indices of the bindings that use each variable.
    uses: FxHashMap<VarId, Vec<usize>>,
}

impl Exported {
    fn new(cx: &FunctionContext<'_>, outputs: Vec<String>, bindings: &[&Stmt]) -> Exported {
        let mut uses: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
        for (index, binding) in bindings.iter().enumerate() {
            for var in used_in(cx, binding.range()) {
                uses.entry(var).or_default().push(index);
            }
        }
        Exported {
            outputs: outputs.into_iter().collect(),
            uses,
        }
    }

    /// Returns the variables of a part that later bindings or the code after the block use.
    fn names<'db>(
        &self,
        cx: &FunctionContext<'db>,
        part: &[&Stmt],
        later: &FxHashSet<usize>,
    ) -> Vec<&'db str> {
        let mut found = FxHashSet::default();
        let bound = part.iter().flat_map(|it| bound_in(cx, it.range()));
        let needed = bound.filter(|(var, name)| {
            let mut uses = self.uses.get(var).into_iter().flatten();
            self.outputs.contains(*name) || uses.any(|it| later.contains(it))
        });
        let names = needed.map(|(_, name)| name);
        names.filter(|name| found.insert(*name)).collect()
    }
}

impl Part {
    fn indices(&self) -> std::ops::Range<usize> {
        match self {
            Part::Block(range) => range.clone(),
            Part::Beside(index) => *index..*index + 1,
        }
    }
}

/// Returns the variables that a statement binds.
pub fn bound_in<'db>(
    cx: &FunctionContext<'db>,
    stmt: TextRange,
) -> impl Iterator<Item = (VarId, &'db str)> {
    let vars = cx.facts.vars_named_in(stmt);
    vars.filter(move |var| stmt.contains_range(var.range) && stmt.contains_range(var.name_range))
        .map(|var| (var.id, var.name.as_str()))
}

/// Returns the variable of each expression within `range` that uses one.
pub fn used_in(cx: &FunctionContext<'_>, range: TextRange) -> impl Iterator<Item = VarId> {
    let exprs = cx.body.expr_ranges_in(range);
    let within = exprs.filter(move |(_, at)| range.contains_range(*at));
    within.filter_map(|(expr, _)| match cx.facts.def(expr) {
        Some(Def::Var(var)) => Some(*var),
        _ => None,
    })
}

/// Returns the call if a statement is `R.output(...)`.
pub fn output_call(stmt: &Stmt) -> Option<ast::CallExpr> {
    let Stmt::ExprStmt(stmt) = stmt else {
        return None;
    };
    let Expr::CallExpr(call) = stmt.expr()? else {
        return None;
    };
    let name = last_name(&call.callee()?)?;
    matches!(name.as_str(), "output" | "outputs").then_some(call)
}

/// Returns the last name of a path: `dataflow` for `R.dataflow`.
pub fn last_name(path: &Expr) -> Option<String> {
    match path {
        Expr::AttributeExpr(attribute) => Some(attribute.name()?.text().to_owned()),
        _ => None,
    }
}
