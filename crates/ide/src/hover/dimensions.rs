//! Explains the dimensions of a result by those of the operands, and the shape variables of a called function by its
//! arguments.
//!
//! The operator's own rule tells: it infers the call again, with a variable of its own for each dimension of each
//! operand, and the result is written in these variables. Equal dimensions are not mixed up, as in the softmax of a
//! tensor of shape `(n, n)`.

use hir::LazyFacts;
use hir::body::{Body, Expr, ExprId};
use hir::facts::{ArgFact, CallFact};
use relax::ops::{self, Call};
use relax::release::Release;
use relax::sinfo::call::derive;
use relax::sinfo::{Aspect, Callable, Shape, StructInfo, Tensor, TensorShape};
use relax::sym::{SymCx, SymExpr, SymVar, Tri};
use relax::value::Value;
use smol_str::{SmolStr, format_smolstr};

use crate::markdown::{Code, Markdown, markdown};

/// The maximum number of dimensions that are explained.
const MAX_DIMS: usize = 8;
/// The ids of the variables that stand for dimensions of operands, larger than those of any function.
const FIRST_ID: u32 = u32::MAX / 2;

/// Returns Markdown lines about the result of an operator call: `- dim 0 (n) = x.shape[0]`.
pub fn of_operator(
    call: &CallFact,
    result: &StructInfo,
    facts: &LazyFacts,
    body: &Body,
    release: Release,
) -> Markdown {
    let Some(dims) = result.as_tensor().and_then(|tensor| tensor.dims()) else {
        return Markdown::default();
    };
    if dims.len() > MAX_DIMS {
        return Markdown::default();
    }
    // Most rules compare dimensions; some calculate with integers, and need those that the call has.
    let tried = [false, true].into_iter().find_map(|keep_integers| {
        let mut names = DimNames {
            keep_integers,
            named: Vec::new(),
        };
        let operands = operands(call, facts, body, &mut names);
        names.derived(call, &operands, dims, release)
    });
    let lines = dims.iter().zip(tried.into_iter().flatten()).enumerate();
    let known = lines.filter_map(|(at, (dim, from))| {
        Some(markdown!(
            "\n- dim {} ({}) = {}",
            at,
            Code(dim),
            Code(from?)
        ))
    });
    known.collect()
}

fn operands(
    call: &CallFact,
    facts: &LazyFacts,
    body: &Body,
    names: &mut DimNames,
) -> Vec<Option<Value>> {
    let mut named = |expr: ExprId, default: SmolStr| {
        match (&body.exprs[expr], facts.value(expr)) {
            (Expr::Name(name), value) => names.value(value, name),
            // A shape that is written in the call explains itself.
            (_, value @ Value::Expr(StructInfo::Shape(_))) => value.clone(),
            (_, value) => names.value(value, &default),
        }
    };
    let params = call.op.0.params.iter().zip(&call.args);
    let operand = params.map(|(param, arg)| {
        let mut each = |exprs: &[ExprId]| {
            let element = |(at, &expr)| named(expr, format_smolstr!("{}[{at}]", param.name));
            exprs.iter().enumerate().map(element).collect::<Vec<_>>()
        };
        match arg {
            ArgFact::Absent => None,
            ArgFact::One(expr) => Some(match &body.exprs[*expr] {
                Expr::Tuple(items) | Expr::List(items) => match (facts.value(*expr), each(items)) {
                    (Value::Expr(_), items) => Value::Expr(StructInfo::Tuple(
                        items
                            .iter()
                            .map(|it| it.struct_info().unwrap_or_default())
                            .collect(),
                    )),
                    (_, items) => Value::List(items.into()),
                },
                _ => named(*expr, SmolStr::new_static(param.name)),
            }),
            ArgFact::Many(exprs) => Some(Value::List(each(exprs).into())),
        }
    });
    operand.collect()
}

/// Variables for the dimensions of operands, named as Python writes them: `x.shape[0]`.
struct DimNames {
    /// Whether only shape variables are replaced.
    keep_integers: bool,
    named: Vec<(SymVar, SymExpr)>,
}

impl DimNames {
    fn value(&mut self, value: &Value, name: &str) -> Value {
        match value {
            Value::Expr(sinfo) => Value::Expr(self.struct_info(sinfo, name)),
            Value::ShapeVar { shape, .. } => {
                Value::Expr(self.struct_info(&StructInfo::Shape(shape.clone()), name))
            }
            value => value.clone(),
        }
    }

    fn struct_info(&mut self, sinfo: &StructInfo, name: &str) -> StructInfo {
        match sinfo {
            StructInfo::Tensor(tensor) => StructInfo::Tensor(Tensor {
                shape: match tensor.dims() {
                    Some(dims) => TensorShape::Known(self.dims(dims, &format!("{name}.shape"))),
                    None => tensor.shape.clone(),
                },
                ..tensor.clone()
            }),
            StructInfo::Shape(Shape::Known(dims)) => {
                StructInfo::Shape(Shape::Known(self.dims(dims, name)))
            }
            StructInfo::Tuple(fields) => {
                let field = |(at, field)| self.struct_info(field, &format!("{name}[{at}]"));
                StructInfo::Tuple(fields.iter().enumerate().map(field).collect())
            }
            sinfo => sinfo.clone(),
        }
    }

    fn dims(&mut self, dims: &[SymExpr], name: &str) -> std::sync::Arc<[SymExpr]> {
        let dim = |(at, dim): (usize, &SymExpr)| {
            let kept = match dim.as_int() {
                // An extent of 1 means broadcasting.
                Some(extent) => self.keep_integers || extent == 1,
                None => dim.vars().iter().any(SymVar::is_python),
            };
            if kept {
                return dim.clone();
            }
            let var = SymVar {
                name: format_smolstr!("{name}[{at}]"),
                id: FIRST_ID + self.named.len() as u32,
            };
            self.named.push((var.clone(), dim.clone()));
            SymExpr::var(var)
        };
        dims.iter().enumerate().map(dim).collect()
    }

    /// Returns the dimensions of the result in these variables, where they occur. Returns `None` if the rule does not
    /// come to the result `dims`.
    fn derived(
        &self,
        call: &CallFact,
        operands: &[Option<Value>],
        dims: &[SymExpr],
        release: Release,
    ) -> Option<Vec<Option<SymExpr>>> {
        let mut cx = SymCx::default();
        for (var, dim) in &self.named {
            cx.assume_equal(&SymExpr::var(var.clone()), dim);
        }
        let inferred = ops::infer(&Call {
            op: call.op.0,
            args: operands,
            cx: &cx,
            release,
            oldest: release,
            vdevices: &[],
        });
        let inferred = inferred.ok()?;
        let found = inferred.as_tensor()?.dims()?;
        let equal = |(a, b)| cx.equal(a, b) == Tri::Yes;
        if found.len() != dims.len() || !found.iter().zip(dims).all(equal) {
            return None;
        }
        let told = |dim: &SymExpr| dim.vars().iter().any(|var| var.id >= FIRST_ID);
        Some(
            found
                .iter()
                .map(|dim| told(dim).then(|| dim.clone()))
                .collect(),
        )
    }
}

/// Returns lines that say what the shape variables of a called function stand for.
pub fn of_function(callable: &Callable, args: &[StructInfo]) -> Markdown {
    let derived = derive(callable, args, &SymCx::default());
    let lines = derived.bound.iter().take(MAX_DIMS).map(|bound| {
        let place = match bound.aspect {
            Aspect::Dim(dim) => markdown!("dim {} of argument {}", dim, bound.param + 1),
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
