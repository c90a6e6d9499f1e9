//! Compares function types up to the names of the shape variables that their parameters bind.

use crate::sinfo::{Callable, StructInfo};
use crate::sym::{SymExpr, SymVar};

/// Returns `true` if two function types are equal up to the names of the variables that their parameters bind.
pub fn same_up_to_names(a: &Callable, b: &Callable) -> bool {
    if a.pure != b.pure {
        return false;
    }
    let (Some(left), Some(right)) = (&a.params, &b.params) else {
        return a.params.is_none() == b.params.is_none() && a.ret == b.ret;
    };
    if left.len() != right.len() {
        return false;
    }
    let mut pairs: Vec<(SymVar, SymVar)> = Vec::new();
    for (l, r) in left.iter().zip(right.iter()) {
        let (l, r) = (l.occurrences(), r.occurrences());
        if l.len() != r.len() {
            return false;
        }
        for (l, r) in l.into_iter().zip(r) {
            match pairs.iter().find(|(x, y)| *x == l || *y == r) {
                Some((x, y)) if *x == l && *y == r => {}
                Some(_) => return false,
                None => pairs.push((l, r)),
            }
        }
    }
    // A free variable on the left must not correspond to a bound one on the right.
    let captured = a
        .ret
        .occurrences()
        .into_iter()
        .any(|v| pairs.iter().any(|(_, y)| *y == v) && !pairs.iter().any(|(x, _)| *x == v));
    if captured {
        return false;
    }
    let rename = |s: &StructInfo| {
        s.substitute_all(&|v| {
            pairs
                .iter()
                .find(|(x, _)| x == v)
                .map(|(_, y)| SymExpr::Var(y.clone()))
        })
    };
    left.iter().zip(right.iter()).all(|(l, r)| rename(l) == *r) && rename(&a.ret) == b.ret
}
