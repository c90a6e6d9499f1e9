//! `R.emit_te(topi.add, x, y)`: what a tensor expression computes, where TOPI's function is an operator of Relax.

use super::Infer;
use crate::body::Arg;
use crate::enclosing::{self, PyValue};
use crate::ops;
use crate::sinfo::StructInfo;
use crate::value::Value;

/// Functions of TOPI that compute what the operator of that name computes, element by element.
const ELEMENTWISE: &[(&str, &str)] = &[
    ("abs", "abs"),
    ("add", "add"),
    ("ceil", "ceil"),
    ("cos", "cos"),
    ("divide", "divide"),
    ("erf", "erf"),
    ("exp", "exp"),
    ("floor", "floor"),
    ("floor_divide", "floor_divide"),
    ("log", "log"),
    ("maximum", "maximum"),
    ("minimum", "minimum"),
    ("multiply", "multiply"),
    ("negative", "negative"),
    ("nn.relu", "nn.relu"),
    ("power", "power"),
    ("rsqrt", "rsqrt"),
    ("sigmoid", "sigmoid"),
    ("sin", "sin"),
    ("sqrt", "sqrt"),
    ("subtract", "subtract"),
    ("tanh", "tanh"),
];

impl Infer<'_> {
    /// `R.emit_te(f, *args)`; what any other function computes only Python knows.
    pub(super) fn emit_te(&mut self, args: &[Arg]) -> Value {
        let values = self.values(args);
        let plain = args.iter().all(|a| !a.starred && a.keyword.is_none());
        let Some((function, operands)) = args.split_first().filter(|_| plain) else {
            return Value::Unknown;
        };
        let PyValue::Path(path) = enclosing::eval(self.body, function.value, self.cx.env) else {
            return Value::Unknown;
        };
        let op = path
            .strip_prefix("tvm.topi.")
            .and_then(|name| ELEMENTWISE.iter().find(|(topi, _)| *topi == name))
            .and_then(|(_, relax)| ops::by_script(relax, self.cx.dialect));
        let Some(op) = op.filter(|op| op.params.len() == operands.len()) else {
            return Value::Unknown;
        };
        let operands: Vec<Option<Value>> = values.into_iter().skip(1).map(Some).collect();
        let call = ops::Call {
            op,
            args: &operands,
            cx: &self.sym,
            dialect: self.cx.dialect,
            vdevices: self.cx.vdevices,
        };
        Value::Expr(ops::infer(&call).unwrap_or(StructInfo::Unknown))
    }
}
