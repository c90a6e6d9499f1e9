//! Dimensions: from the values of a shape to symbolic integers, strings of signatures included.

use std::sync::Arc;

use smol_str::SmolStr;
use syntax::ast;
use text_size::{TextRange, TextSize};

use super::{Infer, PYTHON_DIM};
use crate::body::{Body, Expr, ExprId, UnaryOp, lower_expr};
use crate::diagnostics::Code;
use crate::sinfo::{Shape, StructInfo};
use crate::sym::{Op, SymExpr, SymVar};
use crate::value::Value;

/// A shape as an annotation or a call gives it.
pub(super) enum Dims {
    Known(Arc<[SymExpr]>),
    /// A Relax variable whose StructInfo is a Shape.
    Var {
        name: SmolStr,
        id: u32,
        shape: Shape,
    },
    /// Only Python knows.
    Unknown,
    /// Not a shape.
    Wrong,
}

impl Infer<'_> {
    /// The shape that `expr`, of which `value` is known, gives.
    pub(super) fn dims(&mut self, expr: ExprId, value: &Value) -> Dims {
        match value {
            Value::Unknown => Dims::Unknown,
            Value::ShapeVar { name, id, shape } => Dims::Var {
                name: name.clone(),
                id: *id,
                shape: shape.clone(),
            },
            Value::Expr(StructInfo::Shape(Shape::Known(dims))) => Dims::Known(Arc::clone(dims)),
            Value::Expr(StructInfo::Shape(Shape::Unknown(_))) => Dims::Unknown,
            Value::Expr(StructInfo::Unknown) => Dims::Unknown,
            Value::List(items) => {
                let exprs: Option<Vec<ExprId>> = match &self.body.exprs[expr] {
                    Expr::Tuple(exprs) | Expr::List(exprs) if exprs.len() == items.len() => {
                        Some(exprs.clone())
                    }
                    _ => None,
                };
                let mut dims = Vec::with_capacity(items.len());
                for (k, item) in items.iter().enumerate() {
                    let at = exprs.as_ref().map(|e| e[k]);
                    match self.dim(at.unwrap_or(expr), item) {
                        Some(dim) => dims.push(dim),
                        None => return Dims::Wrong,
                    }
                }
                Dims::Known(dims.into())
            }
            _ => Dims::Wrong,
        }
    }

    /// One dimension; `None` if it cannot be one.
    pub(super) fn dim(&mut self, expr: ExprId, value: &Value) -> Option<SymExpr> {
        match value {
            Value::Str(text) => Some(self.string_dim(expr, text)),
            value if value.is_unknown() => Some(self.python_dim(expr)),
            value => value.sym(),
        }
    }

    /// A dimension that only Python knows: equal to itself, perhaps equal to anything else.
    fn python_dim(&self, expr: ExprId) -> SymExpr {
        let name = match &self.body.exprs[expr] {
            Expr::Name(name) => name.clone(),
            _ => self.base.name_of_unknown(expr),
        };
        SymExpr::var(SymVar {
            name,
            id: PYTHON_DIM,
        })
    }

    /// `"n"` or `"n + 1"` in a signature.
    fn string_dim(&mut self, expr: ExprId, text: &SmolStr) -> SymExpr {
        let range = self.range(expr);
        if !self.frame().in_signature && self.in_script() {
            self.report(
                Code::InvalidAnnotation,
                range,
                "a string names a shape variable in the signature only: write the variable itself here",
            );
        }
        // The quotes are one character each on a plain literal; longer ones are rare, and only positions suffer.
        let inner = TextRange::new(
            range.start() + TextSize::from(1),
            range
                .end()
                .checked_sub(TextSize::from(1))
                .unwrap_or(range.end())
                .max(range.start() + TextSize::from(1)),
        );
        if is_identifier(text) {
            return self.named_dim(expr, text, inner);
        }
        let tree = syntax::parse(text).tree();
        let Some(ast::Stmt::ExprStmt(stmt)) = tree.stmts().next() else {
            return self.bad_string_dim(range, text);
        };
        let Some(parsed) = stmt.expr() else {
            return self.bad_string_dim(range, text);
        };
        let (body, id) = lower_expr(&parsed);
        match self.string_expr(expr, &body, id, inner) {
            Some(dim) => dim,
            None => self.bad_string_dim(range, text),
        }
    }

    fn in_script(&self) -> bool {
        self.cx.dialect != crate::dialect::Dialect::Rfc
    }

    fn bad_string_dim(&mut self, range: TextRange, text: &str) -> SymExpr {
        self.report(
            Code::InvalidAnnotation,
            range,
            format!("`{text}` is not an expression over shape variables"),
        );
        SymExpr::var(SymVar {
            name: SmolStr::new_static("_"),
            id: PYTHON_DIM,
        })
    }

    fn named_dim(&mut self, expr: ExprId, name: &SmolStr, range: TextRange) -> SymExpr {
        SymExpr::var(self.mention(expr, name, range))
    }

    fn string_expr(
        &mut self,
        at: ExprId,
        body: &Body,
        id: ExprId,
        inner: TextRange,
    ) -> Option<SymExpr> {
        match &body.exprs[id] {
            Expr::Int(value) => Some(SymExpr::int(*value)),
            Expr::Name(name) => {
                let range = body.range(id) + inner.start();
                let in_string =
                    TextRange::new(range.start().min(inner.end()), range.end().min(inner.end()));
                Some(self.named_dim(at, name, in_string))
            }
            Expr::Binary { op, lhs, rhs } => {
                let (a, b) = (
                    self.string_expr(at, body, *lhs, inner)?,
                    self.string_expr(at, body, *rhs, inner)?,
                );
                Some(SymExpr::apply(super::expr::sym_op(*op)?, &[a, b]))
            }
            Expr::Unary {
                op: UnaryOp::Minus,
                operand,
            } => Some(SymExpr::int(0).sub(&self.string_expr(at, body, *operand, inner)?)),
            Expr::Compare { first, rest } => {
                let [(op, rhs)] = rest.as_slice() else {
                    return None;
                };
                let (a, b) = (
                    self.string_expr(at, body, *first, inner)?,
                    self.string_expr(at, body, *rhs, inner)?,
                );
                Some(SymExpr::apply(super::expr::sym_comparison(*op)?, &[a, b]))
            }
            Expr::Unary {
                op: UnaryOp::Plus,
                operand,
            } => self.string_expr(at, body, *operand, inner),
            Expr::Call { callee, args } => {
                let name = match &body.exprs[*callee] {
                    Expr::Name(name) => name.clone(),
                    Expr::Attribute { name, .. } => name.text.clone(),
                    _ => return None,
                };
                let args: Option<Vec<SymExpr>> = args
                    .iter()
                    .map(|a| self.string_expr(at, body, a.value, inner))
                    .collect();
                let args = args?;
                sym_function(&name, &args)
            }
            _ => None,
        }
    }
}

