//! Infers calls, depending on the callee.

mod cast;
mod derive;
mod indices;
mod inline;
mod inplace;
mod macros;
mod named;
mod nodes;
mod operands;
mod operator;
mod order;
mod packed;
mod prim_func;
mod script;
mod special;
mod splice;
mod substituted;
mod te;
mod tir;
mod tuple_operands;

use relax::FunctionKind;
use relax::diagnostics::Code;
use relax::ops;
use relax::sinfo::StructInfo;
use relax::value::Value;
use smol_str::SmolStr;

use crate::body::{Arg, Expr, ExprId};
use crate::devices::vdevice;
use crate::facts::{Def, OpRef};
use crate::infer::Infer;

impl Infer<'_> {
    pub(in crate::infer) fn call(&mut self, expr: ExprId, callee: ExprId, args: &[Arg]) -> Value {
        let callee_value = self.function_name(callee);
        if let Some(value) = self.method_call(expr, callee, args) {
            return value;
        }
        match callee_value {
            Value::Script(path) => {
                if let Some(value) = self.script_call(expr, &path, args) {
                    return value;
                }
                let Some(op) = ops::by_script(&path.rest, self.cx.release) else {
                    self.values(args);
                    let near = self.unknown_operator(callee, &path.rest);
                    if matches!(near, Some("output" | "outputs")) {
                        self.unclear_output();
                    }
                    return Value::Unknown;
                };
                self.def(callee, Def::Op(OpRef(op)));
                self.operator_call(expr, op, args)
            }
            Value::Global(name) => {
                let value = self.global_call(expr, &name, args);
                self.note_refused(&name, expr);
                value
            }
            Value::Expr(StructInfo::Callable(_)) if self.makes_view(callee) => self.view_call(args),
            Value::Expr(StructInfo::Callable(callable)) => {
                let what = match &self.body.exprs[callee] {
                    Expr::Name(name) => format!("`{name}`"),
                    _ => "this function".to_owned(),
                };
                Value::Expr(self.function_call(expr, &callable, &what, args))
            }
            Value::Extern(symbol) => {
                self.values(args);
                self.impure_call(expr, &format!("packed function `{symbol}`"));
                Value::Expr(StructInfo::Object)
            }
            Value::Expr(sinfo) if !sinfo.is_unknown() => {
                let what = format!("`{}`", sinfo.quoted(self.cx.release.dialect()));
                self.not_callable(callee, &what, args)
            }
            Value::ShapeVar { shape, .. } => {
                let what = StructInfo::Shape(shape);
                let what = format!("`{}`", what.quoted(self.cx.release.dialect()));
                self.not_callable(callee, &what, args)
            }
            value @ (Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Str(_)
            | Value::Sym(_)
            | Value::List(_)
            | Value::Dict(_)) => self.not_callable(callee, value.kind_name(), args),
            _ => {
                if let Some(value) = self
                    .macro_call(expr, callee, args)
                    .or_else(|| self.helper_call(expr, callee, args))
                    .or_else(|| self.tensor_expression(callee, args))
                {
                    return value;
                }
                if self.makes_device(callee) {
                    self.values(args);
                    return Value::Device(vdevice(self.body, expr));
                }
                self.values(args);
                self.builtin_call(callee, args).unwrap_or(Value::Unknown)
            }
        }
    }

    fn not_callable(&mut self, callee: ExprId, what: &str, args: &[Arg]) -> Value {
        self.values(args);
        let range = self.range(callee);
        self.report(Code::NotCallable, range, format!("{what} cannot be called"));
        Value::Unknown
    }

    /// Infers a call of a module function.
    fn global_call(&mut self, expr: ExprId, name: &SmolStr, args: &[Arg]) -> Value {
        let Some(global) = self.cx.globals.get(name) else {
            self.values(args);
            return Value::Unknown;
        };
        if global.is_cut {
            self.report_left_out(
                expr,
                "its return value depends on too many functions without a return annotation",
            );
        }
        match (global.kind, &*global.struct_info) {
            (FunctionKind::Relax, StructInfo::Callable(callable)) => {
                let callable = callable.as_ref().clone();
                let what = format!("`{name}`");
                Value::Expr(self.function_call(expr, &callable, &what, args))
            }
            // A PrimFunc that is called directly writes to its arguments. It only has a result if one is declared.
            (FunctionKind::PrimFunc, StructInfo::Callable(callable)) => {
                let callable = callable.as_ref().clone();
                let what = format!("PrimFunc `{name}`");
                let before = self.facts.diagnostics.len();
                self.function_call(expr, &callable, &what, args);
                self.mark_as_comparison_errors(before);
                Value::Expr(callable.ret)
            }
            _ => {
                self.values(args);
                Value::Unknown
            }
        }
    }

    /// Records a call of `name` whose arguments have errors.
    pub(in crate::infer) fn note_refused(&mut self, name: &SmolStr, call: ExprId) {
        if self.facts.refused_calls.contains(&call) {
            let at = self.callee_range(call);
            self.facts.refused.push((name.clone(), at));
        }
    }
}
