//! Unification: solves for the holes in types.
//!
//! A hole is a variable of a union-find forest. If one of two types is less specific (`?` against 3), the result is as
//! specific as TVM's.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use super::types::{Dim, Tensor, Type};

/// The holes of one function.
#[derive(Debug, Default)]
pub struct Solver {
    /// The type of each hole. An unsolved root refers to itself.
    holes: Vec<Option<Type>>,
    /// The number of solved holes, so that a caller can detect progress.
    closed: usize,
}

/// Two parts of types that should be equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Differing {
    pub one: Type,
    pub other: Type,
    /// The dimensions that differ, in tensors of the same rank and dtype.
    pub dims: Vec<usize>,
    /// `true` if a hole would contain itself.
    pub is_endless: bool,
}

impl Differing {
    fn new(one: &Type, other: &Type) -> Differing {
        Differing {
            one: one.clone(),
            other: other.clone(),
            dims: Vec::new(),
            is_endless: false,
        }
    }
}

impl Solver {
    pub fn hole(&mut self) -> Type {
        let id = u32::try_from(self.holes.len()).expect("fewer holes than bytes of a file");
        self.holes.push(None);
        Type::Hole(id)
    }

    /// Returns a number that grows with each solved hole.
    pub fn progress(&self) -> usize {
        self.closed
    }

    /// Returns the known outermost structure of a type. Its parts may still contain solved holes.
    pub fn shallow(&mut self, ty: &Type) -> Type {
        let Type::Hole(first) = *ty else {
            return ty.clone();
        };
        let mut root = first;
        let found = loop {
            match &self.holes[root as usize] {
                Some(Type::Hole(next)) => root = *next,
                Some(found) => break found.clone(),
                None => break Type::Hole(root),
            }
        };
        let mut at = first;
        while let Some(Type::Hole(next)) = self.holes[at as usize] {
            self.holes[at as usize] = Some(found.clone());
            at = next;
        }
        found
    }

    /// Returns the type with each solved hole replaced.
    pub fn resolve(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Unknown | Type::Tensor(_) | Type::Var(_) => ty.clone(),
            _ if !ty.has_holes() => ty.clone(),
            Type::Hole(_) => match self.shallow(ty) {
                open @ Type::Hole(_) => open,
                found => {
                    let resolved = self.resolve(&found);
                    if let Type::Hole(id) = ty {
                        self.holes[*id as usize] = Some(resolved.clone());
                    }
                    resolved
                }
            },
            _ => ty.map(&mut |leaf| match leaf {
                Type::Hole(_) => self.resolve(leaf),
                _ => leaf.clone(),
            }),
        }
    }

    /// Unifies two types.
    pub fn unify(&mut self, one: &Type, other: &Type) -> Result<Type, Box<Differing>> {
        let one = self.shallow(one);
        let other = self.shallow(other);
        match (&one, &other) {
            (Type::Hole(a), Type::Hole(b)) if a == b => Ok(one),
            (Type::Hole(hole), _) => self.close(*hole, &one, &other),
            (_, Type::Hole(hole)) => self.close(*hole, &other, &one),
            (Type::Unknown, _) => Ok(other),
            (_, Type::Unknown) => Ok(one),
            (Type::Tensor(a), Type::Tensor(b)) => unify_tensors(a, b).map(Type::Tensor),
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                Ok(Type::tuple(self.unify_all(a, b)?))
            }
            (
                Type::Adt { name, args: a },
                Type::Adt {
                    name: called,
                    args: b,
                },
            ) if name == called && a.len() == b.len() => {
                Ok(Type::adt(name.clone(), self.unify_all(a, b)?))
            }
            (Type::Ref(a), Type::Ref(b)) => Ok(Type::reference(self.unify(a, b)?)),
            (Type::Var(a), Type::Var(b)) if a == b => Ok(one),
            (Type::Function(a), Type::Function(b)) if a.params.len() == b.params.len() => {
                // Instantiate the function with more type parameters to the other one.
                let (more, less) = if a.type_params.len() >= b.type_params.len() {
                    (a, b)
                } else {
                    (b, a)
                };
                let mut meant = FxHashMap::default();
                for (at, var) in more.type_params.iter().enumerate() {
                    let same = less.type_params.get(at).cloned().map(Type::Var);
                    meant.insert(var.clone(), same.unwrap_or_else(|| self.hole()));
                }
                let ret = self.unify(&more.ret.with(&meant), &less.ret)?;
                let params: Vec<Type> = more.params.iter().map(|it| it.with(&meant)).collect();
                let params = self.unify_all(&params, &less.params)?;
                Ok(Type::function(less.type_params.clone(), params, ret))
            }
            _ => Err(Box::new(Differing::new(&one, &other))),
        }
    }

    fn unify_all(&mut self, one: &[Type], other: &[Type]) -> Result<Vec<Type>, Box<Differing>> {
        let pairs = one.iter().zip(other);
        pairs.map(|(one, other)| self.unify(one, other)).collect()
    }

    fn close(&mut self, hole: u32, open: &Type, with: &Type) -> Result<Type, Box<Differing>> {
        let with = self.resolve(with);
        if with == *open {
            return Ok(with);
        }
        if occurs(hole, &with) {
            return Err(Box::new(Differing {
                is_endless: true,
                ..Differing::new(open, &with)
            }));
        }
        self.holes[hole as usize] = Some(with.clone());
        self.closed += 1;
        Ok(with)
    }
}

fn occurs(hole: u32, ty: &Type) -> bool {
    match ty {
        Type::Hole(id) => *id == hole,
        Type::Unknown | Type::Tensor(_) | Type::Var(_) => false,
        _ if !ty.has_holes() => false,
        Type::Tuple(parts) | Type::Adt { args: parts, .. } => {
            parts.iter().any(|it| occurs(hole, it))
        }
        Type::Ref(to) => occurs(hole, to),
        Type::Function(it) => occurs(hole, &it.ret) || it.params.iter().any(|it| occurs(hole, it)),
    }
}

fn unify_tensors(one: &Tensor, other: &Tensor) -> Result<Tensor, Box<Differing>> {
    let differing = |dims: Vec<usize>| {
        Box::new(Differing {
            dims,
            ..Differing::new(&Type::Tensor(one.clone()), &Type::Tensor(other.clone()))
        })
    };
    if one == other {
        return Ok(one.clone());
    }
    if one.dtype != other.dtype || one.rank() != other.rank() {
        return Err(differing(Vec::new()));
    }
    let pairs = || one.shape.iter().zip(other.shape.iter());
    let wrong: Vec<usize> = pairs()
        .enumerate()
        .filter(|(_, (one, other))| unify_dims(one, other).is_none())
        .map(|(at, _)| at)
        .collect();
    if !wrong.is_empty() {
        return Err(differing(wrong));
    }
    let shape: Vec<Dim> = pairs()
        .map(|(one, other)| unify_dims(one, other).expect("the wrong ones were left"))
        .collect();
    Ok(Tensor {
        shape: shape.into(),
        dtype: one.dtype,
    })
}

fn unify_dims(one: &Dim, other: &Dim) -> Option<Dim> {
    match (one, other) {
        _ if one == other => Some(one.clone()),
        (Dim::Any, _) | (_, Dim::Any) => Some(Dim::Any),
        // The variable may be that number.
        (Dim::Var(_), Dim::Int(_)) => Some(other.clone()),
        (Dim::Int(_), Dim::Var(_)) => Some(one.clone()),
        _ => None,
    }
}
