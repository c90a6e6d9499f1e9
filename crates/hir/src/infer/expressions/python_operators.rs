//! Python operators and functions that Relax values do not support.
//!
//! Those that stand for Relax operators are handled with the expressions. Code that Python evaluates itself, such as
//! the body of a comprehension, follows Python's rules.

use relax::diagnostics::{Code, Severity};
use relax::dialect::Dialect;
use relax::ops;
use relax::sinfo::StructInfo;
use relax::value::Value;
use smol_str::SmolStr;

use crate::body::{BoolOp, CompareOp, Expr, ExprId, Name};
use crate::enclosing::{Declared, PyValue};
use crate::facts::Def;
use crate::infer::Infer;
use crate::infer::expressions::scalar::Operand;

/// Python functions that call methods which no Relax value has.
const FUNCTIONS: &[&str] = &[
    "abs", "divmod", "float", "int", "len", "range", "round", "sum",
];
/// Functions that only need a truth value. In older releases, every Relax value is true.
const FUNCTIONS_OF_TRUTH: &[&str] = &["all", "any", "bool", "max", "min"];

/// Returns `true` for a Relax value other than a scalar. TVMScript computes with scalars like Python.
pub(in crate::infer) fn is_relax_only(value: &Value) -> bool {
    match value {
        Value::Expr(sinfo) => !matches!(sinfo, StructInfo::Prim(_) | StructInfo::Unknown),
        value => matches!(value, Value::ShapeVar { .. }),
    }
}

