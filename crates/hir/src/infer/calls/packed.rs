//! Checks calls of TVM's packed functions against the rows of the runtime: number and kinds of arguments.

use relax::diagnostics::{Code, Severity};
use relax::ops::OpDef;
use relax::packed::{self, Packed, PackedKind};
use relax::release::Release;
use relax::sinfo::StructInfo;
use relax::value::Value;

use crate::body::{Expr, ExprId};
use crate::facts::ArgFact;
use crate::infer::Infer;

impl Infer<'_> {
    /// Reports what TVM would report at run time, as a warning, since the module is well-formed.
    pub(in crate::infer) fn check_packed(&mut self, expr: ExprId, op: &OpDef, result: &StructInfo) {
        let Some((symbol, args)) = self.packed_args(expr, op) else {
            return;
        };
        if self.cx.release > Release::Unity && self.reports_annotation(&args) {
            return;
        }
        let (Value::Str(name) | Value::Extern(name)) = self.facts.value(symbol).clone() else {
            return;
        };
        let releases = self.cx.releases;
        let known: Vec<&Packed> = packed::rows(&name)
            .iter()
            .copied()
            .filter(|row| row.releases.and(releases).is_some())
            .collect();
        if known.is_empty() {
            return;
        }
        let outs = match (op.script(), result) {
            ("call_dps_packed", StructInfo::Tuple(fields)) => fields.len(),
            ("call_dps_packed", StructInfo::Unknown) => return,
            ("call_dps_packed", _) => 1,
            _ => 0,
        };
        let count = args.len() + outs;
        let fitting: Vec<&Packed> = known.iter().copied().filter(|it| it.takes(count)).collect();
        if fitting.is_empty() {
            let row = known[known.len() - 1];
            let message = format!("{}, and {count} are given", expected_count(row));
            let range = self.range(symbol);
            self.report(Code::ArgumentCount, range, message).severity = Severity::Warning;
            return;
        }
        for (at, &arg) in args.iter().enumerate() {
            let value = self.facts.value(arg).clone();
            let wanted = |row: &&Packed| {
                let params = row.params();
                let param = params.get(at).or(params.last()).copied();
                param.filter(|param| !may_be_of_kind(param.kind, &value))
            };
            let Some(wrong) = fitting.iter().map(wanted).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let message = format!(
                "`{name}` takes {} as `{}`",
                article(wrong[0].kind),
                wrong[0].name
            );
            let range = self.range(arg);
            self.report(Code::ArgumentType, range, message).severity = Severity::Warning;
        }
    }

    /// Reports an annotation among the arguments: `R.call_packed("f", x, R.Tensor((4,), "float32"))`.
    fn reports_annotation(&mut self, args: &[ExprId]) -> bool {
        let is_annotation = |at: &&ExprId| matches!(self.facts.value(**at), Value::Annotation(_));
        let Some(&at) = args.iter().find(is_annotation) else {
            return false;
        };
        let message =
            "an annotation is not an argument of a packed function: pass the result's type by name";
        let range = self.range(at);
        self.report(Code::ArgumentType, range, message);
        true
    }

    /// Returns the symbol and the arguments of a call, or `None` if only Python knows the number of arguments.
    fn packed_args(&self, expr: ExprId, op: &OpDef) -> Option<(ExprId, Vec<ExprId>)> {
        let call = self.facts.call(expr)?;
        let fact = |name: &str| call.args.get(op.param(name)?);
        let Some(ArgFact::One(symbol)) = fact("func") else {
            return None;
        };
        let args = match fact("args")? {
            ArgFact::Absent => Vec::new(),
            ArgFact::Many(items) => items.clone(),
            ArgFact::One(at) => match &self.body.exprs[*at] {
                Expr::Tuple(items) | Expr::List(items) => items.clone(),
                _ if op.script() == "call_dps_packed" => return None,
                _ => vec![*at],
            },
        };
        let starred = |&at: &ExprId| matches!(self.body.exprs[at], Expr::Star(_));
        (!args.iter().any(starred)).then_some((*symbol, args))
    }
}

/// Returns a sentence such as `f takes 28 or 29 arguments`.
fn expected_count(row: &Packed) -> String {
    let params = row.params();
    let least = params.iter().filter(|it| !it.optional && !it.star).count();
    let s = if params.len() == 1 { "" } else { "s" };
    let count = match params.len() {
        most if most == least => most.to_string(),
        most if params.iter().any(|it| it.star) => format!("at least {}", most - 1),
        most => format!("{least} to {most}"),
    };
    format!("`{}` takes {count} argument{s}", row.name)
}

/// Returns `true` if a value may be an argument of the kind.
fn may_be_of_kind(kind: PackedKind, value: &Value) -> bool {
    let is = match value {
        Value::Int(_) | Value::Sym(_) => Some(PackedKind::Int),
        Value::Bool(_) => Some(PackedKind::Bool),
        Value::Float(_) => Some(PackedKind::Float),
        Value::Str(_) => Some(PackedKind::Str),
        Value::Expr(StructInfo::Tensor(_)) => Some(PackedKind::Tensor),
        Value::Expr(StructInfo::Shape(_)) => Some(PackedKind::Shape),
        Value::Expr(StructInfo::Tuple(_)) => Some(PackedKind::Tuple),
        Value::Expr(StructInfo::Callable(_)) | Value::Global(_) | Value::Extern(_) => {
            Some(PackedKind::Function)
        }
        _ => None,
    };
    let Some(is) = is else {
        return true;
    };
    match (kind, is) {
        (PackedKind::Any, _) => true,
        // Numbers convert to each other, and integers to floats.
        (
            PackedKind::Int | PackedKind::Bool | PackedKind::Float,
            PackedKind::Int | PackedKind::Bool,
        ) => true,
        // A string may name a dtype.
        (PackedKind::DType, PackedKind::Str) => true,
        _ => kind == is,
    }
}

fn article(kind: PackedKind) -> String {
    match kind {
        PackedKind::Int => "an integer".to_owned(),
        PackedKind::Float => "a number".to_owned(),
        PackedKind::Bool => "a truth value".to_owned(),
        PackedKind::Str => "a string".to_owned(),
        PackedKind::Object => "a cache or a state".to_owned(),
        kind => format!("a {}", kind.name()),
    }
}