/// A function of `T` on integers: `T.min(n, 4)`.
pub(super) fn sym_function(name: &str, args: &[SymExpr]) -> Option<SymExpr> {
    let op = match name {
        "min" => Op::Min,
        "max" => Op::Max,
        "floordiv" => Op::FloorDiv,
        "floormod" | "indexmod" => Op::FloorMod,
        "indexdiv" => Op::FloorDiv,
        "truncdiv" | "Div" => Op::TruncDiv,
        "truncmod" | "Mod" => Op::TruncMod,
        "Select" | "if_then_else" => Op::Select,
        "ceildiv" => {
            let [a, b] = args else { return None };
            let up = a.add(b).sub(&SymExpr::int(1));
            return Some(up.floordiv(b));
        }
        "int64" | "int32" | "int16" | "int8" | "uint8" | "uint32" | "uint64" => {
            let [value] = args else { return None };
            return Some(value.clone());
        }
        "And" => Op::And,
        "Or" => Op::Or,
        "Not" => Op::Not,
        "Add" => Op::Add,
        "Sub" => Op::Sub,
        "Mul" => Op::Mul,
        "FloorDiv" => Op::FloorDiv,
        "FloorMod" => Op::FloorMod,
        "Min" => Op::Min,
        "Max" => Op::Max,
        _ => return None,
    };
    let arity = match op {
        Op::Select => 3,
        Op::Not => 1,
        _ => 2,
    };
    (args.len() == arity).then(|| SymExpr::apply(op, args))
}

/// How many operands a function of `T` takes that has no other form.
pub(super) fn arity(name: &str) -> Option<usize> {
    Some(match name {
        "min" | "max" | "floordiv" | "floormod" | "truncdiv" | "truncmod" | "ceildiv" | "cast" => 2,
        "if_then_else" | "Select" => 3,
        _ => return None,
    })
}

pub(super) fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}
