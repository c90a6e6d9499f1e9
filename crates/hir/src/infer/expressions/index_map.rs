//! A lambda over indices, for `R.layout_transform`: an index map if it consists of shape arithmetic.

use relax::sym::{SymExpr, SymVar};
use relax::value::{IndexMap, Value};
use std::sync::Arc;

use super::operators::sym_op;
use crate::body::{Expr, ExprId, Lambda, Param};
use crate::infer::Infer;
use crate::infer::{Local, Scope};

impl Infer<'_> {
    /// Reads an index map such as `lambda i, j: (j, i // 4, i % 4)`. Only Python knows any other lambda.
    pub(in crate::infer) fn lambda(&mut self, lambda: &Lambda) -> Value {
        let mut scope = Scope::default();
        for param in &lambda.params {
            let unknown = Local::Value(Value::Unknown);
            scope.names.insert(param.name.text.clone(), unknown);
        }
        self.scopes.push(scope);
        self.by_python(|infer| infer.expr(lambda.body));
        self.scopes.pop();
        if lambda.params.iter().any(Param::is_starred) {
            return Value::Unknown;
        }
        // Ids count down from the maximum, since these are not variables of the function.
        let inputs: Vec<SymVar> = lambda
            .params
            .iter()
            .zip((0..=u32::MAX).rev())
            .map(|(param, id)| SymVar {
                name: param.name.text.clone(),
                id,
            })
            .collect();
        let results = match &self.body.exprs[lambda.body] {
            Expr::Tuple(items) | Expr::List(items) => items.as_slice(),
            _ => std::slice::from_ref(&lambda.body),
        };
        let outputs = results.iter().map(|&r| self.index(r, &inputs)).collect();
        match outputs {
            Some(outputs) => Value::IndexMap(Arc::new(IndexMap { inputs, outputs })),
            None => Value::Unknown,
        }
    }

    fn index(&self, expr: ExprId, inputs: &[SymVar]) -> Option<SymExpr> {
        match &self.body.exprs[expr] {
            Expr::Int(value) => Some(SymExpr::int(*value)),
            Expr::Name(name) => {
                let input = inputs.iter().find(|input| input.name == *name)?;
                Some(SymExpr::var(input.clone()))
            }
            Expr::Binary { op, lhs, rhs } => {
                let operands = [self.index(*lhs, inputs)?, self.index(*rhs, inputs)?];
                Some(SymExpr::apply(sym_op(*op)?, &operands))
            }
            // `T.int64(4)`
            Expr::Call { callee, args } => match (&self.body.exprs[*callee], args.as_slice()) {
                (Expr::Attribute { name, .. }, [arg]) if name.text.starts_with("int") => {
                    self.index(arg.value, inputs)
                }
                _ => None,
            },
            _ => None,
        }
    }
}
