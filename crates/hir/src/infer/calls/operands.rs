//! Matches the arguments of an operator to the parameters of its row.

use relax::arguments::{Argument, Misfit, bind};
use relax::ops::{Kind, OpDef};
use relax::value::Value;

use crate::body::{Arg, ExprId};
use crate::facts::ArgFact;
use crate::infer::Infer;
use crate::misfits::Callee;

/// The same parameter in two dialects.
const RENAMED: &[(&str, &str)] = &[
    ("out_sinfo", "out_ty"),
    ("out_ty", "out_sinfo"),
    ("sinfo_args", "ty_args"),
    ("ty_args", "sinfo_args"),
];

/// Keywords that TVM prints for calls that were created with their result.
const PRINTED: &[&str] = &["ty_args", "sinfo_args"];

impl Infer<'_> {
    /// Matches the arguments to parameters. Returns `None` if a starred argument makes this impossible.
    pub(in crate::infer) fn bind_args(
        &mut self,
        expr: ExprId,
        op: &'static OpDef,
        args: &[Arg],
        values: &[Value],
    ) -> Option<(Vec<ArgFact>, Vec<Option<Value>>)> {
        let given = self.spread(args, values)?;
        let params = op.params;
        let named = given.iter().map(|(arg, _)| Named { arg, op });
        let binding = bind(params, named);
        let mut facts = vec![ArgFact::Absent; params.len()];
        let mut operands: Vec<Option<Value>> = vec![None; params.len()];
        for (at, param) in params.iter().enumerate() {
            let bound: Vec<&(Arg, Value)> = binding.args(at).map(|it| &given[it]).collect();
            let [(first, value), ..] = bound.as_slice() else {
                continue;
            };
            if param.star {
                facts[at] = ArgFact::Many(bound.iter().map(|(arg, _)| arg.value).collect());
                let values = bound.iter().map(|(_, value)| value.clone());
                operands[at] = Some(Value::list(values.collect::<Vec<Value>>()));
            } else {
                facts[at] = ArgFact::One(first.value);
                operands[at] = Some(self.operand_value(param.kind, value));
            }
        }
        let given: Vec<&Arg> = given.iter().map(|(arg, _)| arg).collect();
        let misfits = self.real_misfits(op, &given, binding.misfits(params));
        let failed = !misfits.is_empty();
        self.report_misfits(expr, Callee::Operator(op), &given, &misfits);
        // Reject values of the wrong kind here, so that rules only see values of the right kind.
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
}

impl Infer<'_> {
    /// Removes the misfits that TVM accepts or prints, except for unknown keywords.
    fn real_misfits(&mut self, op: &OpDef, args: &[&Arg], misfits: Vec<Misfit>) -> Vec<Misfit> {
        let mut real = misfits;
        real.retain(|misfit| {
            let Misfit::UnknownName(at) = *misfit else {
                return true;
            };
            let Some(keyword) = &args[at].keyword else {
                return true;
            };
            if PRINTED.contains(&keyword.text.as_str()) {
                self.printed_argument(op, &keyword.text, keyword.range);
                return false;
            }
            // A packed function has its own attributes.
            op.script() != "call_packed"
        });
        real
    }

    /// An operator that takes values also accepts a module function.
    fn operand_value(&self, kind: Kind, value: &Value) -> Value {
        match (kind, value) {
            (kind, Value::Global(name)) if kind != Kind::Function => {
                let global = self.cx.globals.get(name);
                global.map_or(Value::Unknown, |global| Value::Expr(global.struct_info.0))
            }
            (_, value) => value.clone(),
        }
    }
}

/// An argument with the keyword that the release uses: `out_sinfo` becomes `out_ty`.
struct Named<'a> {
    arg: &'a Arg,
    op: &'static OpDef,
}

impl Argument for Named<'_> {
    fn keyword(&self) -> Option<&str> {
        let keyword = self.arg.keyword()?;
        if self.op.param(keyword).is_some() {
            return Some(keyword);
        }
        let renamed = RENAMED.iter().find(|(there, _)| *there == keyword);
        Some(renamed.map_or(keyword, |(_, here)| here))
    }

    fn is_starred(&self) -> bool {
        self.arg.starred
    }
}
