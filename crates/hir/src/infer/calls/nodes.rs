//! Nodes of Relax's IR that are constructed explicitly: `relax.Call`, `relax.If`, `relax.SeqExpr`, calls of a builder.

use relax::arguments;
use relax::ops;
use relax::value::Value;

use crate::body::{Arg, Expr};
use crate::infer::Infer;

impl Infer<'_> {
    /// Infers `relax.Call(Op.get("relax.add"), [x, y])`: an operator by TVM's name. Some have a result in `ty_args=`.
    pub(in crate::infer) fn expression_node(&mut self, args: &[Arg]) -> Value {
        let (Some(callee), Some(operands)) = (args.first(), args.get(1)) else {
            return Value::Unknown;
        };
        let Expr::Call { args: named, .. } = &self.body.exprs[callee.value] else {
            return Value::Unknown;
        };
        let name = named.first().map(|name| self.facts.value(name.value));
        let Some(Value::Str(name)) = name.cloned() else {
            return Value::Unknown;
        };
        if name.starts_with("relax.call_") {
            return self
                .given_struct_info(args)
                .map_or(Value::Unknown, Value::Expr);
        }
        // Attributes are passed separately, so only an operator without attributes is determined by its operands.
        match (
            ops::by_name(&name, self.cx.release),
            self.facts.value(operands.value),
        ) {
            (Some(op), Value::List(operands)) if op.params.len() == operands.len() => {
                let operands: Vec<_> = operands.iter().cloned().map(Some).collect();
                self.infer_operator(op, &operands)
            }
            _ => Value::Unknown,
        }
    }

    /// Infers `relax.If(condition, then, otherwise)`.
    pub(in crate::infer) fn if_node(&mut self, args: &[Arg]) -> Value {
        self.values(args);
        let branch = |at: usize, name: &str| {
            let arg = arguments::find(args, at, &[name])?;
            self.facts.value(arg.value).struct_info()
        };
        match (branch(1, "true_branch"), branch(2, "false_branch")) {
            (Some(then), Some(otherwise)) => Value::Expr(self.join_branches(&[then, otherwise])),
            _ => Value::Unknown,
        }
    }

    /// Infers `relax.SeqExpr(blocks, body)`. Without blocks, it is its body.
    pub(in crate::infer) fn sequence_node(&mut self, args: &[Arg]) -> Value {
        let values = self.values(args);
        match values.as_slice() {
            [Value::List(blocks), body] if blocks.is_empty() => body.clone(),
            _ => Value::Unknown,
        }
    }

    /// Infers calls with an explicit result: functions of the builder that a script can call too (`R.emit(x)`,
    /// `R.arg("x", R.Tensor)`), and `R.dist.const(value, R.dist.DTensor(...))`.
    pub(in crate::infer) fn builder_call(&mut self, name: &str, args: &[Arg]) -> Value {
        let values = self.values(args);
        let result = match name {
            "emit" => return values.into_iter().next().unwrap_or(Value::Unknown),
            "emit_match_cast" | "arg" | "dist.const" => args.get(1),
            _ => args.get(2),
        };
        let Some(result) = result.map(|arg| arg.value) else {
            return Value::Unknown;
        };
        let given = match &self.body.exprs[result] {
            // A list with one StructInfo stands for that StructInfo.
            Expr::List(items) | Expr::Tuple(items) if items.len() == 1 => items[0],
            _ => result,
        };
        Value::Expr(self.annotation(given))
    }
}
