//! The types of Relay values.
//!
//! Cheap to clone, and never deeper than [`Parts`] allows: a deeper type is unknown.

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
    /// Unknown, because of a reported error or because it is only known at run time. Agrees with everything.
    Unknown,
    /// A type that is being inferred: a variable of the solver.
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
    /// `?`: only known at run time.
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

/// A type parameter, which belongs to one function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeVar {
    pub name: SmolStr,
    /// The function that binds it.
    pub binder: u64,
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

    /// Returns `true` if part of the type has not been inferred yet.
    pub fn has_holes(&self) -> bool {
        match self {
            Type::Hole(_) => true,
            Type::Unknown | Type::Tensor(_) | Type::Var(_) => false,
            Type::Tuple(parts) | Type::Adt { args: parts, .. } => parts.weight().has_variables,
            Type::Function(it) => it.ret.has_holes() || it.params.weight().has_variables,
            Type::Ref(to) => to.has_holes(),
        }
    }

    /// Returns how messages call the type.
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

    /// Returns the type with `change` applied to its holes and type parameters.
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

    /// Returns the type with type parameters substituted.
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
            Type::Unknown | Type::Tensor(_) | Type::Var(_) => Weight::ONE,
            Type::Hole(_) => Weight {
                has_variables: true,
                ..Weight::ONE
            },
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

    /// Returns the extents, if all are numbers.
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

    /// Combines two numbers. If either is not a number, the result is only known at run time.
    pub fn with(&self, other: &Dim, combine: impl FnOnce(i64, i64) -> Option<i64>) -> Dim {
        match (self, other) {
            (Dim::Int(one), Dim::Int(other)) => combine(*one, *other).map_or(Dim::Any, Dim::Int),
            _ => Dim::Any,
        }
    }

    pub fn map(&self, change: impl FnOnce(i64) -> Option<i64>) -> Dim {
        self.with(&Dim::Int(0), |it, _| change(it))
    }

    /// Returns `true` if both are numbers and differ.
    pub fn differs(&self, other: &Dim) -> bool {
        matches!((self, other), (Dim::Int(one), Dim::Int(other)) if one != other)
    }
}
