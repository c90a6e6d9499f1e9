//! What is known of the thing under the cursor: its StructInfo, where each dimension comes from, the
//! documentation of an operator.

mod dtype;
mod function;
mod memory;
pub mod operator;
mod prim;
mod prim_source;
mod python;
pub mod script;
mod trace;

use std::fmt::Write;

use hir::body::{Arg, Expr, ExprId};
use hir::facts::{ArgFact, Def, VarKind};
use hir::{Database, SourceFile, file_dialect, file_items};
use relax::dialect::Dialect;
use relax::sinfo::StructInfo;
use relax::sym::SymVar;
use relax::value::Value;
use text_size::{TextRange, TextSize};

use crate::callee::struct_info;
use crate::here::written;
use crate::locate::Place;
use crate::types::{Hover, LineNumbers};

/// `lines` is the file's, by which places are told.
pub fn hover(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    lines: &dyn LineNumbers,
) -> Option<Hover> {
    let place = Place::new(db, file, offset).map(|place| Hovering {
        db,
        file,
        dialect: file_dialect(db, file),
        lines,
        place,
    });
    let place = place.as_ref();
    prim::hover(db, file, offset)
        .or_else(|| place.and_then(|at| Some(at.shown(at.name()?))))
        .or_else(|| python::hover(db, file, offset))
        .or_else(|| script::hover(db, file, offset))
        .or_else(|| place.and_then(|at| Some(at.shown(at.inside()?))))
}

struct Hovering<'db> {
    db: &'db Database,
    file: SourceFile,
    dialect: Dialect,
    lines: &'db dyn LineNumbers,
    place: Place<'db>,
}

