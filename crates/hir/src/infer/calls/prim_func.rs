//! Calls of PrimFuncs: compares arguments and outputs with the buffers of the callee.

use relax::FunctionKind;
use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::parts::Parts;
use relax::sinfo::{Callable, Fit, Mismatch, Shape, StructInfo};
use relax::value::Value;
use smol_str::SmolStr;

use crate::body::{Arg, ExprId};
use crate::facts::Def;
use crate::infer::Infer;
use crate::infer::reports::mismatch::mismatch_text;

/// The arguments of a call besides the function and its inputs.
pub(in crate::infer) struct CallTirArgs {
    /// `inplace_indices`
    pub inplace: Option<ExprId>,
    pub tir_vars: Option<ExprId>,
    /// The StructInfo of the result.
    pub out: ExprId,
}

impl Infer<'_> {
    /// Checks the arguments and the result of a call against the buffers of the called PrimFunc.
    pub(in crate::infer) fn check_against_prim_func(
        &mut self,
        expr: ExprId,
        args: &[Arg],
        given: &CallTirArgs,
        result: &StructInfo,
    ) {
        let Some(inputs) = args.get(1) else {
            return;
        };
        let Some((name, all_params)) = self.called_prim_func(args) else {
            return;
        };
        let Some(scalars) = self.count_of_scalars(given.tir_vars) else {
            return;
        };
        // The scalars come after the outputs.
        let buffers = all_params.len().saturating_sub(scalars);
        let (params, last) = all_params.split_at(buffers);
        let (operands, exprs) = self.tuple_operands(inputs.value);
        for (&operand, param) in exprs.iter().zip(params) {
            self.know_metadata(operand, param);
        }
        let unknown = |s: &StructInfo| s.is_unknown() || matches!(s, StructInfo::DTensor(_));
        if params.iter().any(unknown) || operands.iter().any(unknown) || unknown(result) {
            return;
        }
        let what = format!("PrimFunc `{name}`");
        if self.has_buffer_as_scalar(expr, &what, buffers, last) {
            return;
        }
        let results = match result {
            StructInfo::Tuple(fields) => fields.len(),
            _ => 1,
        };
        let is_short = given.inplace.is_none() && operands.len() + results < params.len();
        if operands.len() > params.len() || is_short {
            let count = |count: usize, what: &str| match count {
                1 => format!("1 {what}"),
                _ => format!("{count} {what}s"),
            };
            let (arguments, outputs) =
                (count(operands.len(), "argument"), count(results, "output"));
            let passed = match scalars {
                0 => format!("{arguments} and {outputs}"),
                _ => format!("{arguments}, {outputs} and {}", count(scalars, "scalar")),
            };
            let message = format!(
                "{what} has {}, including outputs, but the call passes {passed}",
                count(all_params.len(), "parameter")
            );
            let range = self.range(inputs.value);
            self.report(Code::ArgumentCount, range, message);
            self.facts.refused_calls.insert(expr);
            return;
        }
        let (inputs, outputs) = params.split_at(operands.len());
        let Some(outputs) = self.with_inplace_outputs(inputs, outputs, given.inplace) else {
            return;
        };
        let ret = match outputs.as_slice() {
            [one] => one.clone(),
            several => StructInfo::tuple(several.to_vec()),
        };
        let dummy = Callable {
            params: Some(inputs.into()),
            ret,
            pure: true,
        };
        let before = self.facts.diagnostics.len();
        let computed = self.derive_call(expr, &dummy, &what, &operands, &exprs);
        let is_error = |it: &Diagnostic| it.severity == Severity::Error;
        let refused = self.facts.diagnostics[before..].iter().any(is_error);
        // TVM requires a proof that the result is the declared one; scalar arguments don't contribute to it.
        let fit = result.fit(&computed, &self.sym);
        let has_scalars = all_params
            .iter()
            .any(|it| matches!(it, StructInfo::Prim(_)));
        let unprovable =
            fit == Fit::Unproved && !has_scalars && result.has_other_dims_than(&computed);
        if refused || (fit > Fit::Narrower && !unprovable) {
            return;
        }
        let mut python = false;
        for sinfo in [&computed, result] {
            sinfo.for_each_sym_var(&mut |v| python |= v.is_python());
        }
        if python {
            return;
        }
        let differs = result.worst_mismatch(&computed, &self.sym);
        let detail = differs
            .as_ref()
            .map_or_else(String::new, |m| format!(": {}", mismatch_text(m)));
        let message = format!("the result does not fit what {what} writes{detail}");
        let range = self.range(given.out);
        self.report(Code::ShapeMismatch, range, message).differing =
            differs.as_ref().and_then(Mismatch::differing);
        self.facts.refused_calls.insert(expr);
    }

    /// Returns the name and the parameters of the PrimFunc that is the first argument, unless the other arguments are
    /// only known to Python.
    fn called_prim_func(&self, args: &[Arg]) -> Option<(SmolStr, Parts<StructInfo>)> {
        if args.iter().any(|a| a.starred) {
            return None;
        }
        let Some(Def::Global(name)) = self.facts.def(args.first()?.value) else {
            return None;
        };
        let global = self.cx.globals.get(name)?;
        match (global.kind, &*global.struct_info) {
            (FunctionKind::PrimFunc, StructInfo::Callable(callable)) => {
                Some((name.clone(), callable.params.clone()?))
            }
            _ => None,
        }
    }

    /// Reports a buffer among the last parameters, which take the scalars of `tir_vars=`.
    fn has_buffer_as_scalar(
        &mut self,
        expr: ExprId,
        what: &str,
        first: usize,
        last: &[StructInfo],
    ) -> bool {
        let is_buffer = |it: &StructInfo| matches!(it, StructInfo::Tensor(_));
        let Some(place) = last.iter().position(is_buffer) else {
            return false;
        };
        let message = format!(
            "`tir_vars` are passed after the outputs, but parameter {} of {what} is a buffer",
            first + place + 1
        );
        let range = self.range(expr);
        self.report(Code::ArgumentType, range, message);
        self.facts.refused_calls.insert(expr);
        true
    }

    /// Returns the number of scalars that `tir_vars` passes, if it is known.
    fn count_of_scalars(&self, tir_vars: Option<ExprId>) -> Option<usize> {
        let Some(tir_vars) = tir_vars else {
            return Some(0);
        };
        match self.facts.value(tir_vars) {
            Value::None => Some(0),
            Value::List(items) => Some(items.len()),
            Value::Expr(StructInfo::Shape(Shape::Known(dims))) => Some(dims.len()),
            _ => None,
        }
    }

    /// Returns the outputs of a call, where an in-place output is one of the inputs. Returns `None` if the indices are
    /// unknown.
    fn with_inplace_outputs(
        &self,
        inputs: &[StructInfo],
        outputs: &[StructInfo],
        inplace: Option<ExprId>,
    ) -> Option<Vec<StructInfo>> {
        let mut outputs = outputs.to_vec();
        if let Some(inplace) = inplace {
            let Value::List(indices) = self.facts.value(inplace) else {
                return None;
            };
            for (k, index) in indices.iter().enumerate() {
                let Value::Int(index) = index else {
                    return None;
                };
                if let Some(input) = usize::try_from(*index).ok().and_then(|i| inputs.get(i)) {
                    outputs.insert(k.min(outputs.len()), input.clone());
                }
            }
        }
        Some(outputs)
    }
}
