//! Instances of functions with type parameters: the type arguments of a call, and the body with these types.

use relax::relay::{FunctionType, Solver, Type};
use rustc_hash::FxHashMap;

pub use super::annotations::TypeArguments;
use super::annotations::type_var;
use super::body::{Body, Item};
use super::env::Env;
use super::facts::Facts;
use super::infer::infer;
use super::signatures::InferredTypes;

/// Returns the type arguments of a call or of another use, given the types of the arguments and of the result. Returns `None` if they
/// leave a type parameter open.
pub fn type_arguments(callee: &FunctionType, args: &[Type], ret: &Type) -> Option<Vec<Type>> {
    let mut solver = Solver::default();
    let vars = callee.type_params.iter();
    let holes: FxHashMap<_, _> = vars.map(|it| (it.clone(), solver.hole())).collect();
    for (param, arg) in callee.params.iter().zip(args) {
        solver.unify(&param.with(&holes), arg).ok()?;
    }
    solver.unify(&callee.ret.with(&holes), ret).ok()?;
    let vars = callee.type_params.iter();
    vars.map(|it| {
        let ty = solver.resolve(&holes[it]);
        (!ty.has_holes() && !ty.is_unknown()).then_some(ty)
    })
    .collect()
}

/// Returns what the type parameters of a definition stand for.
pub fn of_definition(body: &Body, args: &[Type]) -> TypeArguments {
    match &body.item {
        Item::Function { function, .. } => {
            let vars = function.type_params.iter();
            vars.map(type_var).zip(args.iter().cloned()).collect()
        }
        Item::Type(_) | Item::Expr(_) | Item::Missing => TypeArguments::default(),
    }
}

impl Facts {
    /// Infers a definition in a module with inferred signatures, where type parameters of it or of functions in it
    /// stand for types.
    pub fn of_instance(env: &Env, body: &Body, type_args: TypeArguments) -> Facts {
        infer(env, &InferredTypes::default(), body, type_args)
    }
}