impl Hovering<'_> {
    fn shown(&self, (range, markdown): (TextRange, String)) -> Hover {
        Hover {
            range: range + self.place.start,
            markdown,
        }
    }

    fn written(&self, sinfo: &StructInfo) -> String {
        written(sinfo, self.dialect, self.place.function.env(self.db))
    }

    /// What the name under the cursor stands for.
    fn name(&self) -> Option<(TextRange, String)> {
        if let Some((def, range)) = self.place.definition() {
            if let Def::Python(name) = &def
                && self
                    .place
                    .function
                    .env(self.db)
                    .script_path(std::slice::from_ref(name))
                    .is_some()
            {
                return None;
            }
            return Some((range, self.definition(&def, range)?));
        }
        let token = self.place.token.text_range();
        if self.place.body.function.name.range == token {
            return Some((
                token,
                function::page(self.db, self.place.function, self.dialect)?,
            ));
        }
        let expr = self.place.expressions().into_iter().next()?;
        let is_module = matches!(self.place.facts.value(expr), Value::Module);
        let index = self.place.function.module(self.db).filter(|_| is_module)?;
        let module = *file_items(self.db, self.file).modules.get(index as usize)?;
        let markdown = function::module(self.db, module);
        Some((self.place.body.range(expr), markdown))
    }

    /// The parameter that a keyword names, else the expression around the cursor.
    fn inside(&self) -> Option<(TextRange, String)> {
        self.keyword()
            .or_else(|| self.method())
            .or_else(|| self.expression())
    }

    /// An operator as a method of its first operand: `x.astype`.
    fn method(&self) -> Option<(TextRange, String)> {
        let token = self.place.token.text_range();
        let body = self.place.body;
        let callee = self.place.expressions().into_iter().find(|expr| {
            matches!(&body.exprs[*expr], Expr::Attribute { name, .. } if name.range == token)
        })?;
        let callee = body.range(callee);
        let (call, _) = self.call_at(callee)?;
        let op = self.place.facts.call(call)?.op;
        Some((token, self.definition(&Def::Op(op), callee)?))
    }

    fn definition(&self, def: &Def, range: TextRange) -> Option<String> {
        match def {
            Def::Var(id) => {
                let var = self.place.facts.var(*id);
                let title = format!("{}: {}", var.name, self.written(var.struct_info));
                let mut text = code(&title);
                text.push_str(role(var.kind, self.dialect));
                text.push_str(&memory(var.struct_info));
                if let Some(value) = var.value {
                    text.push_str(&self.trace(value, var.struct_info));
                }
                text.push_str(&self.origins(var.struct_info));
                Some(text)
            }
            Def::Sym(id) => {
                let var = self.place.facts.sym_var(*id);
                let mut text = code(&format!("{}: int64", var.name));
                text.push_str("shape variable");
                if let Some(origin) = self.origin(&var) {
                    let _ = write!(text, "\n\n{origin}");
                }
                Some(text)
            }
            Def::Global(name) => {
                let callee = function::named(self.db, self.file, self.place.function, name)?;
                let mut text = function::page(self.db, callee, self.dialect)?;
                if let Some((call, _)) = self.call_at(range) {
                    let result = struct_info(self.place.facts, call);
                    text.push_str(&self.trace(call, &result));
                }
                Some(text)
            }
            Def::Op(op) => {
                let mut text = operator::page(op.0);
                if let Some(result) = self.call_result(range) {
                    let mut filled = format!("`{} → {}`", self.filled(range), shape(&result));
                    filled.push_str(&memory(&result));
                    if let Some((call, _)) = self.call_at(range) {
                        filled.push_str(&self.trace(call, &result));
                    }
                    filled.push_str(&self.origins(&result));
                    text = format!("{}{filled}\n\n---\n\n{text}", code(&self.written(&result)));
                }
                Some(text)
            }
            Def::Python(name) => Some(
                python::value(self.place.function.env(self.db), name)
                    .unwrap_or_else(|| python::unknown(name)),
            ),
        }
    }

    /// The parameter of an operator that a keyword names.
    fn keyword(&self) -> Option<(TextRange, String)> {
        let token = self.place.token.text_range();
        let (call, args) = self.place.expressions().into_iter().find_map(|expr| {
            match &self.place.body.exprs[expr] {
                Expr::Call { args, .. } => Some((expr, args)),
                _ => None,
            }
        })?;
        let named = |arg: &Arg| arg.keyword.as_ref().is_some_and(|name| name.range == token);
        let keyword = args.iter().find(|arg| named(arg))?.keyword.as_ref()?;
        let op = self.place.facts.call(call)?.op.0;
        let param = op.params.iter().find(|param| param.name == keyword.text)?;
        let mut text = code(&param.to_string());
        text.push_str(param.doc);
        Some((token, text))
    }

    /// The innermost expression around the token whose StructInfo is known.
    fn expression(&self) -> Option<(TextRange, String)> {
        let facts = self.place.facts;
        let (expr, sinfo) = self.place.expressions().into_iter().find_map(|expr| {
            let sinfo = facts.value(expr).struct_info()?;
            (!sinfo.is_unknown()).then_some((expr, sinfo))
        })?;
        let mut text = match facts.value(expr) {
            Value::Sym(value) => format!(
                "{}shape expression",
                code(&value.in_normal_form().to_string())
            ),
            _ => format!("{}expression", code(&self.written(&sinfo))),
        };
        text.push_str(&memory(&sinfo));
        text.push_str(&self.trace(expr, &sinfo));
        text.push_str(&self.origins(&sinfo));
        Some((self.place.body.range(expr), text))
    }

    /// How the dimensions of what a call gives came about.
    fn trace(&self, call: ExprId, result: &StructInfo) -> String {
        let (facts, body) = (self.place.facts, self.place.body);
        let lines = if let Some(fact) = facts.call(call) {
            trace::of_operator(fact, result, facts, body)
        } else if let Expr::Call { callee, args } = &body.exprs[call] {
            let operands: Vec<StructInfo> = args
                .iter()
                .map(|arg| struct_info(facts, arg.value))
                .collect();
            let callable = match facts.value(*callee) {
                Value::Expr(StructInfo::Callable(callable)) => Some(callable.as_ref().clone()),
                Value::Global(name) => {
                    let of = self.place.function;
                    function::callable(self.db, self.file, of, name)
                }
                _ => None,
            };
            callable.map_or_else(String::new, |callable| {
                trace::of_function(&callable, &operands)
            })
        } else {
            String::new()
        };
        if lines.is_empty() {
            lines
        } else {
            format!("\n\n{}", lines.trim_start())
        }
    }

    /// The call whose callee is at `range`.
    fn call_at(&self, range: TextRange) -> Option<(ExprId, &[Arg])> {
        let body = self.place.body;
        self.place
            .expressions()
            .into_iter()
            .find_map(|expr| match &body.exprs[expr] {
                Expr::Call { callee, args } if body.range(*callee) == range => {
                    Some((expr, args.as_slice()))
                }
                _ => None,
            })
    }

    /// The call whose callee is the name at `range`.
    fn call(&self, range: TextRange) -> Option<(hir::body::ExprId, &hir::facts::CallFact)> {
        self.place.expressions().into_iter().find_map(|expr| {
            let call = self.place.facts.call(expr)?;
            (self.place.body.range(expr).start() == range.start()).then_some((expr, call))
        })
    }

    fn call_result(&self, range: TextRange) -> Option<StructInfo> {
        let (expr, _) = self.call(range)?;
        let sinfo = self.place.facts.value(expr).struct_info()?;
        (!sinfo.is_unknown()).then_some(sinfo)
    }

    /// The operands of the call with their shapes: `x: (n, 16) float32 · w: (16, 4) float32`.
    fn filled(&self, range: TextRange) -> String {
        let Some((_, call)) = self.call(range) else {
            return String::new();
        };
        let operand = |expr: ExprId| {
            let sinfo = self.place.facts.value(expr).struct_info()?;
            let relax = matches!(
                sinfo,
                StructInfo::Tensor(_)
                    | StructInfo::Shape(_)
                    | StructInfo::Tuple(_)
                    | StructInfo::DTensor(_)
            );
            relax.then(|| shape(&sinfo))
        };
        let params = call.op.0.params.iter().zip(&call.args);
        let operands = params.filter_map(|(param, arg)| {
            let operand = match arg {
                ArgFact::One(expr) => operand(*expr)?,
                ArgFact::Many(all) => {
                    let all: Vec<String> = all.iter().filter_map(|expr| operand(*expr)).collect();
                    all.join(", ")
                }
                ArgFact::Absent => return None,
            };
            Some(format!("{}: {operand}", param.name))
        });
        operands.collect::<Vec<_>>().join(" · ")
    }

    /// Where each shape variable of a StructInfo is bound, one line each.
    fn origins(&self, sinfo: &StructInfo) -> String {
        let mut vars: Vec<SymVar> = Vec::new();
        sinfo.for_each_sym_var(&mut |var| {
            if !vars.contains(var) {
                vars.push(var.clone());
            }
        });
        let mut text = String::new();
        for origin in vars.iter().filter_map(|var| self.origin(var)) {
            let _ = write!(text, "\n\n{origin}");
        }
        text
    }

    /// "`n` is dimension 0 of `x` (line 8)"
    fn origin(&self, var: &SymVar) -> Option<String> {
        let facts = self.place.facts;
        let at = facts.sym_bound_at(facts.sym_id(var)?)?;
        let line = self.line(at.start() + self.place.start);
        let binder = facts
            .vars()
            .filter(|it| it.function == var.id as usize)
            .find(|it| {
                it.range.contains_range(at)
                    || (it.kind == VarKind::Param
                        && self
                            .annotation_of(it.name_range)
                            .is_some_and(|a| a.contains_range(at)))
            });
        Some(match binder {
            Some(binder) => {
                let place = dimension_of(binder.struct_info, var);
                let of = format!(
                    "`{}` ({}, line {line})",
                    binder.name,
                    role(binder.kind, self.dialect)
                );
                match place {
                    Some(place) => format!("`{}` is {place} of {of}", var.name),
                    None => format!("`{}` is bound by {of}", var.name),
                }
            }
            None => format!("`{}` is bound in line {line}", var.name),
        })
    }

    fn annotation_of(&self, param: TextRange) -> Option<TextRange> {
        fn find(function: &hir::body::Function, name: TextRange) -> Option<hir::body::ExprId> {
            let own = function
                .params
                .iter()
                .find(|param| param.name.range == name);
            own.and_then(|param| param.annotation)
        }
        let annotation = find(&self.place.body.function, param)?;
        Some(self.place.body.range(annotation))
    }

    /// The line of an offset, from 1.
    fn line(&self, offset: TextSize) -> usize {
        1 + self.lines.line(offset) as usize
    }
}

