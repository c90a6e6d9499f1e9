//! Explains the dimensions of a result: which operand dimension each comes from, or what the shape variables of a
//! called function stand for.

use hir::LazyFacts;
use hir::body::{Body, Expr, ExprId};
use hir::facts::{ArgFact, CallFact};
use relax::sinfo::call::derive;
use relax::sinfo::{Aspect, Callable, StructInfo};
use relax::sym::{SymCx, SymExpr};

use crate::callee::struct_info;
use crate::markdown::{Code, Markdown, markdown};

/// The maximum number of operands listed for one dimension.
const MAX_SOURCES: usize = 3;
/// The maximum number of dimensions that are explained.
const MAX_DIMS: usize = 8;

/// Returns Markdown lines about the result of an operator call.
pub fn of_operator(
    call: &CallFact,
    result: &StructInfo,
    facts: &LazyFacts,
    body: &Body,
) -> Markdown {
    let Some(dims) = result.as_tensor().and_then(|tensor| tensor.dims()) else {
        return Markdown::default();
    };
    if dims.len() > MAX_DIMS {
        return Markdown::default();
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
            [] => Some(markdown!("\n- dimension {}, {}: computed", at, Code(dim))),
            sources => Some(markdown!(
                "\n- dimension {}, {}: {}",
                at,
                Code(dim),
                Markdown::joined(sources.iter().cloned(), ", ")
            )),
        }
    });
    lines.collect()
}

/// Returns the operand dimensions that are equal to this one.
fn sources(dim: &SymExpr, operands: &[(String, StructInfo)]) -> Vec<Markdown> {
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
        found.extend(equal.map(|(at, _)| markdown!("{} {} of {}", what, at, Code(name))));
    }
    found.truncate(MAX_SOURCES);
    found
}

/// Returns lines that say what the shape variables of a called function stand for.
pub fn of_function(callable: &Callable, args: &[StructInfo]) -> Markdown {
    let derived = derive(callable, args, &SymCx::default());
    let lines = derived.bound.iter().take(MAX_DIMS).map(|bound| {
        let place = match bound.aspect {
            Aspect::Dim(dim) => markdown!("dimension {} of argument {}", dim, bound.param + 1),
            _ => markdown!("argument {}", bound.param + 1),
        };
        markdown!(
            "\n- {} there is {}: {}",
            Code(&bound.var.name),
            Code(&bound.value),
            place
        )
    });
    lines.collect()
}
