//! Fills in a missing argument of an operator: a variable in scope that the operator accepts, or what the annotation
//! of the result says.

use hir::body::{Arg, Expr, ExprId};
use hir::facts::{Def, Var};
use relax::Diagnostic;
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::ops::{self, Call, Default, Kind, OpDef};
use relax::script::Namespace;
use relax::sinfo::{Fit, Shape, StructInfo, Tensor, TensorShape};
use relax::sym::{SymCx, SymExpr};
use relax::value::Value;
use syntax::ast::{self, AstNode};
use text_size::{TextRange, TextSize};

use super::devices::named;
use super::{Confidence, Fixes};
use crate::annotations;
use crate::dataflow::last_name;
use crate::prim_output;
use crate::semantics::FunctionContext;
use crate::source_edit::SourceEdit;

/// The maximum number of variables that are offered.
const MAX_OFFERED: usize = 3;
/// The maximum number of variables that are tried, the nearest first.
const MAX_TRIED: usize = 100;

pub fn add(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if fixes.only_certain {
        return;
    }
    let Some(lacking) = Lacking::at(cx, diagnostic.range) else {
        return;
    };
    let checking = fixes.checking(cx);
    let mut offers = lacking.offers();
    // Drop variables that are not visible here because their block has ended.
    offers.retain(|text| checking.improves(&lacking.with(text)) != Some(false));
    let only = offers.len() == 1;
    for text in offers {
        let title = format!("Add `{text}` as `{}`", lacking.param().name);
        fixes.add(
            "add-argument",
            title,
            Confidence::likely_if(only),
            lacking.with(&text),
        );
    }
}

/// A call with a missing argument.
struct Lacking<'c, 'db> {
    cx: &'c FunctionContext<'db>,
    call: TextRange,
    op: &'static OpDef,
    args: &'db [Arg],
    given: Vec<Option<Value>>,
    /// The index of the parameter without an argument.
    at: usize,
}

impl<'c, 'db> Lacking<'c, 'db> {
    fn at(cx: &'c FunctionContext<'db>, callee: TextRange) -> Option<Lacking<'c, 'db>> {
        let around = cx.body.exprs_around(callee).into_iter();
        let (call, op, args) = around
            .filter_map(|expr| match &cx.body.exprs[expr] {
                Expr::Call { callee: it, args } if cx.body.range(*it) == callee => {
                    let Some(Def::Op(op)) = cx.facts.def(*it) else {
                        return None;
                    };
                    Some((cx.body.range(expr), op.0, args.as_slice()))
                }
                _ => None,
            })
            .min_by_key(|(range, ..)| range.len())?;
        let mut given = vec![None; op.params.len()];
        for (at, arg) in args.iter().enumerate() {
            let param = match &arg.keyword {
                Some(keyword) => op.param(&keyword.text)?,
                None => at,
            };
            *given.get_mut(param)? = Some(cx.facts.value(arg.value).clone());
        }
        let required = |at: &usize| op.params[*at].default == Default::Required;
        let mut missing = (0..given.len()).filter(|at| required(at) && given[*at].is_none());
        let at = missing.next()?;
        let complete = missing.next().is_none();
        complete.then_some(Lacking {
            cx,
            call,
            op,
            args,
            given,
            at,
        })
    }