fn role(kind: VarKind, dialect: Dialect) -> &'static str {
    match kind {
        VarKind::Param => "parameter",
        VarKind::Var => "variable",
        VarKind::Dataflow => "dataflow variable",
        VarKind::MatchCast if dialect == Dialect::Rfc => "bound by `R.match_shape`",
        VarKind::MatchCast => "bound by `R.match_cast`",
        VarKind::Function => "local function",
    }
}

/// "dimension 0" or "value 0", if the variable alone is one.
fn dimension_of(sinfo: &StructInfo, var: &SymVar) -> Option<String> {
    let at = |dims: &[relax::sym::SymExpr]| {
        let is_var = |dim: &relax::sym::SymExpr| dim.as_var() == Some(var);
        dims.iter().position(is_var)
    };
    match sinfo {
        StructInfo::Tensor(tensor) => at(tensor.dims()?).map(|i| format!("dimension {i}")),
        StructInfo::DTensor(dtensor) => {
            at(dtensor.tensor.dims()?).map(|i| format!("dimension {i}"))
        }
        StructInfo::Shape(shape) => at(shape.values()?).map(|i| format!("value {i}")),
        _ => None,
    }
}

/// A value in brief, as formulas of operators write it: `(n, 4) float32`.
fn shape(sinfo: &StructInfo) -> String {
    let dtype = |dtype: Option<relax::dtype::DType>| {
        dtype.map_or_else(String::new, |dtype| format!(" {dtype}"))
    };
    match sinfo {
        StructInfo::Tensor(tensor) => match tensor.dims() {
            Some(dims) => {
                let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
                format!("({}){}", dims.join(", "), dtype(tensor.dtype))
            }
            None => format!("(…){}", dtype(tensor.dtype)),
        },
        StructInfo::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(shape).collect();
            format!("[{}]", fields.join(", "))
        }
        sinfo => sinfo.brief().to_string(),
    }
}

fn memory(sinfo: &StructInfo) -> String {
    memory::memory(sinfo).map_or_else(String::new, |memory| format!(", {memory}"))
}

fn code(text: &str) -> String {
    format!("```python\n{text}\n```\n")
}

#[cfg(test)]
mod tests;
