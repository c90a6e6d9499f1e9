//! Infers calls of functions from their signatures, and reports invalid arguments.

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::dtype::DType;
use relax::release::Release;
use relax::sinfo::call::{Derived, derive};
use relax::sinfo::{Aspect, Callable, Fit, Mismatch, StructInfo};
use relax::sym::{SymVar, Tri};
use relax::value::Value;

use crate::body::{Arg, Expr, ExprId};
use crate::infer::Infer;
use crate::infer::reports::mismatch::mismatch_text;

impl Infer<'_> {
    /// Infers a call of a Relax function from its signature.
    pub(in crate::infer) fn function_call(
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
        let Some(mut given) = self.spread(args, &values) else {
            return StructInfo::Unknown;
        };
        if !self.check_passing(expr, what, &mut given) {
            self.facts.refused_calls.insert(expr);
            return callable.ret.clone();
        }
        for ((arg, _), param) in given
            .iter()
            .zip(callable.params.iter().flat_map(|it| it.iter()))
        {
            self.know_metadata(arg.value, param);
        }
        let operands: Vec<StructInfo> = given.iter().map(|(_, v)| self.argument(v)).collect();
        let exprs: Vec<ExprId> = given.iter().map(|(a, _)| a.value).collect();
        self.derive_call(expr, callable, what, &operands, &exprs)
    }

    /// Returns the StructInfo of a value as an argument of a function.
    fn argument(&self, value: &Value) -> StructInfo {
        match value {
            Value::Global(name) => self.cx.globals.get(name).map(|global| global.struct_info.0),
            value => value.struct_info(),
        }
        .unwrap_or(StructInfo::Unknown)
    }

    /// Returns `true` if each argument can be passed to a function at all: by position, and as a Relax value.
    fn check_passing(&mut self, expr: ExprId, what: &str, given: &mut Vec<(Arg, Value)>) -> bool {
        let callee = match &self.body.exprs[expr] {
            Expr::Call { callee, .. } => self.facts.value(*callee),
            _ => &Value::Unknown,
        };
        // A call of a variable may also have attributes.
        if !matches!(callee, Value::Global(_)) {
            let is_attrs = |arg: &Arg| arg.keyword.as_ref().is_some_and(|it| it.text == "attrs");
            given.retain(|(arg, _)| !is_attrs(arg));
        }
        // Before TVM 0.16, any call may specify its result.
        if self.cx.release <= Release::Unity {
            let is_type = |arg: &Arg| {
                arg.keyword
                    .as_ref()
                    .is_some_and(|it| it.text == "type_args")
            };
            given.retain(|(arg, _)| !is_type(arg));
        }
        for (arg, value) in given.iter() {
            if let Some(keyword) = &arg.keyword {
                let message = format!(
                    "{what} takes its arguments by position, so `{}=` is not allowed",
                    keyword.text
                );
                let range = keyword.range;
                self.report(Code::UnknownArgument, range, message);
                return false;
            }
            let is_list = matches!(self.body.exprs[arg.value], Expr::List(_));
            let is_none = matches!(value, Value::None | Value::Module | Value::PythonModule);
            if is_none || (is_list && matches!(value, Value::List(_))) {
                let hint = if is_list { ": write a tuple" } else { "" };
                let message = format!(
                    "{} cannot be an argument of {what}{hint}",
                    value.kind_name()
                );
                let range = self.range(arg.value);
                self.report(Code::ArgumentType, range, message);
                return false;
            }
        }
        true
    }

    /// Infers the result of calling `callable`, and reports arguments that cannot fit.
    pub(in crate::infer) fn derive_call(
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
            self.facts.refused_calls.insert(expr);
            return StructInfo::Unknown;
        }
        let derived = derive(callable, operands, &self.sym);
        // Before TVM 0.16, a less specific value could be passed.
        let least = if self.cx.release.names_modules() {
            Fit::Unproved
        } else {
            Fit::Narrower
        };
        for (at, argument) in derived.args.iter().enumerate() {
            let place = exprs.get(at).copied().unwrap_or(expr);
            if argument.fit >= least {
                let refuted = argument.mismatches.iter().find(|m| m.proof == Tri::No);
                if let Some(refuted) = refuted {
                    self.facts.refused_calls.insert(expr);
                    self.refuted_argument(&derived, refuted, at, place, exprs, what);
                }
                continue;
            }
            // A pass narrows the integers of PrimFuncs (`ForceNarrowIndexToInt32`), and calls pass them in 64 bits.
            let param = callable.params.as_ref().map(|it| &it[at]);
            let are_integers = [operands.get(at), param]
                .iter()
                .all(|it| it.is_some_and(is_integer));
            if are_integers && self.is_printed() {
                continue;
            }
            self.facts.refused_calls.insert(expr);
            let worst = argument.mismatches.iter().min_by_key(|m| m.fit);
            let detail = worst.map_or_else(String::new, |m| format!(": {}", mismatch_text(m)));
            let message = format!("argument {} does not fit {what}{detail}", at + 1);
            let mut diagnostic = Diagnostic::new(Code::ArgumentType, self.range(place), message);
            diagnostic.differing = worst.and_then(Mismatch::differing);
            self.add_origin(place, &mut diagnostic);
            self.facts.diagnostics.push(diagnostic);
        }
        derived.ret
    }

    /// Reports an argument that cannot fit, which TVM only checks at run time.
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
        diagnostic.differing = refuted.differing();
        self.add_origin(place, &mut diagnostic);
        if let Some(var) = &refuted.bound {
            self.unification(derived, var, exprs, &mut diagnostic);
        }
        self.facts.diagnostics.push(diagnostic);
    }

    /// Explains the value of a shape variable of the callee.
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
        let note = format!("{part} binds `{}` to `{}`", var.name, bound.value);
        diagnostic.related.push((self.range(place), note));
    }
}

fn is_integer(sinfo: &StructInfo) -> bool {
    matches!(sinfo, StructInfo::Prim(prim) if prim.dtype.is_some_and(DType::is_int))
}
