//! Explains the dimensions of a result: which operand dimension each comes from, or what the shape variables of a
//! called function stand for.

use hir::LazyFacts;
use hir::body::{Body, Expr, ExprId};
use hir::facts::{ArgFact, CallFact};
use relax::sinfo::call::derive;
use relax::sinfo::{Aspect, Callable, StructInfo};
use relax::sym::{SymCx, SymExpr};

use crate::callee::struct_info;

/// The maximum number of operands listed for one dimension.
const MAX_SOURCES: usize = 3;
/// The maximum number of dimensions that are explained.
const MAX_DIMS: usize = 8;

/// Returns Markdown lines about the result of an operator call.
pub fn of_operator(call: &CallFact, result: &StructInfo, facts: &LazyFacts, body: &Body) -> String {
    let Some(dims) = result.as_tensor().and_then(|tensor| tensor.dims()) else {
        return String::new();
    };
    if dims.len() > MAX_DIMS {
        return String::new();
    }
    let mut operands: Vec<(String, StructInfo)> = Vec::new();
    for (param, arg) in call.op.0.params.iter().zip(&call.args) {
        match arg {
            ArgFact::Absent => {}
            ArgFact::One(expr) => match &body.exprs[*expr] {
                Expr::Tuple(items) | Expr::List(items) => {
                    let element = |(at, &item): (usize, &ExprId)| {
                        (format!("{}[{at}]", param.name), struct_info(facts, item))
                    };
                    operands.extend(items.iter().enumerate().map(element));
                }
                _ => operands.push((param.name.to_owned(), struct_info(facts, *expr))),
            },
            ArgFact::Many(exprs) => {
                let element = |(at, &expr): (usize, &ExprId)| {
                    (format!("{}[{at}]", param.name), struct_info(facts, expr))
                };
                operands.extend(exprs.iter().enumerate().map(element));
            }
        }
    }
    let lines = dims.iter().enumerate().filter_map(|(at, dim)| {
        let sources = sources(dim, &operands);
        match sources.as_slice() {
            // A literal needs no explanation, unless it comes from a variable.
            [] if dim.as_int().is_some() => None,
            [] => Some(format!("\n- dimension {at}, `{dim}`: computed")),
            sources => Some(format!(
                "\n- dimension {at}, `{dim}`: {}",
                sources.join(", ")
            )),
        }
    });
    lines.collect()
}

/// Returns the operand dimensions that are equal to this one.
fn sources(dim: &SymExpr, operands: &[(String, StructInfo)]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, sinfo) in operands {
        let (what, dims) = match sinfo {
            StructInfo::Shape(shape) => ("value", shape.values()),
            sinfo => (
                "dimension",
                sinfo.as_tensor().and_then(|tensor| tensor.dims()),
            ),
        };
        let places = dims.unwrap_or_default().iter().enumerate();
        let equal = places.filter(|(_, it)| *it == dim && it.as_int() != Some(1));
        found.extend(equal.map(|(at, _)| format!("{what} {at} of `{name}`")));
    }
    found.truncate(MAX_SOURCES);
    found
}

/// Returns lines that say what the shape variables of a called function stand for.
pub fn of_function(callable: &Callable, args: &[StructInfo]) -> String {
    let derived = derive(callable, args, &SymCx::default());
    let lines = derived.bound.iter().take(MAX_DIMS).map(|bound| {
        let place = match bound.aspect {
            Aspect::Dim(dim) => format!("dimension {dim} of argument {}", bound.param + 1),
            _ => format!("argument {}", bound.param + 1),
        };
        format!(
            "\n- `{}` there is `{}`: {place}",
            bound.var.name, bound.value
        )
    });
    lines.collect()
}
