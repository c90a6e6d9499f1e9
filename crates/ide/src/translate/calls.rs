//! Translates operator calls: the recipe's steps become nested calls, and a step that is used more than once gets a
//! binding.

use std::sync::Arc;

use hir::relay::body::{Expr, ExprId};
use hir::relay::constants::Constants;
use relax::ops;
use relax::relay::recipes::{self, Arg, Build, Refusal, Step, Val, Written as Origin};
use relax::relay::{Site, Type, attribute, ops as relay_ops};

use super::Untranslated;
use super::function::{Value, Writer};
use super::text;

/// A nested call with a longer text gets a binding.
const LONGEST_NESTED: usize = 60;

impl Writer<'_> {
    /// Translates a call of an operator, given its name.
    pub(super) fn operator(
        &mut self,
        expr: ExprId,
        name: &str,
        args: &[ExprId],
    ) -> Result<Value, Untranslated> {
        let range = self.body.range(expr);
        let refuse = |message: String| Untranslated { range, message };
        let (Some(entry), recipe) = (relay_ops::by_name(name), recipes::of(name)) else {
            return Err(refuse(format!("`{name}` is not an operator of Relay")));
        };
        let Some(recipe) = recipe else {
            let why = recipes::reason(name).map_or_else(String::new, |it| format!(": {it}"));
            return Err(refuse(format!("Relax has no equivalent of `{name}`{why}")));
        };
        let facts = Arc::clone(&self.facts);
        let constants = Constants {
            env: self.env,
            facts: &facts,
        };
        let (inputs, attrs) = constants.attributes(self.body, expr, args);
        let mut operands = Vec::with_capacity(inputs.len());
        for input in inputs {
            operands.push(self.operand(*input)?);
        }
        let types: Vec<Type> = inputs.iter().map(|it| self.ty(*it)).collect();
        let body = self.body;
        let constant = |at: usize| constants.scalar(body, *inputs.get(at)?);
        let elements = |at: usize| constants.elements(body, *inputs.get(at)?);
        let site = Site {
            entry,
            types: &types,
            given: &|name| attribute(&attrs, name),
            constant: &constant,
        };
        let sinfos = operands.iter().map(|it| it.sinfo.clone()).collect();
        let mut build = Build::new(&site, sinfos, self.to).knowing(&elements);
        let result = recipe.write(&mut build);
        let steps = std::mem::take(&mut build.steps);
        match result {
            Ok(val) => Ok(self.written(&steps, &val, &operands)),
            Err(Refusal(why)) => Err(refuse(why)),
        }
    }

    /// Writes the steps. Steps that are used more than once, or are long, are bound.
    fn written(&mut self, steps: &[Step], result: &Val, operands: &[Value]) -> Value {
        let mut uses = vec![0; steps.len()];
        for step in steps {
            let named = step.named.iter().map(|it| &it.1);
            for arg in step.args.iter().chain(named) {
                if let Arg::Val(val) = arg {
                    count(&val.at, &mut uses);
                }
            }
        }
        count(&result.at, &mut uses);
        let measured: Vec<&Origin> = steps.iter().filter_map(measured).collect();
        let mut texts: Vec<String> = Vec::with_capacity(steps.len());
        for (at, step) in steps.iter().enumerate() {
            let text = call(step, &texts, operands);
            let is_result = result.at == Origin::Step(at);
            // Some steps are unused: they belong to attempts that Relax rejected.
            let is_measured = measured.contains(&&Origin::Step(at));
            let is_bound = uses[at] > 1
                || !is_result && uses[at] > 0 && (text.len() > LONGEST_NESTED || is_measured);
            texts.push(if is_bound {
                self.bind_text("lv", &text, None).to_string()
            } else {
                text
            });
        }
        let text = place(&result.at, &texts, operands);
        let is_name = !matches!(result.at, Origin::Step(_)) || !text.contains('(');
        let fields = match &result.at {
            Origin::Input(at) => operands[*at].fields.clone(),
            _ => None,
        };
        Value {
            text,
            sinfo: result.sinfo.clone(),
            is_name,
            fields,
        }
    }
}

