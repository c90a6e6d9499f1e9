//! Decides whether two StructInfos definitely differ, for checks where TVM compares them structurally or requires a
//! proof that they agree.

use crate::sinfo::{Shape, StructInfo, Tensor, TensorShape};
use crate::sym::{SymExpr, SymVar};

impl StructInfo {
    /// Returns `true` if the two definitely differ structurally.
    pub fn says_other_than(&self, other: &StructInfo) -> bool {
        match (self, other) {
            (StructInfo::Unknown, _) | (_, StructInfo::Unknown) => false,
            (StructInfo::Tensor(a), StructInfo::Tensor(b)) => tensors_differ(a, b),
            (StructInfo::Shape(a), StructInfo::Shape(b)) => match (a, b) {
                (Shape::Known(a), Shape::Known(b)) => dims_differ(a, b),
                (Shape::Unknown(a), Shape::Unknown(b)) => a != b,
                _ => true,
            },
            (StructInfo::Tuple(a), StructInfo::Tuple(b)) => {
                a.len() != b.len() || a.iter().zip(b.iter()).any(|(a, b)| a.says_other_than(b))
            }
            (a, b) => std::mem::discriminant(a) != std::mem::discriminant(b),
        }
    }

    /// Returns `true` if dimensions of the two, which have equal rank, are definitely not equal for all values of
    /// their variables.
    pub fn has_other_dims_than(&self, other: &StructInfo) -> bool {
        match (self, other) {
            (StructInfo::Tensor(a), StructInfo::Tensor(b)) => match (&a.shape, &b.shape) {
                (TensorShape::Known(a), TensorShape::Known(b)) => dims_differ(a, b),
                _ => false,
            },
            (StructInfo::Tuple(a), StructInfo::Tuple(b)) => a
                .iter()
                .zip(b.iter())
                .any(|(a, b)| a.has_other_dims_than(b)),
            _ => false,
        }
    }
}

fn tensors_differ(a: &Tensor, b: &Tensor) -> bool {
    let python = [a.dtype, b.dtype].iter().flatten().any(|it| it.is_python());
    let shapes = match (&a.shape, &b.shape) {
        (TensorShape::Known(a), TensorShape::Known(b)) => dims_differ(a, b),
        (TensorShape::Unknown(a), TensorShape::Unknown(b)) => a != b,
        (TensorShape::Known(_), TensorShape::Unknown(_))
        | (TensorShape::Unknown(_), TensorShape::Known(_)) => true,
        _ => false,
    };
    shapes || (!python && a.dtype != b.dtype)
}

fn dims_differ(a: &[SymExpr], b: &[SymExpr]) -> bool {
    a.len() != b.len() || a.iter().zip(b).any(|(a, b)| differ_somewhere(a, b))
}

/// Returns `true` if some values of the variables make the two differ.
fn differ_somewhere(a: &SymExpr, b: &SymExpr) -> bool {
    let python = |expr: &SymExpr| expr.any_var(&|var| var.is_python());
    if a == b || python(a) || python(b) {
        return false;
    }
    // Pseudo-random numbers: expressions that agree on these are assumed to be equal.
    let value =
        |var: &SymVar, salt: u32| i64::from(var.id.wrapping_mul(769).wrapping_add(salt) % 997 + 3);
    [101, 577].into_iter().any(|salt| {
        let value_of = |var: &SymVar| Some(value(var, salt));
        match (a.eval(&value_of), b.eval(&value_of)) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::differ_somewhere;
    use crate::sym::{SymExpr, SymVar};

    #[test]
    fn dimensions_differ_if_some_value_distinguishes_them() {
        let n = SymExpr::var(SymVar {
            name: "n".into(),
            id: 1,
        });
        let times = |k: i64| n.mul(&SymExpr::int(k));
        assert!(differ_somewhere(&times(2), &times(3)));
        assert!(differ_somewhere(&n, &SymExpr::int(4)));
        let halved = times(4).floordiv(&SymExpr::int(2));
        assert!(!differ_somewhere(&times(2), &halved));
    }
}
