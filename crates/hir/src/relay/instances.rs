//! Instances of functions with type parameters: the type arguments of a call, and the body with these types.

use relax::relay::{FunctionType, Solver, Type};
use rustc_hash::FxHashMap;

use super::annotations::{TypeArguments, type_var};
use super::body::{Body, Item, PieceId};
use super::env::Env;
use super::facts::Facts;
use super::infer::infer;
use super::signatures::InferredTypes;

/// Returns the type arguments of a call, given the types of its arguments and of its result. Returns `None` if they
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

impl Facts {
    /// Infers a function whose type parameters stand for `args`, in a module with inferred signatures.
    pub fn of_instance(env: &Env, body: &Body, args: &[Type]) -> Facts {
        let type_args: TypeArguments = match &*body.item {
            Item::Function { function, .. } => {
                let vars = function
                    .type_params
                    .iter()
                    .map(|it| type_var(PieceId::HEADER, it));
                vars.zip(args.iter().cloned()).collect()
            }
            Item::Type(_) | Item::Expr(_) | Item::Missing => TypeArguments::default(),
        };
        infer(env, &InferredTypes::default(), body, type_args, None)
    }
}