    fn param(&self) -> &'static ops::Param {
        &self.op.params[self.at]
    }

    /// Returns the possible texts of the argument, the most likely first.
    fn offers(&self) -> Vec<String> {
        let result = self.annotated_result();
        let tensor = result.as_ref().and_then(StructInfo::as_tensor);
        let operand = || self.given.iter().flatten().find_map(first_tensor);
        let written = match self.param().kind {
            Kind::Annotation => result
                .clone()
                .or_else(|| operand().map(StructInfo::Tensor))
                .and_then(|it| self.output(it)),
            Kind::DType => {
                let dtype = tensor.and_then(|it| it.dtype);
                let dtype = dtype.or_else(|| operand()?.dtype).unwrap_or(DType::F32);
                (!dtype.is_python()).then(|| format!("\"{dtype}\""))
            }
            Kind::Shape => tensor.and_then(|it| match &it.shape {
                TensorShape::Known(dims) => {
                    let shape = StructInfo::Shape(Shape::Known(dims.clone()));
                    annotations::in_body(self.cx, &shape)?;
                    Some(tuple(dims))
                }
                _ => None,
            }),
            Kind::VDevice => return self.devices(),
            _ => None,
        };
        match written {
            Some(text) => vec![text],
            None => self.variables(result.as_ref()),
        }
    }

    /// Writes the output of a call; in the RFC, as shape and dtype.
    fn output(&self, sinfo: StructInfo) -> Option<String> {
        let text = annotations::in_body(self.cx, &sinfo)?;
        if self.cx.release.dialect() != Dialect::Rfc {
            return Some(text);
        }
        let relax = self.cx.alias(Namespace::Relax);
        prim_output::written(&[sinfo], relax::Release::Rfc, &relax)
    }

    /// Returns the annotation of the variable or the return value that the call's result becomes.
    fn annotated_result(&self) -> Option<StructInfo> {
        let cx = self.cx;
        if let Some(stmt) = cx.around::<ast::AnnAssignStmt>(self.call)
            && stmt.value()?.range() == self.call
        {
            let target = stmt.target()?.range();
            return Some(cx.facts.var_named_at(target)?.struct_info.clone());
        }
        let stmt = cx.around::<ast::ReturnStmt>(self.call)?;
        (stmt.value()?.range() == self.call).then(|| {
            let function = cx.facts.function_at(self.call);
            cx.facts.functions[function].annotated_ret.clone()
        })?
    }

    /// Returns the variables that the operator accepts. If the result is annotated, they must also lead to that
    /// result.
    fn variables(&self, result: Option<&StructInfo>) -> Vec<String> {
        if let Kind::Str | Kind::Float | Kind::Bool | Kind::Function = self.param().kind {
            return Vec::new();
        }
        let mut before: Vec<Var<'_>> = self.cx.vars_before(self.call).collect();
        before.reverse();
        let mut fitting: Vec<(bool, String)> = Vec::new();
        for var in before.into_iter().take(MAX_TRIED) {
            let name = var.name.to_string();
            if self.accepts(&var, result) && fitting.iter().all(|(_, known)| *known != name) {
                let is_given = self.is_given(&var);
                fitting.push((is_given, name));
            }
        }
        // Prefer variables that are not already an operand.
        fitting.sort_by_key(|(is_given, _)| *is_given);
        let names = fitting.into_iter().map(|(_, name)| name);
        names.take(MAX_OFFERED).collect()
    }

    fn accepts(&self, var: &Var<'_>, result: Option<&StructInfo>) -> bool {
        if var.struct_info.is_unknown() {
            return false;
        }
        let mut args = self.given.clone();
        args[self.at] = Some(Value::Expr(var.struct_info.clone()));
        let cx = SymCx::default();
        let call = Call {
            op: self.op,
            args: &args,
            cx: &cx,
            release: self.cx.release,
            oldest: self.cx.oldest,
            vdevices: &[],
        };
        match (ops::infer(&call), result) {
            (Ok(sinfo), Some(result)) => sinfo.fit(result, &cx) > Fit::Never,
            (Ok(_), None) => true,
            (Err(_), _) => false,
        }
    }

    fn is_given(&self, var: &Var<'_>) -> bool {
        let is_it =
            |expr: ExprId| matches!(self.cx.facts.def(expr), Some(Def::Var(id)) if *id == var.id);
        self.args.iter().any(|arg| is_it(arg.value))
    }

    /// Returns the devices that the module lists.
    fn devices(&self) -> Vec<String> {
        let module = self.cx.module();
        let names = module.map_or_else(Vec::new, |it| named(it.vdevices(self.cx.db)));
        names.iter().map(|name| format!("\"{name}\"")).collect()
    }

    /// Inserts the argument at its position, or by keyword if arguments before it have keywords.
    fn with(&self, text: &str) -> SourceEdit {
        let range = |arg: &Arg| self.cx.body.range(arg.value);
        let mut positional = self.args.iter().filter(|arg| arg.keyword.is_none());
        let in_place = positional.clone().count() == self.at;
        let named = || format!("{}={text}", self.param().name);
        match (positional.next_back(), self.args.last()) {
            (Some(before), _) if in_place => {
                SourceEdit::insert(range(before).end(), format!(", {text}"))
            }
            (None, Some(first)) if in_place => {
                let start = self.args[0]
                    .keyword
                    .as_ref()
                    .map_or_else(|| range(first).start(), |keyword| keyword.range.start());
                SourceEdit::insert(start, format!("{text}, "))
            }
            (_, Some(last)) => SourceEdit::insert(range(last).end(), format!(", {}", named())),
            (_, None) => SourceEdit::insert(self.call.end() - TextSize::of(')'), text),
        }
    }
}

/// Adds the missing target of a cast: the annotation of the result, or the known StructInfo of the value.
pub fn cast_target(cx: &FunctionContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(call) = cx.around::<ast::CallExpr>(diagnostic.range) else {
        return;
    };
    let is_cast = call.callee().and_then(|it| last_name(&it)).as_deref() == Some("match_cast");
    let Some(args) = call.arg_list().filter(|_| is_cast) else {
        return;
    };
    let args: Vec<ast::Arg> = args.args().collect();
    let [value] = args.as_slice() else { return };
    let annotated = cx.around::<ast::AnnAssignStmt>(call.range());
    let annotated = annotated.and_then(|it| Some(cx.slice(it.annotation()?.range()).to_owned()));
    let known = || {
        let value = value.value()?.range();
        let mut exprs = cx.body.exprs_around(value).into_iter();
        let value = exprs.find(|it| cx.body.range(*it) == value)?;
        annotations::in_body(cx, &cx.facts.value(value).struct_info()?)
    };
    if let Some(text) = annotated.or_else(known) {
        let edit = SourceEdit::insert(value.range().end(), format!(", {text}"));
        fixes.possible("cast-target", format!("Cast to `{text}`"), edit);
    }
}

/// Returns the value if it is a tensor, or the first tensor in a tuple.
fn first_tensor(value: &Value) -> Option<Tensor> {
    match value {
        Value::List(items) => items.iter().find_map(first_tensor),
        value => value.struct_info()?.as_tensor().cloned(),
    }
}

/// Writes dimensions as a Python tuple.
fn tuple(dims: &[SymExpr]) -> String {
    let shown: Vec<String> = dims.iter().map(ToString::to_string).collect();
    match shown.as_slice() {
        [one] => format!("({one},)"),
        all => format!("({})", all.join(", ")),
    }
}
