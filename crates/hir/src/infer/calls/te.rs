//! `R.emit_te(topi.add, x, y)`: infers the result if TOPI's function has an equivalent operator.

use relax::arguments::bind;
use relax::dtype::DType;
use relax::ops::{self, OpDef};
use relax::sinfo::Tensor;
use relax::value::Value;

use crate::body::{Arg, ExprId};
use crate::enclosing::PyValue;
use crate::facts::{ArgFact, CallFact, OpRef};
use crate::infer::Infer;

/// Keywords that `emit_te` uses for the PrimFunc that it creates.
const OF_THE_PRIM_FUNC: &[&str] = &["primfunc_name_hint", "primfunc_attrs"];

impl Infer<'_> {
    /// Infers `R.emit_te(f, *args)`. Only Python knows the results of functions without an equivalent.
    pub(in crate::infer) fn emit_te(&mut self, expr: ExprId, args: &[Arg]) -> Value {
        let values = self.values(args);
        let Some((function, operands)) = args.split_first() else {
            return Value::Unknown;
        };
        if args.iter().any(|arg| arg.starred) {
            return Value::Unknown;
        }
        let is_operand = |arg: &Arg| {
            let keyword = arg.keyword.as_ref();
            !keyword.is_some_and(|it| OF_THE_PRIM_FUNC.contains(&it.text.as_str()))
        };
        let given: Vec<(Arg, Value)> = operands
            .iter()
            .cloned()
            .zip(values.into_iter().skip(1))
            .filter(|(arg, _)| is_operand(arg))
            .collect();
        match self.callee_around(function.value) {
            Some((name, PyValue::Helper(helper))) => {
                self.splice_helper(expr, name, helper, &given, true)
            }
            _ => {
                self.note_topi_operator(expr, function.value, &given);
                self.topi_call(function.value, &given)
            }
        }
    }

    /// Records the operator that computes the same as TOPI's function.
    fn note_topi_operator(&mut self, expr: ExprId, function: ExprId, given: &[(Arg, Value)]) {
        let path = self.python_path(function);
        let name = path.as_deref().and_then(|it| it.strip_prefix("tvm.topi."));
        let Some((op, operands)) = name.and_then(|name| self.topi_operands(name, given)) else {
            return;
        };
        // A number next to a tensor is no operand of the operator.
        let is_number = |at: usize| matches!(given[at].1, Value::Int(_) | Value::Float(_));
        let is_elementwise = op.topi.is_some_and(|it| it.params.is_none());
        if is_elementwise && (0..given.len()).any(is_number) {
            return;
        }
        let arg =
            |at: Option<usize>| at.map_or(ArgFact::Absent, |at| ArgFact::One(given[at].0.value));
        let args = operands.into_iter().map(arg).collect();
        let op = OpRef(op);
        self.facts.calls.insert(expr, CallFact { op, args });
    }

    /// Infers a TOPI call inside a function that `R.emit_te` calls.
    pub(in crate::infer) fn tensor_expression(
        &mut self,
        callee: ExprId,
        args: &[Arg],
    ) -> Option<Value> {
        if !self.frame().tensor_expressions {
            return None;
        }
        let values = self.values(args);
        let given = self.spread(args, &values)?;
        Some(self.topi_call(callee, &given))
    }

    fn topi_call(&self, function: ExprId, given: &[(Arg, Value)]) -> Value {
        let Some(path) = self.python_path(function) else {
            return Value::Unknown;
        };
        let Some(name) = path.strip_prefix("tvm.topi.") else {
            return Value::Unknown;
        };
        match name {
            "full" => full(given),
            "trilu" => given.first().map_or(Value::Unknown, |(_, x)| x.clone()),
            _ => self.topi_operator(name, given).unwrap_or(Value::Unknown),
        }
    }

    fn topi_operator(&self, name: &str, given: &[(Arg, Value)]) -> Option<Value> {
        let (op, operands) = self.topi_operands(name, given)?;
        let values = operands.iter().map(|at| at.map(|at| given[at].1.clone()));
        let values: Vec<Option<Value>> = values.collect();
        if op.topi?.params.is_none() {
            // A number next to a tensor takes its dtype, and broadcasts to any shape.
            let is_number =
                |it: &Option<Value>| matches!(it, Some(Value::Int(_) | Value::Float(_)));
            match values.as_slice() {
                [tensor, number] if is_number(number) => return tensor.clone(),
                [number, tensor] if is_number(number) => return tensor.clone(),
                all if all.iter().any(Option::is_none) => return None,
                _ => {}
            }
        }
        Some(self.infer_operator(op, &values))
    }

    /// Returns the operator that is equivalent to a function of TOPI, and which argument each of its parameters takes.
    fn topi_operands(
        &self,
        name: &str,
        given: &[(Arg, Value)],
    ) -> Option<(&'static OpDef, Vec<Option<usize>>)> {
        let op = ops::by_topi(name)?;
        let op = ops::by_name(op.name, self.cx.release)?;
        let renamed = op.topi?.params;
        let mut operands = vec![None; op.params.len()];
        let names: Vec<&str> = match renamed {
            Some(row) => row.iter().map(|(topi, _)| *topi).collect(),
            None if given.iter().any(|(arg, _)| arg.keyword.is_some()) => return None,
            None => op.params.iter().map(|it| it.name).collect(),
        };
        let binding = bind(&names, given.iter().map(|(arg, _)| arg));
        for at in 0..given.len() {
            let param = binding.param(at)?;
            let name = renamed.map_or(names[param], |row| row[param].1);
            operands[op.param(name)?] = Some(at);
        }
        Some((op, operands))
    }
}

/// Infers `topi.full(shape, dtype, value)`.
fn full(given: &[(Arg, Value)]) -> Value {
    let [(_, Value::List(dims)), (_, Value::Str(dtype)), _] = given else {
        return Value::Unknown;
    };
    let dims: Option<Vec<_>> = dims.iter().map(Value::sym).collect();
    match (dims, DType::parse(dtype)) {
        (Some(dims), Some(dtype)) => Value::Expr(Tensor::new(dims, Some(dtype)).into()),
        _ => Value::Unknown,
    }
}
