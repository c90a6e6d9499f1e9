//! `R.call_tir_inplace`: which outputs are written to which arguments.

use relax::arguments;
use relax::diagnostics::Code;
use relax::sinfo::{Fit, StructInfo, Tensor};
use relax::value::Value;
use rustc_hash::FxHashSet;

use crate::body::{Arg, Expr, ExprId};
use crate::infer::Infer;

impl Infer<'_> {
    /// Checks that each output has an index: that of the argument it overwrites, or -1 for a new tensor. Returns
    /// `true` if the indices may be valid.
    pub(in crate::infer) fn check_inplace(&mut self, args: &[Arg], out: &StructInfo) -> bool {
        let Some(given) = arguments::find(args, 1, &["args"]).map(|a| a.value) else {
            return true;
        };
        if matches!(self.body.exprs[given], Expr::Name(_))
            && matches!(
                self.facts.value(given),
                Value::Expr(StructInfo::Tuple(_)) | Value::List(_)
            )
        {
            let message = "the arguments of `R.call_tir_inplace` must be written as a tuple in the call, not passed as a variable";
            let range = self.range(given);
            self.report(Code::ArgumentType, range, message);
            return true;
        }
        let Some(at) = arguments::find(args, 2, &["inplace_indices"]).map(|a| a.value) else {
            return true;
        };
        if self.is_invalid_index(at) {
            let range = self.range(at);
            let message = "`inplace_indices` must be an integer or a list of integers";
            self.report(Code::ArgumentType, range, message);
            return false;
        }
        let Some(indices) = indices(self.facts.value(at)) else {
            return true;
        };
        let (operands, exprs) = self.tuple_operands(given);
        let outputs = match out {
            StructInfo::Tuple(fields) => fields.to_vec(),
            StructInfo::Unknown => return true,
            one => vec![one.clone()],
        };
        if let Some(message) = wrong_indices(&indices, operands.len(), outputs.len()) {
            let range = self.range(at);
            self.report(Code::ArgumentValue, range, message);
            return false;
        }
        for (output, index) in outputs.iter().zip(&indices) {
            if let Ok(index) = usize::try_from(*index) {
                self.check_aliased(&operands[index], exprs[index], output, at);
            }
        }
        true
    }

    /// Returns `true` if something is neither an integer nor a list of integers.
    fn is_invalid_index(&self, at: ExprId) -> bool {
        let is_other = |at: ExprId| {
            matches!(
                self.body.exprs[at],
                Expr::None | Expr::Str(_) | Expr::Float(_) | Expr::Tuple(_)
            )
        };
        is_other(at)
            || matches!(&self.body.exprs[at], Expr::List(items) if items.iter().any(|it| is_other(*it)))
    }

    fn check_aliased(
        &mut self,
        input: &StructInfo,
        input_at: ExprId,
        output: &StructInfo,
        at: ExprId,
    ) {
        let (StructInfo::Tensor(input), StructInfo::Tensor(output)) = (input, output) else {
            return;
        };
        if self.may_alias(input, output) {
            return;
        }
        let release = self.cx.release;
        let message = format!(
            "an in-place output must have the shape and dtype of its argument, but the output is `{}` and the argument `{}`",
            StructInfo::Tensor(output.clone()).quoted(release.dialect()),
            StructInfo::Tensor(input.clone()).quoted(release.dialect())
        );
        let (range, argument) = (self.range(at), self.range(input_at));
        let before = self.facts.diagnostics.len();
        self.report(Code::ArgumentValue, range, message)
            .related
            .push((argument, "the argument".to_owned()));
        self.mark_as_form_errors(before);
    }

    /// For `R.call_inplace_packed`, the StructInfo of an overwritten argument stays the same.
    pub(in crate::infer) fn inplace_packed(
        &mut self,
        args: &[Arg],
        given: StructInfo,
    ) -> StructInfo {
        let by_position = |arg: &&Arg| arg.keyword.is_none();
        let at = arguments::find(args, usize::MAX, &["inplace_indices"]).map(|it| it.value);
        let (Some(at), false) = (at, args.iter().any(|it| it.starred)) else {
            return given;
        };
        let Some(indices) = indices(self.facts.value(at)) else {
            return given;
        };
        let outputs = match (&given, indices.len()) {
            (_, 1) => std::slice::from_ref(&given),
            (StructInfo::Tuple(fields), _) => &fields[..],
            _ => return given,
        };
        for (output, index) in outputs.iter().zip(indices) {
            let place = usize::try_from(index).ok().map(|it| it + 1);
            let Some(arg) = place.and_then(|it| args.iter().filter(by_position).nth(it)) else {
                continue;
            };
            let Some(input) = self.facts.value(arg.value).struct_info() else {
                continue;
            };
            let unknown = input.is_unknown() || output.is_unknown();
            if unknown || input.fit(output, &self.sym) > Fit::Narrower {
                continue;
            }
            let release = self.cx.release;
            let message = format!(
                "an in-place output must have the StructInfo of its argument: `{}`, not `{}`",
                input.quoted(release.dialect()),
                output.quoted(release.dialect())
            );
            let (range, argument) = (self.range(at), self.range(arg.value));
            self.report(Code::ArgumentValue, range, message)
                .related
                .push((argument, "the argument".to_owned()));
            return StructInfo::Unknown;
        }
        given
    }

    fn may_alias(&self, input: &Tensor, output: &Tensor) -> bool {
        let (Some(a), Some(b)) = (input.dims(), output.dims()) else {
            return true;
        };
        let same_dtype = match (input.dtype, output.dtype) {
            (Some(a), Some(b)) => !a.differs(b),
            (input, _) => input.is_none(),
        };
        same_dtype
            && a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| !self.sym.equal(a, b).is_no())
    }
}

fn indices(value: &Value) -> Option<Vec<i64>> {
    let int = |value: &Value| match value {
        Value::Int(index) => Some(*index),
        _ => None,
    };
    match value {
        Value::List(items) => items.iter().map(int).collect(),
        one => Some(vec![int(one)?]),
    }
}

fn wrong_indices(indices: &[i64], arguments: usize, outputs: usize) -> Option<String> {
    if indices.len() != outputs {
        return Some(format!(
            "each output needs an index: there are {outputs} outputs and {} indices",
            indices.len()
        ));
    }
    let mut seen = FxHashSet::default();
    for &index in indices {
        let inside = usize::try_from(index).is_ok_and(|i| i < arguments);
        if !inside && index != -1 {
            return Some(format!(
                "index `{index}` is out of range: there are {arguments}, and -1 means a new tensor"
            ));
        }
        if inside && !seen.insert(index) {
            return Some(format!("index `{index}` is used for two outputs"));
        }
    }
    seen.is_empty()
        .then(|| "no output is computed in place: call `R.call_tir`".to_owned())
}
