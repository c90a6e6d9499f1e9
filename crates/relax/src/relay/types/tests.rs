//! Tests that types are written as in TVM, and that their size is bounded.

use super::*;

fn ints(dims: &[i64]) -> Vec<Dim> {
    dims.iter().copied().map(Dim::Int).collect()
}

#[test]
fn types_are_printed_as_in_tvm() {
    let var = TypeVar {
        name: "A".into(),
        binder: 0,
    };
    let list = Type::adt("List", [Type::Var(var.clone())]);
    for (ty, text) in [
        (
            Type::tensor([Dim::Int(1), Dim::Any], DType::F32),
            "Tensor[(1, ?), float32]",
        ),
        (Type::tensor(ints(&[3]), DType::I8), "Tensor[(3), int8]"),
        (Type::scalar(DType::BOOL), "bool"),
        (Type::unit(), "()"),
        (Type::tuple([Type::scalar(DType::I32)]), "(int32,)"),
        (Type::reference(list.clone()), "ref(List[A])"),
        (
            Type::function([var], [list], Type::scalar(DType::F32)),
            "fn [A](List[A]) -> float32",
        ),
    ] {
        assert_eq!(ty.to_string(), text);
    }
}

#[test]
fn a_type_that_grows_exponentially_becomes_unknown() {
    let mut ty = Type::scalar(DType::F32);
    for _ in 0..100 {
        ty = Type::tuple([ty.clone(), ty]);
    }
    assert!(ty.weight().fits());
}
