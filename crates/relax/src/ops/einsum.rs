//! Einsum: parses the equation, and infers the shape.

use super::{
    At, Call, Infer, Kind, OpDef, OpErrorKind, Stop, common_vdevice, explicit_dims, req, with_dims,
    with_ndim,
};
use crate::sinfo::Tensor;
use crate::sym::{SymExpr, Tri};

pub(super) static OPS: &[OpDef] = &[OpDef::new(
    "relax.einsum",
    &[
        req("operands", Kind::Tensors).doc("The tensors, a tuple or a list."),
        req("subscripts", Kind::Str).doc("The equation: `ij,jk->ik`."),
    ],
    einsum,
)
.doc(
    "A sum of products, by Einstein's notation.",
    "operands: (m, k), (k, n) · subscripts=\"mk,kn->mn\" → (m, n)",
    "R.einsum((x, y), subscripts=\"ij,jk->ik\")",
)
.source("src/relax/op/tensor/linear_algebra.cc")];

/// A letter of the equation, or the ellipsis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Ellipsis,
    Letter(char),
}

struct Equation {
    inputs: Vec<Vec<Label>>,
    output: Vec<Label>,
}

fn equation(text: &str) -> Result<Equation, String> {
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (text, None),
    };
    let inputs = inputs
        .split(',')
        .map(subscript)
        .collect::<Result<Vec<_>, _>>()?;
    let output = match output {
        Some(output) => subscript(output)?,
        None => implicit(&inputs),
    };
    Ok(Equation { inputs, output })
}

fn subscript(text: &str) -> Result<Vec<Label>, String> {
    let mut labels = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("...") {
            if labels.contains(&Label::Ellipsis) {
                return Err(format!("`{text}` has two ellipses"));
            }
            labels.push(Label::Ellipsis);
            rest = after;
            continue;
        }
        if c.is_ascii_alphabetic() {
            labels.push(Label::Letter(c));
        } else if c != ' ' {
            return Err(format!("`{c}` is not a letter"));
        }
        rest = &rest[c.len_utf8()..];
    }
    Ok(labels)
}

/// Returns the implicit output without an arrow: the ellipsis, then the letters that occur once, in alphabetical
/// order.
fn implicit(inputs: &[Vec<Label>]) -> Vec<Label> {
    let mut all: Vec<Label> = inputs.iter().flatten().copied().collect();
    all.sort_unstable();
    let once = |label: &Label| all.iter().filter(|l| *l == label).count() == 1;
    let mut output: Vec<Label> = all
        .iter()
        .filter(|label| **label == Label::Ellipsis || once(label))
        .copied()
        .collect();
    output.dedup();
    output
}

fn einsum(c: &Call<'_>) -> Infer {
    let tensors = c.tensors(0)?;
    let Some(first) = tensors.first() else {
        let message = format!("`{}` must contain at least one tensor", c.name(0));
        return Err(c.error(OpErrorKind::Value, At::param(0), message));
    };
    let Some(text) = c.str(1)? else {
        return Err(c.wrong_kind(1, "a string"));
    };
    let out = Tensor::of_ndim(None, first.dtype).with_vdevice(common_vdevice(&tensors));
    let mut shapes = Vec::with_capacity(tensors.len());
    for (at, tensor) in tensors.iter().enumerate() {
        if tensor.dtype != first.dtype {
            let show = |t: &Tensor| t.dtype.map_or("unknown".into(), |d| d.to_string());
            let message = format!(
                "tensor 0 is `{}` but tensor {at} is `{}`: they must have the same dtype",
                show(first),
                show(tensor)
            );
            return Err(c.error(OpErrorKind::DType, At::element(0, at), message));
        }
        let Some(dims) = explicit_dims(tensor) else {
            return Ok(with_ndim(&out, tensor.ndim()));
        };
        shapes.push(dims);
    }
    let wrong = |message: String| c.error(OpErrorKind::Value, At::param(1), message);
    let equation = equation(&text).map_err(wrong)?;
    if equation.inputs.len() != shapes.len() {
        return Err(wrong(format!(
            "the equation has {} operands, but {} are given",
            equation.inputs.len(),
            shapes.len()
        )));
    }
    let extents = extents(c, &equation, &shapes)?;
    let mut dims = Vec::new();
    for label in &equation.output {
        match (label, extents.of(*label)) {
            (Label::Ellipsis, _) => dims.extend_from_slice(&extents.ellipsis),
            (Label::Letter(_), Some(extent)) => dims.push(extent.clone()),
            (Label::Letter(letter), None) => {
                return Err(wrong(format!(
                    "`{letter}` of the result does not occur in any operand"
                )));
            }
        }
    }
    Ok(with_dims(&out, dims))
}

