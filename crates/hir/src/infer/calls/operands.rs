//! The arguments of an operator, sorted by the parameters of its row.

use relax::diagnostics::Code;
use relax::ops::{self, Kind, OpDef};
use relax::value::Value;

use crate::body::{Arg, ExprId, Name};
use crate::facts::ArgFact;
use crate::infer::Infer;

/// The same parameter in two dialects.
const RENAMED: &[(&str, &str)] = &[
    ("out_sinfo", "out_ty"),
    ("out_ty", "out_sinfo"),
    ("sinfo_args", "ty_args"),
    ("ty_args", "sinfo_args"),
];

/// What TVM prints of calls that it was given along with their result.
const PRINTED: &[&str] = &["ty_args", "sinfo_args"];

impl Infer<'_> {
    /// Sorts the arguments by parameter. `None` where a starred argument hides which is which.
    pub(in crate::infer) fn bind_args(
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
        // The values of the parameter that takes all the rest.
        let mut starred: Vec<Value> = Vec::new();
        let mut next = 0;
        let mut failed = false;
        let mut unknown: Vec<&Name> = Vec::new();
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
                        operands[at] = Some(self.operand_value(params[at].kind, value));
                    }
                    // A packed function has attributes of its own.
                    None if op.script() == "call_packed" => {}
                    None if PRINTED.contains(&name) => {
                        self.printed_argument(op, &keyword.text, keyword.range);
                    }
                    None => {
                        unknown.push(keyword);
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
                    starred.push(value.clone());
                }
                Some(_) => {
                    facts[next] = ArgFact::One(arg.value);
                    operands[next] = Some(self.operand_value(params[next].kind, value));
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
        if let Some(slot) = operands.get_mut(next)
            && !starred.is_empty()
        {
            *slot = Some(Value::list(starred));
        }
        self.unknown_arguments(op, &unknown);
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
}

impl Infer<'_> {
    /// A function of the module is a value like any other where an operator takes values.
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

/// The parameter that another dialect names otherwise: `out_sinfo` is `out_ty`.
fn other_dialects_param(op: &OpDef, name: &str) -> Option<usize> {
    let (_, here) = RENAMED.iter().find(|(there, _)| *there == name)?;
    op.param(here)
}
