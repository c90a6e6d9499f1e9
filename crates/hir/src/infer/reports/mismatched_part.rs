//! Finds the part of an annotation that does not fit: the dimension, the dtype, or the device.

use relax::arguments;
use relax::sinfo::{Aspect, Mismatch, Step};
use relax::value::Value;
use text_size::TextRange;

use crate::body::{Arg, Expr, ExprId};
use crate::infer::Infer;

impl Infer<'_> {
    /// Returns the range of the annotation at `at` that `mismatch` is about.
    pub(in crate::infer) fn mismatched_part(&self, at: ExprId, mismatch: &Mismatch) -> TextRange {
        let mut at = at;
        for step in &mismatch.path {
            match self.part_of_annotation(at, *step) {
                Some(part) => at = part,
                None => return self.range(at),
            }
        }
        self.range(self.written_aspect(at, mismatch.aspect).unwrap_or(at))
    }

    /// Returns a field of `R.Tuple(...)`, or a parameter or the result of `R.Callable(...)`.
    fn part_of_annotation(&self, at: ExprId, step: Step) -> Option<ExprId> {
        let args = self.constructor(at)?;
        match step {
            Step::Field(index) => match args {
                [arg] => self.item(arg.value, index).or(Some(arg.value)),
                args => args.get(index).map(|arg| arg.value),
            },
            Step::Param(index) => {
                let params = arguments::find(args, 0, &["params"])?;
                self.item(params.value, index)
            }
            Step::Ret => arguments::find(args, 1, &["ret"]).map(|arg| arg.value),
        }
    }

    /// Returns the operand of a constructor for an aspect of a tensor or a shape.
    fn written_aspect(&self, at: ExprId, aspect: Aspect) -> Option<ExprId> {
        let args = self.constructor(at)?;
        let operand = |at: usize, name: &[&str]| arguments::find(args, at, name);
        let dims = || operand(0, &["shape", "values"]);
        match aspect {
            Aspect::Dim(index) => self.item(dims()?.value, index),
            Aspect::Rank | Aspect::Shape => {
                let ndim = args.iter().find(|arg| is_named(arg, "ndim"));
                ndim.or_else(dims).map(|arg| arg.value)
            }
            // `R.Tensor("float32")` has its dtype as the first argument.
            Aspect::DType => operand(1, &["dtype"])
                .or_else(|| operand(0, &["dtype"]))
                .map(|arg| arg.value)
                .filter(|&at| matches!(self.facts.value(at), Value::Str(_))),
            Aspect::VDevice => operand(2, &["vdevice"]).map(|arg| arg.value),
            _ => None,
        }
    }

    /// Returns the operands of `R.Tensor(...)` or a similar constructor.
    fn constructor(&self, at: ExprId) -> Option<&[Arg]> {
        let Expr::Call { callee, args } = &self.body.exprs[at] else {
            return None;
        };
        let constructor = matches!(self.facts.value(*callee), Value::Script(path)
            if crate::infer::annotations::is_constructor(&path.rest));
        let plain = args.iter().all(|arg| !arg.starred);
        (constructor && plain).then_some(args)
    }

    fn item(&self, at: ExprId, index: usize) -> Option<ExprId> {
        match &self.body.exprs[at] {
            Expr::Tuple(items) | Expr::List(items) => items.get(index).copied(),
            _ => None,
        }
    }
}

fn is_named(arg: &Arg, name: &str) -> bool {
    arg.keyword.as_ref().is_some_and(|it| it.text == name)
}
