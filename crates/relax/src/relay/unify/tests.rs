//! Tests of unified types, and of the reasons why types cannot be unified.

use super::*;
use crate::dtype::DType;
use crate::relay::types::TypeVar;

fn tensor(dims: &[i64]) -> Type {
    let dims: Vec<Dim> = dims
        .iter()
        .map(|&it| if it < 0 { Dim::Any } else { Dim::Int(it) })
        .collect();
    Type::tensor(dims, DType::F32)
}

#[test]
fn a_type_variable_is_unified_through_other_variables() {
    let mut solver = Solver::default();
    let (a, b) = (solver.hole(), solver.hole());
    let pair = Type::tuple([a.clone(), b.clone()]);
    solver.unify(&a, &b).expect("two holes are one");
    solver.unify(&b, &tensor(&[2])).expect("a hole takes all");
    assert_eq!(
        solver.resolve(&pair).to_string(),
        "(Tensor[(2), float32], Tensor[(2), float32])"
    );
}

#[test]
fn an_unknown_dimension_wins_as_in_tvm() {
    let mut solver = Solver::default();
    let both = solver.unify(&tensor(&[2, 3]), &tensor(&[-1, 3]));
    assert_eq!(both, Ok(tensor(&[-1, 3])));
}

#[test]
fn dimensions_that_differ_are_named() {
    let mut solver = Solver::default();
    let both = solver.unify(&tensor(&[2, 3]), &tensor(&[2, 4]));
    assert_eq!(both.expect_err("3 is not 4").dims, [1]);
}

#[test]
fn a_recursive_type_variable_is_rejected() {
    let mut solver = Solver::default();
    let hole = solver.hole();
    let list = Type::adt("List", [hole.clone()]);
    assert!(solver.unify(&hole, &list).expect_err("endless").is_endless);
}

#[test]
fn functions_are_equal_up_to_names_of_type_parameters() {
    let identity = |name: &str, binder| {
        let var = TypeVar {
            name: name.into(),
            binder,
        };
        Type::function([var.clone()], [Type::Var(var.clone())], Type::Var(var))
    };
    let mut solver = Solver::default();
    let both = solver.unify(&identity("A", 1), &identity("B", 2));
    assert_eq!(both.map(|it| it.to_string()), Ok("fn [B](B) -> B".into()));
    let plain = Type::function([], [tensor(&[2])], tensor(&[2]));
    let both = solver.unify(&identity("A", 1), &plain);
    assert_eq!(both, Ok(plain));
}
