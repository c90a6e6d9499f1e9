//! Types of Relay values, and how TVM writes them.
//!
//! Cheap to clone, and never deeper than [`Parts`] allows: a type that would be is unknown.

mod display;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::dtype::DType;
use crate::parts::{Part, Parts, Weight};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// What a reported mistake leaves, or only a run could tell. Agrees with everything.
    Unknown,
    /// To be inferred: a variable of the solver.
    Hole(u32),
    Tensor(Tensor),
    Tuple(Parts<Type>),
    Function(Arc<FunctionType>),
    /// `List[Tensor[(3), float32]]`.
    Adt {
        name: SmolStr,
        args: Parts<Type>,
    },
    Ref(Arc<Type>),
    /// A type parameter.
    Var(TypeVar),
}

/// A tensor. Its rank is always known; a scalar has no dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    pub shape: Arc<[Dim]>,
    pub dtype: DType,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    Int(i64),
    /// `?`: a run knows it.
    Any,
    /// A variable that only the metadata of the text names.
    Var(SmolStr),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub type_params: Box<[TypeVar]>,
    pub params: Parts<Type>,
    pub ret: Type,
}

/// A type parameter: two functions may each have an `A`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeVar {
    pub name: SmolStr,
    /// Where it is bound.
    pub binder: u32,
}

impl Type {
    pub fn tensor(shape: impl Into<Arc<[Dim]>>, dtype: DType) -> Type {
        Type::Tensor(Tensor {
            shape: shape.into(),
            dtype,
        })
    }

    pub fn scalar(dtype: DType) -> Type {
        Type::tensor([], dtype)
    }

    pub fn tuple(fields: impl Into<Parts<Type>>) -> Type {
        Type::Tuple(fields.into()).fitting()
    }

    pub fn unit() -> Type {
        Type::Tuple(Parts::default())
    }

    pub fn adt(name: impl Into<SmolStr>, args: impl Into<Parts<Type>>) -> Type {
        Type::Adt {
            name: name.into(),
            args: args.into(),
        }
        .fitting()
    }

    pub fn reference(to: Type) -> Type {
        Type::Ref(Arc::new(to)).fitting()
    }

    pub fn function(
        type_params: impl Into<Box<[TypeVar]>>,
        params: impl Into<Parts<Type>>,
        ret: Type,
    ) -> Type {
        Type::Function(Arc::new(FunctionType {
            type_params: type_params.into(),
            params: params.into(),
            ret,
        }))
        .fitting()
    }

    fn fitting(self) -> Type {
        if self.weight().fits() {
            self
        } else {
            Type::Unknown
        }
    }

    pub fn as_tensor(&self) -> Option<&Tensor> {
        match self {
            Type::Tensor(it) => Some(it),
            _ => None,
        }
    }

    pub fn as_function(&self) -> Option<&Arc<FunctionType>> {
        match self {
            Type::Function(it) => Some(it),
            _ => None,
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Type::Unknown)
    }

    /// Whether some part of it is not known yet.
    pub fn has_holes(&self) -> bool {
        match self {
            Type::Hole(_) => true,
            Type::Unknown | Type::Tensor(_) | Type::Var(_) => false,
            Type::Tuple(parts) | Type::Adt { args: parts, .. } => parts.iter().any(Type::has_holes),
            Type::Function(it) => it.ret.has_holes() || it.params.iter().any(Type::has_holes),
            Type::Ref(to) => to.has_holes(),
        }
    }

    /// What a message calls it.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Type::Unknown | Type::Hole(_) => "an unknown type",
            Type::Tensor(_) => "a tensor",
            Type::Tuple(_) => "a tuple",
            Type::Function(_) => "a function",
            Type::Adt { .. } => "an algebraic data type",
            Type::Ref(_) => "a reference",
            Type::Var(_) => "a type parameter",
        }
    }

    /// The type with `change` made of each of its leaves: holes and type parameters.
    pub fn map(&self, change: &mut impl FnMut(&Type) -> Type) -> Type {
        match self {
            Type::Unknown | Type::Tensor(_) => self.clone(),
            Type::Hole(_) | Type::Var(_) => change(self),
            Type::Tuple(fields) => Type::tuple(fields.map(|it| it.map(change))),
            Type::Adt { name, args } => Type::adt(name.clone(), args.map(|it| it.map(change))),
            Type::Ref(to) => Type::reference(to.map(change)),
            Type::Function(it) => {
                let params = it.params.map(|it| it.map(change));
                Type::function(it.type_params.clone(), params, it.ret.map(change))
            }
        }
    }

    /// The type with these in the place of type parameters.
    pub fn with(&self, meant: &FxHashMap<TypeVar, Type>) -> Type {
        if meant.is_empty() {
            return self.clone();
        }
        self.map(&mut |leaf| match leaf {
            Type::Var(var) => meant.get(var).unwrap_or(leaf).clone(),
            _ => leaf.clone(),
        })
    }
}

impl Part for Type {
    fn weight(&self) -> Weight {
        match self {
            Type::Unknown | Type::Hole(_) | Type::Tensor(_) | Type::Var(_) => Weight::ONE,
            Type::Tuple(parts) | Type::Adt { args: parts, .. } => parts.weight(),
            Type::Ref(to) => Weight::around([to.weight()].into_iter()),
            Type::Function(it) => Weight::around([it.params.weight(), it.ret.weight()].into_iter()),
        }
    }
}

impl Tensor {
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The extents, if all are numbers.
    pub fn extents(&self) -> Option<Vec<i64>> {
        self.shape.iter().map(Dim::as_int).collect()
    }
}

impl Dim {
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Dim::Int(value) => Some(*value),
            Dim::Any | Dim::Var(_) => None,
        }
    }

    pub fn is(&self, value: i64) -> bool {
        self.as_int() == Some(value)
    }

    /// A number if both are, else what only a run knows.
    pub fn with(&self, other: &Dim, combine: impl FnOnce(i64, i64) -> Option<i64>) -> Dim {
        match (self, other) {
            (Dim::Int(one), Dim::Int(other)) => combine(*one, *other).map_or(Dim::Any, Dim::Int),
            _ => Dim::Any,
        }
    }

    pub fn map(&self, change: impl FnOnce(i64) -> Option<i64>) -> Dim {
        self.with(&Dim::Int(0), |it, _| change(it))
    }

    /// Whether both are numbers, and not the same.
    pub fn differs(&self, other: &Dim) -> bool {
        matches!((self, other), (Dim::Int(one), Dim::Int(other)) if one != other)
    }
}
