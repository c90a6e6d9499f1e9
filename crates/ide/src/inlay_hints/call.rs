//! Hints in operator calls: the parameter names of literals, and the values of inferred dimensions.

use hir::body::{Expr, ExprId, Stmt, UnaryOp};
use hir::facts::{CallFact, Def};
use relax::ops::Kind;
use relax::sym::SymExpr;
use relax::value::Value;
use smol_str::SmolStr;

use super::Hinting;
use crate::callee::struct_info;
use crate::types::{HintKind, InlayHint};

impl Hinting<'_> {
    pub(super) fn calls(&self, stmt: &Stmt, hints: &mut Vec<InlayHint>) {
        stmt.for_each_expr(&mut |expr| self.calls_in(expr, hints));
    }

    fn calls_in(&self, expr: ExprId, hints: &mut Vec<InlayHint>) {
        if self.shown.intersect(self.body.range(expr)).is_none() {
            return;
        }
        // To look at a call infers its types, so look only where a hint may follow.
        if let Expr::Call { args, .. } = &self.body.exprs[expr]
            && args.iter().any(|arg| self.is_explained(arg.value))
            && let Some(call) = self.facts.call(expr)
        {
            self.parameters(expr, call, hints);
            self.dimensions(expr, call, hints);
        }
        self.body.exprs[expr].for_each_child(&mut |child| self.calls_in(child, hints));
    }

    /// Whether a hint may explain an argument, as it is written.
    fn is_explained(&self, arg: ExprId) -> bool {
        let is_open = |item: ExprId| match &self.body.exprs[item] {
            Expr::Unary { .. } => true,
            Expr::Name(name) => self.cx.function.env(self.cx.db).get(name).is_some(),
            _ => false,
        };
        match &self.body.exprs[arg] {
            Expr::Tuple(items) | Expr::List(items) if items.iter().any(|&it| is_open(it)) => true,
            _ => self.is_bare(arg),
        }
    }

    fn parameters(&self, expr: ExprId, call: &CallFact, hints: &mut Vec<InlayHint>) {
        let Expr::Call { args, .. } = &self.body.exprs[expr] else {
            return;
        };
        let params = call.op.0.params;
        let positional = args
            .iter()
            .take_while(|arg| arg.keyword.is_none() && !arg.starred);
        for (arg, param) in positional.zip(params) {
            if param.star {
                break;
            }
            // A shape or a dtype explains itself.
            let is_explained_by_name = matches!(
                param.kind,
                Kind::Shape | Kind::DType | Kind::Str | Kind::Annotation
            );
            if is_explained_by_name || params.len() < 2 || !self.is_bare(arg.value) {
                continue;
            }
            hints.push(InlayHint {
                offset: self.body.range(arg.value).start() + self.start,
                label: format!("{}=", param.name),
                links: Vec::new(),
                kind: HintKind::Parameter,
                insert: None,
                explained: true,
            });
        }
    }

    /// Returns `true` if an argument is a literal, which does not say what it is for.
    fn is_bare(&self, expr: ExprId) -> bool {
        match &self.body.exprs[expr] {
            Expr::Int(_) | Expr::Float(_) | Expr::Bool(_) | Expr::None => true,
            Expr::Unary { operand, .. } => self.is_bare(*operand),
            Expr::Tuple(items) | Expr::List(items) => items.iter().all(|&item| self.is_bare(item)),
            _ => false,
        }
    }

    /// Adds hints for `-1` in the shape of a reshape, and for names that stand for numbers.
    fn dimensions(&self, expr: ExprId, call: &CallFact, hints: &mut Vec<InlayHint>) {
        let result = struct_info(self.facts, expr);
        let dims = result
            .as_tensor()
            .and_then(|tensor| tensor.dims())
            .unwrap_or_default();
        for (param, arg) in call.op.0.params.iter().zip(&call.args) {
            let hir::facts::ArgFact::One(shape) = arg else {
                continue;
            };
            let (Kind::Shape, Expr::Tuple(items) | Expr::List(items)) =
                (param.kind, &self.body.exprs[*shape])
            else {
                continue;
            };
            for (at, &item) in items.iter().enumerate() {
                let Some(value) = self.open_dimension(item, dims.get(at)) else {
                    continue;
                };
                hints.push(InlayHint {
                    offset: self.body.range(item).end() + self.start,
                    label: format!(" = {value}"),
                    links: Vec::new(),
                    kind: HintKind::Dimension,
                    insert: None,
                    explained: false,
                });
            }
        }
    }

    fn open_dimension(&self, item: ExprId, dim: Option<&SymExpr>) -> Option<SmolStr> {
        match &self.body.exprs[item] {
            Expr::Unary {
                op: UnaryOp::Minus, ..
            } => dim.map(|dim| dim.to_string().into()),
            Expr::Name(_) if matches!(self.facts.def(item), Some(Def::Python(_))) => {
                match self.facts.value(item) {
                    Value::Int(value) => Some(value.to_string().into()),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