impl Infer<'_> {
    /// Returns `true` and reports it if a scalar operator has an operand that is not a scalar. A tensor accepts a
    /// scalar as its right operand, but a scalar does not accept a tensor.
    pub(in crate::infer) fn has_no_operand(
        &mut self,
        text: &str,
        lhs: Operand<'_>,
        rhs: Operand<'_>,
    ) -> bool {
        if !self.is_type_dialect() {
            return false;
        }
        let is_scalar = |value: &Value| match value {
            Value::Sym(sym) => !sym.any_var(&|var| var.is_python()),
            value => matches!(value, Value::Expr(StructInfo::Prim(_))),
        };
        let is_other = |it: Operand<'_>| match it.1 {
            Value::None
            | Value::Str(_)
            | Value::List(_)
            | Value::Dict(_)
            | Value::Annotation(_) => true,
            Value::Script(_) => !matches!(self.body.exprs[it.0], Expr::Name(_)),
            _ => false,
        };
        let is_tensor = matches!(rhs.1, Value::Expr(StructInfo::Tensor(_)));
        let wrong = match (is_scalar(lhs.1), is_scalar(rhs.1)) {
            (true, _) if is_other(rhs) || is_tensor => rhs,
            (_, true) if is_other(lhs) => lhs,
            _ => return false,
        };
        let what = wrong.1.kind_name();
        let message = if is_tensor {
            format!("`{text}` of a scalar and a Tensor: write the Tensor on the left")
        } else {
            format!("`{text}` takes scalars, but this is {what}")
        };
        let range = self.range(wrong.0);
        self.report(Code::ArgumentType, range, message);
        true
    }

    /// Reads code that Python evaluates itself.
    pub(in crate::infer) fn by_python<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.set_by_python(true);
        let value = read(self);
        self.set_by_python(outer);
        value
    }

    fn set_by_python(&mut self, by_python: bool) -> bool {
        let flag = self.frames.last_mut().map(|frame| &mut frame.by_python);
        flag.is_none_or(|flag| std::mem::replace(flag, by_python))
    }

    pub(in crate::infer) fn is_by_python(&self) -> bool {
        self.frames.last().is_none_or(|frame| frame.by_python)
    }

    /// Reports an operator that Relax values don't support. Its result is unknown.
    pub(in crate::infer) fn refused_operator(
        &mut self,
        expr: ExprId,
        text: &'static str,
        operands: &[&Value],
    ) -> Value {
        // Until TVM 0.25, a scalar has the operators of tensors.
        let is_old = self.cx.release.dialect() == Dialect::StructInfo;
        let is_scalar = |it: &Value| matches!(it, Value::Expr(StructInfo::Prim(_)));
        if operands
            .iter()
            .any(|it| is_relax_only(it) || is_old && is_scalar(it))
        {
            self.report_operator(expr, text, operands, Severity::Error);
        }
        Value::Unknown
    }

    /// Reports `==` and `!=`, which compare object identity before 0.26.
    pub(in crate::infer) fn refused_comparison(
        &mut self,
        expr: ExprId,
        op: CompareOp,
        a: &Value,
        b: &Value,
    ) -> Value {
        match op {
            CompareOp::Eq | CompareOp::NotEq if !self.is_by_python() => {
                self.truth_by_python(expr, op.text(), &[a, b])
            }
            // Python iterates over a container; a tuple ends.
            CompareOp::In | CompareOp::NotIn if !matches!(b, Value::Expr(StructInfo::Tuple(_))) => {
                self.refused_operator(expr, op.text(), &[b])
            }
            _ => Value::Unknown,
        }
    }

    /// Reports an operator in the annotations of a function: Python evaluates them before TVM reads them, when a
    /// TypeVar is not yet a number.
    pub(in crate::infer) fn check_type_vars(&mut self, text: &str, operands: &[ExprId]) {
        let is_python = self.is_outermost() && self.frame().in_signature && self.is_type_dialect();
        let is_postponed = || {
            let path = self.cx.env.get("annotations");
            matches!(path, Some(PyValue::Path(path)) if path == "__future__.annotations")
        };
        // A text without imports may not be Python code to run, but printed by TVM.
        let is_run = || {
            let path = self.cx.env.get("TypeVar");
            matches!(path, Some(PyValue::Path(path)) if path == "typing.TypeVar")
        };
        if !is_python || is_postponed() || !is_run() {
            return;
        }
        let is_type_var = |at: &&ExprId| match &self.body.exprs[**at] {
            Expr::Name(name) => {
                let declared = self.cx.env.get(name);
                self.lookup(name).is_none()
                    && matches!(declared, Some(PyValue::ShapeVar(_, it)) if *it != Declared::Var)
            }
            _ => false,
        };
        if let Some(&at) = operands.iter().find(is_type_var) {
            let message = format!(
                "Python evaluates this annotation, and a TypeVar has no `{text}`: write the dimension as a string, or begin the file with `from __future__ import annotations`"
            );
            let range = self.range(at);
            self.report(Code::InvalidAnnotation, range, message);
        }
    }

    /// Reports code that needs the truth value of one Relax value: `not`, or a chain of comparisons.
    pub(in crate::infer) fn refused_not(
        &mut self,
        expr: ExprId,
        text: &'static str,
        operand: &Value,
    ) -> Value {
        self.truth_by_python(expr, text, &[operand])
    }

    /// Reports `(y := x)`: TVMScript looks up the name before it is bound.
    pub(in crate::infer) fn check_walrus(&mut self, name: &Name) {
        if !self.is_by_python() && self.lookup(&name.text).is_none() {
            self.unsupported(name.range, "`:=`");
        }
    }

    /// Reads `a and b`, with as many operands as TVMScript evaluates.
    pub(in crate::infer) fn bool_op(
        &mut self,
        expr: ExprId,
        op: BoolOp,
        operands: &[ExprId],
    ) -> Value {
        let all: Vec<Value> = operands.iter().map(|&it| self.expr(it)).collect();
        let mut values = all.iter();
        let Some(mut left) = values.next() else {
            return Value::Unknown;
        };
        for right in values {
            match left {
                Value::Bool(decided) if *decided == (op == BoolOp::Or) => return left.clone(),
                Value::Unknown | Value::Expr(StructInfo::Unknown) => return Value::Unknown,
                _ => {}
            }
            if is_relax_only(left) || is_relax_only(right) {
                return self.truth_by_python(expr, op.text(), &[left, right]);
            }
            left = right;
        }
        let operands: Vec<Operand<'_>> = operands.iter().copied().zip(&all).collect();
        self.scalar_junction(op, &operands).unwrap_or_default()
    }

    /// Reports code that needs the truth value of a Relax value, which is an error since 0.26, and always true before.
    fn truth_by_python(&mut self, expr: ExprId, text: &'static str, operands: &[&Value]) -> Value {
        if operands.iter().any(|it| is_relax_only(it)) {
            let severity = if self.cx.release.dialect() == Dialect::Type {
                Severity::Error
            } else {
                Severity::Warning
            };
            self.report_operator(expr, text, operands, severity);
        }
        Value::Unknown
    }

    fn report_operator(
        &mut self,
        expr: ExprId,
        text: &str,
        operands: &[&Value],
        severity: Severity,
    ) {
        let meant = ops::meant_by_python(text, operands, self.cx.release);
        let hint = meant.map_or_else(String::new, |op| {
            format!(": write `R.{}(...)`", op.script())
        });
        let message = format!("`{text}` is not supported for Relax values{hint}");
        let range = self.range(expr);
        let diagnostic = self.report(Code::UnsupportedStatement, range, message);
        diagnostic.severity = severity;
    }

    /// Checks whether `x if test else y` with an unknown test is possible.
    pub(in crate::infer) fn check_choice(
        &mut self,
        expr: ExprId,
        test: ExprId,
        branches: [&Value; 2],
    ) {
        if self.is_by_python() {
            return;
        }
        let value = self.facts.value(test).clone();
        let symbolic = matches!(&value, Value::Sym(sym) if sym.is_boolean());
        let refused = match &value {
            Value::Sym(sym) if sym.is_boolean() => branches.iter().any(|it| is_relax_only(it)),
            Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::None | Value::List(_) => true,
            Value::Sym(_) => true,
            Value::Expr(StructInfo::Prim(_))
                if self.cx.release.dialect() == Dialect::StructInfo && !self.is_of_python(test) =>
            {
                true
            }
            Value::Expr(StructInfo::Prim(prim)) => prim
                .dtype
                .is_some_and(|dtype| !dtype.is_python() && !dtype.is_bool()),
            value => is_relax_only(value),
        };
        if !refused {
            return;
        }
        let message = if symbolic {
            "a symbolic condition can only choose between numbers: use an `if` statement"
        } else if is_relax_only(&value) {
            "TVMScript evaluates this while it parses: use an `if` statement, or `R.where`"
        } else {
            "TVMScript expects a bool here: `True`, `False` or a comparison"
        };
        let range = self.range(if symbolic { expr } else { test });
        self.report(Code::UnsupportedStatement, range, message);
    }

    /// Reports a call of a Python function that Relax values don't support.
    pub(in crate::infer) fn check_builtin(&mut self, name: &SmolStr, args: &[ExprId]) {
        let asks_for_truth = FUNCTIONS_OF_TRUTH.contains(&name.as_str());
        if !asks_for_truth && !FUNCTIONS.contains(&name.as_str()) {
            return;
        }
        // A shape expression has a truth value in no release.
        let always_true = asks_for_truth && !self.is_type_dialect();
        // A value that is not bound yet may have a length, such as `R.shape([3, 4])`.
        let is_variable = |at: &&ExprId| match self.facts.value(**at) {
            Value::Sym(sym) => !sym.any_var(&|var| var.is_python()),
            value => {
                let is_prim = matches!(value, Value::Expr(StructInfo::Prim(_)));
                !always_true
                    && matches!(self.body.exprs[**at], Expr::Name(_))
                    && matches!(self.facts.def(**at), Some(Def::Var(_)))
                    && (is_prim || is_relax_only(value))
            }
        };
        if let Some(&at) = args.iter().find(is_variable) {
            let what = match self.facts.value(at) {
                Value::Sym(_) => "a shape expression",
                value => value.kind_name(),
            };
            let message = format!("Python's `{name}` cannot read {what}");
            let range = self.range(at);
            self.report(Code::ArgumentType, range, message);
        }
    }
}
