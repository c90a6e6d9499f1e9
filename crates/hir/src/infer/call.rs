//! Calls: of operators by their rows, of functions by their signatures, with their purity.

use smol_str::SmolStr;
use text_size::TextRange;

use super::Infer;
use crate::body::{Arg, Expr, ExprId};
use crate::diagnostics::{Code, Diagnostic, Severity};
use crate::dialect::Dialect;
use crate::facts::{ArgFact, CallFact, Def, OpRef};
use crate::item_tree::{FunctionKind, vdevice};
use crate::ops::{self, At, Call, Kind, OpDef, OpError, OpErrorKind, Purity, Rule, Stop};
use crate::sinfo::call::{Derived, derive};
use crate::sinfo::{Aspect, Callable, Fit, Mismatch, Step, StructInfo};
use crate::sym::{SymVar, Tri};
use crate::value::Value;

impl Infer<'_> {
    pub(super) fn call(&mut self, expr: ExprId, callee: ExprId, args: &[Arg]) -> Value {
        let callee_value = self.expr(callee);
        if let Some(value) = self.method_call(expr, callee, args) {
            return value;
        }
        match callee_value {
            Value::Script(path) => {
                if let Some(value) = self.script_call(expr, &path, args) {
                    return value;
                }
                let Some(op) = ops::by_script(&path.rest, self.cx.dialect) else {
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
            Value::Expr(
                sinfo @ (StructInfo::Tensor(_)
                | StructInfo::Shape(_)
                | StructInfo::Tuple(_)
                | StructInfo::Prim(_)),
            ) => {
                self.values(args);
                let range = self.range(callee);
                let message = format!("`{}` cannot be called", sinfo.display(self.cx.dialect));
                self.report(Code::NotCallable, range, message);
                Value::Unknown
            }
            _ => {
                if let Some(value) = self
                    .macro_call(expr, callee, args)
                    .or_else(|| self.helper_call(expr, callee, args))
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

    /// A call of a function of the module.
    fn global_call(&mut self, expr: ExprId, name: &SmolStr, args: &[Arg]) -> Value {
        let Some(global) = self.cx.globals.get(name) else {
            self.values(args);
            return Value::Unknown;
        };
        match (global.kind, &global.struct_info) {
            (FunctionKind::Relax, StructInfo::Callable(callable)) => {
                let callable = callable.as_ref().clone();
                let what = format!("`{name}`");
                Value::Expr(self.function_call(expr, &callable, &what, args))
            }
            // A PrimFunc called directly writes to its arguments; only one with a declared result gives something back.
            (FunctionKind::PrimFunc, StructInfo::Callable(callable)) => {
                let callable = callable.as_ref().clone();
                let values = self.values(args);
                if let Some(given) = self.spread(args, &values) {
                    self.prim_func_call(expr, &callable, name, &given);
                }
                Value::Expr(callable.ret)
            }
            _ => {
                self.values(args);
                Value::Unknown
            }
        }
    }

    /// Keeps in mind a call of `name` whose arguments are reported.
    pub(super) fn note_refused(&mut self, name: &SmolStr, call: ExprId) {
        if self.facts.refused_calls.contains(&call) {
            let at = self.callee_range(call);
            self.facts.refused.push((name.clone(), at));
        }
    }

    fn prim_func_call(
        &mut self,
        expr: ExprId,
        callable: &Callable,
        name: &str,
        given: &[(Arg, Value)],
    ) {
        let operands: Vec<StructInfo> = given
            .iter()
            .map(|(_, v)| v.struct_info().unwrap_or(StructInfo::Unknown))
            .collect();
        let exprs: Vec<ExprId> = given.iter().map(|(a, _)| a.value).collect();
        self.derive_call(
            expr,
            callable,
            &format!("PrimFunc `{name}`"),
            &operands,
            &exprs,
        );
    }

    /// `x.astype("float16")`: the one operator that is also a method.
    fn method_call(&mut self, expr: ExprId, callee: ExprId, args: &[Arg]) -> Option<Value> {
        let Expr::Attribute { base, name } = &self.body.exprs[callee] else {
            return None;
        };
        let value = self.facts.value(*base).clone();
        if name.text != "astype" || !matches!(value, Value::Expr(_)) {
            return None;
        }
        let op = ops::by_script("astype", self.cx.dialect)?;
        let dtype = self.values(args).into_iter().next();
        let facts = vec![
            ArgFact::One(*base),
            args.first()
                .map_or(ArgFact::Absent, |a| ArgFact::One(a.value)),
        ];
        self.facts.calls.insert(
            expr,
            CallFact {
                op: OpRef(op),
                args: facts.clone(),
            },
        );
        Some(Value::Expr(self.apply_rule(
            op,
            &[Some(value), dtype],
            expr,
            &facts,
        )))
    }

    fn operator_call(&mut self, expr: ExprId, op: &'static OpDef, args: &[Arg]) -> Value {
        let values = self.values(args);
        match op.purity {
            // In the RFC, which knows no purity but that of a block, a packed function there is one without effects.
            Purity::Impure
                if op.script() == "call_packed"
                    && self.cx.dialect == Dialect::Rfc
                    && self.in_dataflow() => {}
            Purity::Impure => {
                self.impure_call(expr, &format!("`R.{}`", op.script()));
            }
            Purity::Pure | Purity::OfCallee => {}
        }
        let bound = self.bind_args(expr, op, args, &values);
        let Some((facts, operands)) = bound else {
            return Value::Unknown;
        };
        self.facts.calls.insert(
            expr,
            CallFact {
                op: OpRef(op),
                args: facts.clone(),
            },
        );
        if matches!(op.rule, Rule::Special) {
            return self.special_call(expr, op, args);
        }
        Value::Expr(self.apply_rule(op, &operands, expr, &facts))
    }

    /// `x + y` and its like: the operator that the sugar stands for.
    pub(super) fn operator_sugar(
        &mut self,
        expr: ExprId,
        name: &str,
        operands: &[&Value],
    ) -> Value {
        let Some(op) = ops::by_script(name, self.cx.dialect) else {
            return Value::Unknown;
        };
        let sub: Vec<ExprId> = match &self.body.exprs[expr] {
            Expr::Binary { lhs, rhs, .. } => vec![*lhs, *rhs],
            Expr::Unary { operand, .. } => vec![*operand],
            Expr::Compare { first, rest } => vec![*first, rest.first().map_or(*first, |(_, e)| *e)],
            _ => return Value::Unknown,
        };
        for (&at, value) in sub.iter().zip(operands) {
            if let Value::Int(_) | Value::Float(_) | Value::Bool(_) = value {
                let range = self.range(at);
                self.report(
                    Code::ArgumentType,
                    range,
                    "a Python number is no operand of a Relax expression: write `R.const(...)`",
                );
                return Value::Unknown;
            }
        }
        let facts: Vec<ArgFact> = sub.iter().map(|&e| ArgFact::One(e)).collect();
        let values: Vec<Option<Value>> = operands.iter().map(|&v| Some(v.clone())).collect();
        self.facts.calls.insert(
            expr,
            CallFact {
                op: OpRef(op),
                args: facts.clone(),
            },
        );
        Value::Expr(self.apply_rule(op, &values, expr, &facts))
    }

    pub(super) fn apply_rule(
        &mut self,
        op: &'static OpDef,
        operands: &[Option<Value>],
        expr: ExprId,
        facts: &[ArgFact],
    ) -> StructInfo {
        let call = Call {
            op,
            args: operands,
            cx: &self.sym,
            dialect: self.cx.dialect,
            vdevices: self.cx.vdevices,
        };
        match ops::infer(&call) {
            Ok(sinfo) => sinfo,
            Err(Stop::Unknown) => StructInfo::Unknown,
            Err(Stop::Error(error)) => {
                self.op_error(op, expr, facts, &error);
                StructInfo::Unknown
            }
        }
    }

    fn op_error(&mut self, op: &OpDef, expr: ExprId, facts: &[ArgFact], error: &OpError) {
        let code = match error.kind {
            OpErrorKind::Shape => Code::ShapeMismatch,
            OpErrorKind::Rank => Code::RankMismatch,
            OpErrorKind::DType => Code::DtypeMismatch,
            OpErrorKind::Type => Code::ArgumentType,
            OpErrorKind::Value => Code::ArgumentValue,
        };
        let at = self.place(expr, facts, error.at);
        let mut diagnostic = Diagnostic::new(
            code,
            self.range(at),
            format!("`R.{}`: {}", op.script(), error.message),
        );
        self.origin(at, &mut diagnostic);
        for (place, note) in &error.related {
            let at = self.place(expr, facts, *place);
            diagnostic.related.push((self.range(at), note.clone()));
            self.origin(at, &mut diagnostic);
        }
        self.facts.diagnostics.push(diagnostic);
    }

    /// Where an operand got its StructInfo.
    fn origin(&self, at: ExprId, diagnostic: &mut Diagnostic) {
        if let Some(Def::Var(var)) = self.facts.def(at) {
            let var = self.var(*var);
            let note = format!(
                "`{}` is `{}`",
                var.name,
                var.struct_info.display(self.cx.dialect)
            );
            diagnostic.related.push((var.name_range, note));
        }
    }

    /// The expression at a place of a call.
    fn place(&self, call: ExprId, facts: &[ArgFact], at: At) -> ExprId {
        match (facts.get(at.param), at.element) {
            (Some(ArgFact::One(expr)), Some(element)) => match &self.body.exprs[*expr] {
                Expr::Tuple(items) | Expr::List(items) => {
                    items.get(element).copied().unwrap_or(*expr)
                }
                _ => *expr,
            },
            (Some(ArgFact::One(expr)), None) => *expr,
            (Some(ArgFact::Many(exprs)), element) => {
                exprs.get(element.unwrap_or(0)).copied().unwrap_or(call)
            }
            _ => call,
        }
    }

    /// Sorts the arguments by parameter. `None` where a starred argument hides which is which.
    fn bind_args(
        &mut self,
        expr: ExprId,
        op: &'static OpDef,
        args: &[Arg],
        values: &[Value],
    ) -> Option<(Vec<ArgFact>, Vec<Option<Value>>)> {
        let given = self.spread(args, values)?;
        let params = op.params;
        let mut facts = vec![ArgFact::Absent; params.len()];
        let mut operands: Vec<Option<Value>> = vec![None; params.len()];
        let mut next = 0;
        let mut failed = false;
        for (arg, value) in &given {
            if let Some(keyword) = &arg.keyword {
                let name = keyword.text.as_str();
                match op.param(name).or_else(|| other_dialects_param(op, name)) {
                    Some(at) => {
                        if facts[at] != ArgFact::Absent {
                            let message = format!("`{}` is given twice", keyword.text);
                            self.report(Code::ArgumentCount, keyword.range, message);
                            failed = true;
                        }
                        facts[at] = ArgFact::One(arg.value);
                        operands[at] = Some(value.clone());
                    }
                    // A packed function has attributes of its own.
                    None if op.script() == "call_packed" || ELSEWHERE.contains(&name) => {}
                    None if PRINTED.contains(&name) => {
                        self.printed_argument(op, &keyword.text, keyword.range);
                    }
                    None => {
                        self.unknown_argument(op, &keyword.text, keyword.range);
                        failed = true;
                    }
                }
                continue;
            }
            match params.get(next) {
                Some(param) if param.star => {
                    match &mut facts[next] {
                        ArgFact::Many(exprs) => exprs.push(arg.value),
                        slot => *slot = ArgFact::Many(vec![arg.value]),
                    }
                    let mut items = match operands[next].take() {
                        Some(Value::List(items)) => items.to_vec(),
                        _ => Vec::new(),
                    };
                    items.push(value.clone());
                    operands[next] = Some(Value::List(items.into()));
                }
                Some(_) => {
                    facts[next] = ArgFact::One(arg.value);
                    operands[next] = Some(value.clone());
                    next += 1;
                }
                None => {
                    let range = self.range(arg.value);
                    let message = format!(
                        "`R.{}` takes at most {} argument{}",
                        op.script(),
                        params.len(),
                        if params.len() == 1 { "" } else { "s" }
                    );
                    if !failed {
                        self.report(Code::ArgumentCount, range, message);
                    }
                    failed = true;
                }
            }
        }
        let missing: Vec<&str> = params
            .iter()
            .zip(&facts)
            .filter(|(p, f)| {
                p.default == ops::Default::Required && !p.star && **f == ArgFact::Absent
            })
            .map(|(p, _)| p.name)
            .collect();
        if !missing.is_empty() && !failed {
            let range = self.callee_range(expr);
            let names = missing
                .iter()
                .map(|m| format!("`{m}`"))
                .collect::<Vec<_>>()
                .join(", ");
            let message = format!("`R.{}` needs {names}", op.script());
            self.report(Code::ArgumentCount, range, message);
            failed = true;
        }
        // What cannot be a value of its parameter stops here, so that rules see values of one kind.
        for (k, param) in params.iter().enumerate() {
            if param.kind == Kind::Annotation {
                operands[k] = None;
            }
        }
        if failed {
            None
        } else {
            Some((facts, operands))
        }
    }

    pub(super) fn callee_range(&self, expr: ExprId) -> TextRange {
        match &self.body.exprs[expr] {
            Expr::Call { callee, .. } => self.range(*callee),
            _ => self.range(expr),
        }
    }

    /// A call of a Relax function, by its signature.
    pub(super) fn function_call(
        &mut self,
        expr: ExprId,
        callable: &Callable,
        what: &str,
        args: &[Arg],
    ) -> StructInfo {
        let values = self.values(args);
        if !callable.pure {
            self.impure_call(expr, what);
        }
        let Some(given) = self.spread(args, &values) else {
            return StructInfo::Unknown;
        };
        let operands: Vec<StructInfo> = given
            .iter()
            .map(|(_, v)| v.struct_info().unwrap_or(StructInfo::Unknown))
            .collect();
        let exprs: Vec<ExprId> = given.iter().map(|(a, _)| a.value).collect();
        self.derive_call(expr, callable, what, &operands, &exprs)
    }

    /// What a call of `callable` on operands gives back, with a report where an operand cannot be.
    pub(super) fn derive_call(
        &mut self,
        expr: ExprId,
        callable: &Callable,
        what: &str,
        operands: &[StructInfo],
        exprs: &[ExprId],
    ) -> StructInfo {
        if let Some(params) = &callable.params
            && params.len() != operands.len()
        {
            let range = self.callee_range(expr);
            let message = format!(
                "{what} takes {} argument{}, but {} {} given",
                params.len(),
                if params.len() == 1 { "" } else { "s" },
                operands.len(),
                if operands.len() == 1 { "is" } else { "are" }
            );
            self.report(Code::ArgumentCount, range, message);
            self.facts.refused_calls.push(expr);
            return StructInfo::Unknown;
        }
        let derived = derive(callable, operands, &self.sym);
        for (at, argument) in derived.args.iter().enumerate() {
            let place = exprs.get(at).copied().unwrap_or(expr);
            if argument.fit > Fit::Narrower {
                let refuted = argument.mismatches.iter().find(|m| m.proof == Tri::No);
                if let Some(refuted) = refuted {
                    self.facts.refused_calls.push(expr);
                    self.refuted_argument(&derived, refuted, at, place, exprs, what);
                }
                continue;
            }
            self.facts.refused_calls.push(expr);
            let worst = argument.mismatches.iter().min_by_key(|m| m.fit);
            let detail = worst.map_or_else(String::new, |m| format!(": {}", mismatch_text(m)));
            let message = format!("argument {} does not fit {what}{detail}", at + 1);
            let mut diagnostic = Diagnostic::new(Code::ArgumentType, self.range(place), message);
            self.origin(place, &mut diagnostic);
            self.facts.diagnostics.push(diagnostic);
        }
        derived.ret
    }

    /// An argument that cannot fit, which TVM leaves to run time.
    fn refuted_argument(
        &mut self,
        derived: &Derived,
        refuted: &Mismatch,
        at: usize,
        place: ExprId,
        exprs: &[ExprId],
        what: &str,
    ) {
        let message = format!(
            "argument {} cannot fit {what} when it runs: {}",
            at + 1,
            mismatch_text(refuted)
        );
        let mut diagnostic = Diagnostic::new(Code::ShapeMismatch, self.range(place), message);
        diagnostic.severity = Severity::Warning;
        self.origin(place, &mut diagnostic);
        if let Some(var) = &refuted.bound {
            self.unification(derived, var, exprs, &mut diagnostic);
        }
        self.facts.diagnostics.push(diagnostic);
    }

    /// How a shape variable of the callee came to stand for what it stands for.
    fn unification(
        &self,
        derived: &Derived,
        var: &SymVar,
        exprs: &[ExprId],
        diagnostic: &mut Diagnostic,
    ) {
        let Some(bound) = derived.value_of(var) else {
            return;
        };
        let Some(&place) = exprs.get(bound.param) else {
            return;
        };
        let part = match bound.aspect {
            Aspect::Dim(dim) => format!("dimension {dim} of argument {}", bound.param + 1),
            _ => format!("argument {}", bound.param + 1),
        };
        let note = format!("{part} makes `{}` stand for `{}`", var.name, bound.value);
        diagnostic.related.push((self.range(place), note));
    }

    /// Notes an impure call; in a dataflow block it is a mistake at once.
    pub(super) fn impure_call(&mut self, expr: ExprId, what: &str) {
        let range = self.callee_range(expr);
        if self.in_dataflow() {
            let block = self.dataflow_range();
            let message = format!("{what} is impure: a dataflow block holds pure calls only");
            let diagnostic = self.report(Code::ImpureCallInDataflow, range, message);
            if let Some(block) = block {
                diagnostic
                    .related
                    .push((block, "the dataflow block".to_owned()));
            }
            return;
        }
        self.frame().impure.push((range, what.into()));
    }

    /// The operand named by one of `names`, or at position `at`.
    pub(super) fn operand_of<'b>(args: &'b [Arg], at: usize, names: &[&str]) -> Option<&'b Arg> {
        args.iter()
            .find(|a| {
                a.keyword
                    .as_ref()
                    .is_some_and(|k| names.contains(&k.text.as_str()))
            })
            .or_else(|| args.get(at).filter(|a| a.keyword.is_none() && !a.starred))
    }

    pub(super) fn is_type_dialect(&self) -> bool {
        self.cx.dialect == Dialect::Type
    }
}

/// The parameter that another dialect names otherwise: `out_sinfo` is `out_ty`.
fn other_dialects_param(op: &OpDef, name: &str) -> Option<usize> {
    let (_, here) = RENAMED.iter().find(|(there, _)| *there == name)?;
    op.param(here)
}

const RENAMED: &[(&str, &str)] = &[
    ("out_sinfo", "out_ty"),
    ("out_ty", "out_sinfo"),
    ("sinfo_args", "ty_args"),
    ("ty_args", "sinfo_args"),
];

/// What TVM prints of calls that it was given along with their result.
const PRINTED: &[&str] = &["ty_args", "sinfo_args"];

/// Parameters that calls of functions have in some dialects only.
const ELSEWHERE: &[&str] = &["tir_vars", "dtype", "output_shape", "type_args"];

/// What differs, as the end of a message that shows the whole of both sides.
pub(super) fn because(mismatch: &Mismatch) -> String {
    match mismatch.aspect {
        // Both sides say it.
        Aspect::Kind | Aspect::Shape => String::new(),
        _ => format!(": {}", mismatch_text(mismatch)),
    }
}

/// What differs, in words.
pub(super) fn mismatch_text(mismatch: &Mismatch) -> String {
    let (expected, found) = (&mismatch.expected, &mismatch.found);
    let count = |count: &str, what: &str| match count {
        "1" => format!("1 {what} is"),
        _ => format!("{count} {what}s are"),
    };
    let of = match mismatch.path.last() {
        Some(Step::Field(index)) => format!(" of field {index}"),
        Some(Step::Param(index)) => format!(" of parameter {}", index + 1),
        Some(Step::Ret) => " of the result".to_owned(),
        None => String::new(),
    };
    match mismatch.aspect {
        Aspect::Rank => {
            let expected = count(expected, "dimension");
            format!("{expected} expected{of}, but it has {found}")
        }
        Aspect::Dim(dim) => {
            format!("dimension {dim}{of} must be `{expected}`, but it is `{found}`")
        }
        Aspect::DType if found == "unknown" => {
            format!("the dtype{of} must be `{expected}`, but it is not known")
        }
        Aspect::DType => format!("the dtype{of} must be `{expected}`, but it is `{found}`"),
        Aspect::VDevice => format!("it must be on `{expected}`, but it is on `{found}`"),
        Aspect::Arity => {
            let expected = count(expected, "part");
            format!("{expected} expected{of}, but it has {found}")
        }
        Aspect::Kind | Aspect::Shape | Aspect::Value | Aspect::Purity | Aspect::Placement => {
            format!("`{expected}` is expected{of}, but it is `{found}`")
        }
    }
}