/// The extent of each letter, and the dimensions that the ellipsis covers.
struct Extents {
    letters: Vec<(Label, SymExpr)>,
    ellipsis: Vec<SymExpr>,
}

impl Extents {
    fn of(&self, label: Label) -> Option<&SymExpr> {
        let found = self.letters.iter().find(|(l, _)| *l == label);
        found.map(|(_, extent)| extent)
    }
}

fn extents(c: &Call<'_>, equation: &Equation, shapes: &[&[SymExpr]]) -> Result<Extents, Stop> {
    let mut extents = Extents {
        letters: Vec::new(),
        ellipsis: Vec::new(),
    };
    for (at, (labels, dims)) in equation.inputs.iter().zip(shapes).enumerate() {
        let named = labels.iter().filter(|l| **l != Label::Ellipsis).count();
        let covered = dims.len().checked_sub(named);
        let exact = named == labels.len();
        let Some(covered) = covered.filter(|&n| !exact || n == 0) else {
            let message = format!(
                "tensor {at} has rank {}, but the equation names {named} of its dimensions",
                dims.len()
            );
            return Err(c.error(OpErrorKind::Rank, At::element(0, at), message));
        };
        let mut next = 0;
        for label in labels {
            if *label == Label::Ellipsis {
                cover(
                    c,
                    at,
                    next,
                    &mut extents.ellipsis,
                    &dims[next..next + covered],
                )?;
                next += covered;
                continue;
            }
            let dim = &dims[next];
            match extents.letters.iter_mut().find(|(l, _)| l == label) {
                Some((_, known)) => *known = joint(c, at, next, known, dim)?,
                None => extents.letters.push((*label, dim.clone())),
            }
            next += 1;
        }
    }
    Ok(extents)
}

/// Returns the extent of a letter that stands for two dimensions, which must be equal or 1.
fn joint(
    c: &Call<'_>,
    element: usize,
    dim: usize,
    known: &SymExpr,
    new: &SymExpr,
) -> Result<SymExpr, Stop> {
    Ok(match (known.as_int(), new.as_int()) {
        (Some(a), Some(b)) if a == b || b == 1 => known.clone(),
        (Some(1), Some(_)) => new.clone(),
        (Some(a), Some(b)) => {
            let message = format!(
                "dimension {dim} of tensor {element} is `{b}`, but the same letter was `{a}` before"
            );
            let at = At {
                param: 0,
                element: Some(element),
                dim: Some(dim),
            };
            return Err(c.error(OpErrorKind::Shape, at, message).between(a, b));
        }
        // TVM accepts extents that are not constant.
        (Some(_), None) => new.clone(),
        (None, Some(_)) => known.clone(),
        (None, None) if c.cx.equal(known, new) == Tri::Yes => known.clone(),
        (None, None) => SymExpr::max(known, new),
    })
}

/// Broadcasts the dimensions that an ellipsis covers with those covered before.
fn cover(
    c: &Call<'_>,
    element: usize,
    first: usize,
    known: &mut Vec<SymExpr>,
    new: &[SymExpr],
) -> Result<(), Stop> {
    while known.len() < new.len() {
        known.insert(0, SymExpr::int(1));
    }
    let offset = known.len() - new.len();
    for (i, dim) in new.iter().enumerate() {
        let slot = &mut known[offset + i];
        // Unlike for a letter, a constant other than 1 takes precedence over a symbolic extent.
        *slot = match (slot.as_int(), dim.as_int()) {
            (Some(extent), None) if extent != 1 => continue,
            (None, Some(extent)) if extent != 1 => dim.clone(),
            _ => joint(c, element, first + i, slot, dim)?,
        };
    }
    Ok(())
}
