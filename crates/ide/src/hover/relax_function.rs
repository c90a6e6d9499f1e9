//! Hover in Relax functions: variables, shape variables, operators with their operands, expressions, and the origin of
//! each dimension.

use relax::dialect::Dialect;
use relax::release::Release;

use hir::body::{Arg, Expr, ExprId};
use hir::facts::{ArgFact, CallFact, Def, SymId, VarId, VarKind};
use hir::{Database, FunctionItem, SourceFile, file_release};
use relax::ops::OpDef;
use relax::sinfo::StructInfo;
use relax::sym::SymVar;
use relax::value::Value;
use text_size::{TextRange, TextSize};

use super::{code, dimensions, function, memory, operator};
use crate::callee::struct_info;
use crate::markdown::{Code, Markdown, markdown};
use crate::semantics::RelaxPosition;
use crate::semantics::spelling::written;
use crate::types::LineNumbers;

/// A position in a Relax function. Ranges are relative to the function's start.
pub struct RelaxHover<'db> {
    pub(super) db: &'db Database,
    file: SourceFile,
    release: Release,
    lines: &'db dyn LineNumbers,
    pub(super) at: RelaxPosition<'db>,
}

impl<'db> RelaxHover<'db> {
    pub fn new(
        db: &'db Database,
        file: SourceFile,
        offset: TextSize,
        lines: &'db dyn LineNumbers,
    ) -> Option<RelaxHover<'db>> {
        Some(RelaxHover {
            db,
            file,
            release: file_release(db, file),
            lines,
            at: RelaxPosition::at(db, file, offset)?,
        })
    }

    /// Returns the offset of the function in the file.
    pub fn start(&self) -> TextSize {
        self.at.start
    }

    /// Returns what the token, or the dotted name around it, refers to, and the range of that name.
    pub fn definition(&self) -> Option<(Def, TextRange)> {
        self.at.definition()
    }

    /// Returns the range of the token's expression if it refers to the module.
    pub fn module(&self) -> Option<TextRange> {
        let expr = self.at.expressions().into_iter().next()?;
        let is_module = matches!(self.at.facts.value(expr), Value::Module);
        is_module.then(|| self.at.body.range(expr))
    }

    pub(super) fn written(&self, sinfo: &StructInfo) -> String {
        written(sinfo, self.release, self.at.function.env(self.db))
    }

    pub fn variable(&self, id: VarId) -> Markdown {
        let var = self.at.facts.var(id);
        let title = format!("{}: {}", var.name, self.written(var.struct_info));
        let mut text = code(&title);
        text.push(role(var.kind, self.release));
        text.push(memory(var.struct_info));
        if let Some(value) = var.value {
            text.push(self.trace(value, var.struct_info));
        }
        text.push(self.origins(var.struct_info));
        text
    }

    pub fn shape_variable(&self, id: SymId) -> Markdown {
        let var = self.at.facts.sym_var(id);
        let mut text = code(&format!("{}: int64", var.name));
        text.push("shape variable");
        if let Some(origin) = self.origin(&var) {
            text.push(markdown!("\n\n{}", origin));
        }
        text
    }

    /// Describes a function that is named at `range`. If it is called, also explains the dimensions of the result.
    pub fn function(&self, callee: FunctionItem<'_>, range: TextRange) -> Option<Markdown> {
        let mut text = function::page(self.db, callee, self.release)?;
        if let Some((call, _)) = self.call_at(range) {
            let result = struct_info(self.at.facts, call);
            text.push(self.trace(call, &result));
        }
        Some(text)
    }

    /// Describes an operator that is named at `range`, with the operands of its call.
    pub fn operator(&self, op: &'static OpDef, range: TextRange) -> Markdown {
        let page = operator::page(op);
        let Some(result) = self.call_result(range) else {
            return page;
        };
        let call = format!("{} → {}", self.filled(range), result.short());
        let mut filled = markdown!("{}", Code(call));
        filled.push(memory(&result));
        if let Some((call, _)) = self.call_at(range) {
            filled.push(self.trace(call, &result));
        }
        filled.push(self.origins(&result));
        let title = code(&self.written(&result));
        markdown!("{}{}\n\n---\n\n{}", title, filled, page)
    }

    /// Describes the parameter that a keyword names, or else the expression around the cursor.
    pub fn at_cursor(&self) -> Option<(TextRange, Markdown)> {
        self.keyword()
            .or_else(|| self.method())
            .or_else(|| self.expression())
    }

    /// Describes an operator that is called as a method of its first operand: `x.astype`.
    fn method(&self) -> Option<(TextRange, Markdown)> {
        let token = self.at.token.text_range();
        let body = self.at.body;
        let callee = self.at.expressions().into_iter().find(|expr| {
            matches!(&body.exprs[*expr], Expr::Attribute { name, .. } if name.range == token)
        })?;
        let callee = body.range(callee);
        let (call, _) = self.call_at(callee)?;
        let op = self.at.facts.call(call)?.op;
        Some((token, self.operator(op.0, callee)))
    }

    /// Describes the operator parameter that a keyword names.
    fn keyword(&self) -> Option<(TextRange, Markdown)> {
        let token = self.at.token.text_range();
        let (call, args) =
            self.at
                .expressions()
                .into_iter()
                .find_map(|expr| match &self.at.body.exprs[expr] {
                    Expr::Call { args, .. } => Some((expr, args)),
                    _ => None,
                })?;
        let named = |arg: &Arg| arg.keyword.as_ref().is_some_and(|name| name.range == token);
        let keyword = args.iter().find(|arg| named(arg))?.keyword.as_ref()?;
        let op = self.at.facts.call(call)?.op.0;
        let param = op.params.iter().find(|param| param.name == keyword.text)?;
        let mut text = code(&param.to_string());
        text.push(param.doc);
        Some((token, text))
    }

    /// Describes the innermost expression around the token whose StructInfo is known.
    fn expression(&self) -> Option<(TextRange, Markdown)> {
        let facts = self.at.facts;
        let (expr, sinfo) = self.at.expressions().into_iter().find_map(|expr| {
            let sinfo = facts.value(expr).struct_info()?;
            (!sinfo.is_unknown()).then_some((expr, sinfo))
        })?;
        let mut text = match facts.value(expr) {
            Value::Sym(value) => markdown!(
                "{}shape expression",
                code(&value.in_normal_form().to_string())
            ),
            _ => markdown!("{}expression", code(&self.written(&sinfo))),
        };
        text.push(memory(&sinfo));
        text.push(self.trace(expr, &sinfo));
        text.push(self.origins(&sinfo));
        Some((self.at.body.range(expr), text))
    }

    /// Explains where the dimensions of a call's result come from.
    fn trace(&self, call: ExprId, result: &StructInfo) -> Markdown {
        let (facts, body) = (self.at.facts, self.at.body);
        let lines = if let Some(fact) = facts.call(call) {
            dimensions::of_operator(fact, result, facts, body, self.release)
        } else if let Expr::Call { callee, args } = &body.exprs[call] {
            let operands: Vec<StructInfo> = args
                .iter()
                .map(|arg| struct_info(facts, arg.value))
                .collect();
            let callable = match facts.value(*callee) {
                Value::Expr(StructInfo::Callable(callable)) => Some(callable.as_ref().clone()),
                Value::Global(name) => {
                    let of = self.at.function;
                    function::callable(self.db, self.file, of, name)
                }
                _ => None,
            };
            callable.map_or_else(Markdown::default, |callable| {
                dimensions::of_function(&callable, &operands)
            })
        } else {
            Markdown::default()
        };
        if lines.is_empty() {
            lines
        } else {
            markdown!("\n\n{}", lines.trim_start())
        }
    }

    /// Returns the call whose callee is at `range`.
    fn call_at(&self, range: TextRange) -> Option<(ExprId, &[Arg])> {
        let body = self.at.body;
        self.at
            .expressions()
            .into_iter()
            .find_map(|expr| match &body.exprs[expr] {
                Expr::Call { callee, args } if body.range(*callee) == range => {
                    Some((expr, args.as_slice()))
                }
                _ => None,
            })
    }

    /// Returns the call whose callee is the name at `range`.
    fn call(&self, range: TextRange) -> Option<(ExprId, &CallFact)> {
        self.at.expressions().into_iter().find_map(|expr| {
            let call = self.at.facts.call(expr)?;
            (self.at.body.range(expr).start() == range.start()).then_some((expr, call))
        })
    }

    fn call_result(&self, range: TextRange) -> Option<StructInfo> {
        let (expr, _) = self.call(range)?;
        let sinfo = self.at.facts.value(expr).struct_info()?;
        (!sinfo.is_unknown()).then_some(sinfo)
    }

    /// Writes the operands of a call with their types: `x: f32[n, 16] · w: f32[16, 4]`.
    fn filled(&self, range: TextRange) -> String {
        let Some((_, call)) = self.call(range) else {
            return String::new();
        };
        let operand = |expr: ExprId| {
            let sinfo = self.at.facts.value(expr).struct_info()?;
            // Attributes are written in the call: `axes=[0, 2, 1]`.
            let relax = match &sinfo {
                StructInfo::Tuple(fields) => {
                    !fields.iter().all(|it| matches!(it, StructInfo::Prim(_)))
                }
                sinfo => matches!(
                    sinfo,
                    StructInfo::Tensor(_) | StructInfo::Shape(_) | StructInfo::DTensor(_)
                ),
            };
            relax.then(|| sinfo.short().to_string())
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

    /// Says where each shape variable of a StructInfo is bound, one per line.
    fn origins(&self, sinfo: &StructInfo) -> Markdown {
        let mut vars: Vec<SymVar> = Vec::new();
        sinfo.for_each_sym_var(&mut |var| {
            if !vars.contains(var) {
                vars.push(var.clone());
            }
        });
        let mut text = Markdown::default();
        for origin in vars.iter().filter_map(|var| self.origin(var)) {
            text.push(markdown!("\n\n{}", origin));
        }
        text
    }

    /// Says where a shape variable is bound: "`n` is dimension 0 of `x` (line 8)".
    fn origin(&self, var: &SymVar) -> Option<Markdown> {
        let facts = self.at.facts;
        let at = facts.sym_bound_at(facts.sym_id(var)?)?;
        let line = self.line(at.start() + self.at.start);
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
                let of = markdown!(
                    "{} ({}, line {})",
                    Code(&binder.name),
                    role(binder.kind, self.release),
                    line
                );
                match place {
                    Some(place) => markdown!("{} is {} of {}", Code(&var.name), place, of),
                    None => markdown!("{} is bound by {}", Code(&var.name), of),
                }
            }
            None => markdown!("{} is bound in line {}", Code(&var.name), line),
        })
    }

    fn annotation_of(&self, param: TextRange) -> Option<TextRange> {
        let mut params = self.at.body.function.params.iter();
        let param = params.find(|it| it.name.range == param)?;
        Some(self.at.body.range(param.annotation?))
    }

    /// Returns the line number of an offset, starting at 1.
    fn line(&self, offset: TextSize) -> usize {
        1 + self.lines.line(offset) as usize
    }
}

fn role(kind: VarKind, release: Release) -> &'static str {
    match kind {
        VarKind::Param => "parameter",
        VarKind::Var => "variable",
        VarKind::Dataflow => "dataflow variable",
        VarKind::MatchCast if release.dialect() == Dialect::Rfc => "bound by `R.match_shape`",
        VarKind::MatchCast => "bound by `R.match_cast`",
        VarKind::Function => "local function",
    }
}

/// Returns "dimension 0" or "value 0" if one of them is exactly the variable.
fn dimension_of(sinfo: &StructInfo, var: &SymVar) -> Option<Markdown> {
    let at = |dims: &[relax::sym::SymExpr]| {
        let is_var = |dim: &relax::sym::SymExpr| dim.as_var() == Some(var);
        dims.iter().position(is_var)
    };
    match sinfo {
        StructInfo::Tensor(tensor) => at(tensor.dims()?).map(|i| markdown!("dimension {}", i)),
        StructInfo::DTensor(dtensor) => {
            at(dtensor.tensor.dims()?).map(|i| markdown!("dimension {}", i))
        }
        StructInfo::Shape(shape) => at(shape.values()?).map(|i| markdown!("value {}", i)),
        _ => None,
    }
}
