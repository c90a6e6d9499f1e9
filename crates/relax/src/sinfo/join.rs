//! Joins two StructInfos: what is known about a value that is one of two, as after an `if`.

use std::sync::Arc;

use crate::dtype::DType;
use crate::parts::Parts;
use crate::sinfo::renaming::same_up_to_names;
use crate::sinfo::{Callable, DTensor, Prim, Shape, StructInfo, Tensor, TensorShape};
use crate::sym::{SymCx, SymExpr};

impl StructInfo {
    /// Returns the most precise StructInfo that includes both. Unknown stays unknown.
    pub fn join(&self, other: &StructInfo, cx: &SymCx) -> StructInfo {
        match (self, other) {
            (StructInfo::Unknown, _) | (_, StructInfo::Unknown) => StructInfo::Unknown,
            (StructInfo::String, StructInfo::String) => StructInfo::String,
            (StructInfo::Prim(a), StructInfo::Prim(b)) => join_prims(a, b, cx),
            (StructInfo::Shape(a), StructInfo::Shape(b)) => {
                StructInfo::Shape(join_shapes(a, b, cx))
            }
            (StructInfo::Tensor(a), StructInfo::Tensor(b)) => {
                StructInfo::Tensor(join_tensors(a, b, cx))
            }
            (StructInfo::DTensor(a), StructInfo::DTensor(b))
                if a.mesh == b.mesh && a.placement == b.placement =>
            {
                StructInfo::DTensor(Arc::new(DTensor {
                    tensor: join_tensors(&a.tensor, &b.tensor, cx),
                    mesh: a.mesh.clone(),
                    placement: a.placement.clone(),
                }))
            }
            (StructInfo::Tuple(a), StructInfo::Tuple(b)) if a.len() == b.len() => {
                StructInfo::Tuple(join_lists(a, b, cx))
            }
            (StructInfo::Callable(a), StructInfo::Callable(b)) => {
                StructInfo::Callable(Arc::new(join_callables(a, b, cx)))
            }
            _ => StructInfo::Object,
        }
    }
}

fn join_lists(a: &Parts<StructInfo>, b: &Parts<StructInfo>, cx: &SymCx) -> Parts<StructInfo> {
    if a.is_same(b) {
        return a.clone();
    }
    let mut others = b.iter();
    a.map(|field| match others.next() {
        Some(other) => field.join(other, cx),
        None => field.clone(),
    })
}

fn all_equal(a: &[SymExpr], b: &[SymExpr], cx: &SymCx) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| cx.equal(a, b).is_yes())
}

fn join_prims(a: &Prim, b: &Prim, cx: &SymCx) -> StructInfo {
    if let (Some(x), Some(y)) = (a.dtype, b.dtype)
        && x != y
    {
        return StructInfo::Object;
    }
    let equal = matches!((&a.value, &b.value), (Some(x), Some(y)) if cx.equal(x, y).is_yes());
    StructInfo::Prim(Prim {
        dtype: a.dtype.and(b.dtype),
        value: a.value.clone().filter(|_| equal),
    })
}

fn join_shapes(a: &Shape, b: &Shape, cx: &SymCx) -> Shape {
    match (a, b) {
        (Shape::Known(x), Shape::Known(y)) if all_equal(x, y, cx) => a.clone(),
        _ => Shape::Unknown(a.ndim().filter(|_| a.ndim() == b.ndim())),
    }
}

fn join_tensors(a: &Tensor, b: &Tensor, cx: &SymCx) -> Tensor {
    let ndim = a.ndim().filter(|_| a.ndim() == b.ndim());
    let shape = match (&a.shape, &b.shape) {
        (TensorShape::Var { id: x, .. }, TensorShape::Var { id: y, .. }) if x == y => {
            a.shape.clone()
        }
        (TensorShape::Known(x), TensorShape::Known(y)) if all_equal(x, y, cx) => a.shape.clone(),
        _ => TensorShape::Unknown(ndim),
    };
    Tensor {
        shape,
        dtype: join_dtypes(a.dtype, b.dtype),
        vdevice: a.vdevice.clone().filter(|_| a.vdevice == b.vdevice),
    }
}

/// Joins dtypes. One that only Python knows may equal the other.
fn join_dtypes(a: Option<DType>, b: Option<DType>) -> Option<DType> {
    match (a?, b?) {
        (a, b) if a == b => Some(a),
        (a, b) if a.is_python() || b.is_python() => Some(DType::PYTHON),
        _ => None,
    }
}

fn join_callables(a: &Callable, b: &Callable, cx: &SymCx) -> Callable {
    let pure = a.pure && b.pure;
    let opaque = |ret| Callable {
        params: None,
        ret,
        pure,
    };
    let ret = a.ret.join(&b.ret, cx);
    let (Some(x), Some(y)) = (&a.params, &b.params) else {
        // TVM keeps the first function, including its purity, if the join adds nothing to it.
        return if a.params.is_none() && ret == a.ret {
            a.clone()
        } else {
            opaque(ret)
        };
    };
    if x.len() != y.len() {
        return opaque(ret);
    }
    let params = join_lists(x, y, cx);
    if same_up_to_names(a, b) || (params == *x && ret == a.ret) {
        return a.clone();
    }
    Callable {
        params: Some(params),
        ret,
        pure,
    }
}