/// Returns the operand whose extents TVM needs when it parses the step. TVM does not know them for a nested call, so
/// the operand must be bound.
fn measured(step: &Step) -> Option<&Origin> {
    let leaves_open = |arg: &Arg| match arg {
        Arg::Dims(dims) => dims.iter().any(|it| it.as_int() == Some(-1)),
        Arg::Ints(dims) => dims.contains(&-1),
        _ => false,
    };
    match step.args.as_slice() {
        [Arg::Val(val), shape] if step.op == "reshape" && leaves_open(shape) => Some(&val.at),
        _ => None,
    }
}

/// Counts how often each step is used. Taking a field counts twice, since it needs a name.
fn count(origin: &Origin, uses: &mut [usize]) {
    match origin {
        Origin::Step(at) => uses[*at] += 1,
        Origin::Field(of, _) => {
            count(of, uses);
            count(of, uses);
        }
        Origin::Tuple(parts) => parts.iter().for_each(|it| count(it, uses)),
        Origin::Input(_) | Origin::Number(..) => {}
    }
}

fn call(step: &Step, texts: &[String], operands: &[Value]) -> String {
    let def = ops::by_script(step.op, relax::Release::NEWEST);
    let param = |at: usize| def.and_then(|it| it.params.get(at)).map(|it| it.name);
    let mut args = Vec::new();
    let mut is_positional = true;
    for (at, arg) in step.args.iter().enumerate() {
        let text = argument(arg, texts, operands);
        // The first two arguments explain themselves; lists after them do not.
        let is_plain = matches!(arg, Arg::Val(_)) || at < 2 && step.args.len() < 4;
        is_positional &= is_plain || at == 0;
        match param(at) {
            Some(name) if !is_positional => args.push(format!("{name}={text}")),
            _ => args.push(text),
        }
    }
    for (name, arg) in &step.named {
        args.push(format!("{name}={}", argument(arg, texts, operands)));
    }
    format!("R.{}({})", step.op, args.join(", "))
}

fn argument(arg: &Arg, texts: &[String], operands: &[Value]) -> String {
    let list = |values: &[String]| format!("[{}]", values.join(", "));
    match arg {
        Arg::Val(val) => place(&val.at, texts, operands),
        Arg::Int(value) => value.to_string(),
        Arg::Float(value) => text::number(*value, relax::dtype::DType::F64),
        Arg::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Arg::Str(value) => format!("\"{value}\""),
        Arg::DType(dtype) => format!("\"{dtype}\""),
        Arg::Ints(values) => list(&values.iter().map(i64::to_string).collect::<Vec<_>>()),
        Arg::Dims(dims) => {
            let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
            let comma = if dims.len() == 1 { "," } else { "" };
            format!("({}{comma})", dims.join(", "))
        }
        Arg::Prim(value, dtype) => format!("R.prim_value({})", text::number(*value, *dtype)),
        Arg::None => "None".to_owned(),
    }
}

fn place(origin: &Origin, texts: &[String], operands: &[Value]) -> String {
    match origin {
        Origin::Input(at) => operands[*at].text.clone(),
        Origin::Step(at) => texts[*at].clone(),
        Origin::Number(value, dtype) => text::scalar(*value, *dtype),
        Origin::Field(of, index) => match &**of {
            Origin::Input(at) => {
                match operands[*at].fields.as_ref().and_then(|it| it.get(*index)) {
                    Some(field) => field.text.clone(),
                    None => format!("{}[{index}]", operands[*at].text),
                }
            }
            of => format!("{}[{index}]", place(of, texts, operands)),
        },
        Origin::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|it| place(it, texts, operands)).collect();
            let comma = if parts.len() == 1 { "," } else { "" };
            format!("({}{comma})", parts.join(", "))
        }
    }
}

/// Returns the operator's name if the callee is one.
pub(super) fn operator_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name),
        _ => None,
    }
}
