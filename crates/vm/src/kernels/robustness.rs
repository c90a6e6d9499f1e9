//! Tests that kernels return a value or an error for absurd arguments, and never panic.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use relax::ops::{Kind as ParamKind, Param, Rule};
use relax::release::Release;

use super::{Arg, all, lookup};
use crate::builtins;
use crate::random::Random;
use crate::tensor::{Kind, Tensor};
use crate::value::Value;

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[(random.next_u64() % from.len() as u64) as usize]
}

fn tensor(random: &mut Random) -> Value {
    let kinds = [
        Kind::F32,
        Kind::F32,
        Kind::F32,
        Kind::I64,
        Kind::I32,
        Kind::Bool,
        Kind::F16,
        Kind::U8,
    ];
    let kind = pick(random, &kinds);
    let ndim = pick(random, &[0, 1, 1, 2, 2, 3, 4, 4, 5]);
    let shape: Vec<usize> = (0..ndim)
        .map(|_| pick(random, &[0, 1, 2, 3, 3, 4, 5]))
        .collect();
    random.tensor(kind, &shape).unwrap().into()
}

fn int(random: &mut Random) -> i64 {
    pick(
        random,
        &[-3, -2, -1, 0, 0, 1, 1, 1, 2, 2, 3, 4, 7, i64::MAX, i64::MIN],
    )
}

fn arg(random: &mut Random, param: &Param) -> Arg {
    match random.next_u64() % 12 {
        0 => return Arg::Default,
        1 => return Arg::None,
        2 => return Arg::Int(int(random)),
        3 => return Arg::Value(Value::int(int(random))),
        _ => {}
    }
    let ints = |random: &mut Random| {
        let count = random.next_u64() % 6;
        Arg::List((0..count).map(|_| Arg::Int(int(random))).collect())
    };
    match param.kind {
        ParamKind::Tensor | ParamKind::Expr => Arg::Value(tensor(random)),
        ParamKind::Tensors => {
            let count = random.next_u64() % 4;
            let fields: Vec<Value> = (0..count).map(|_| tensor(random)).collect();
            Arg::Value(Value::tuple(fields))
        }
        ParamKind::Shape => {
            let count = random.next_u64() % 5;
            let dims: Vec<i64> = (0..count).map(|_| int(random)).collect();
            Arg::Value(dims.into())
        }
        ParamKind::Ints => ints(random),
        ParamKind::Int => Arg::Int(int(random)),
        ParamKind::Float => Arg::Float(pick(random, &[-1.0, 0.0, 0.5, 1.0, f64::NAN, 1e30])),
        ParamKind::Bool => Arg::Bool(random.next_u64().is_multiple_of(2)),
        ParamKind::Str => Arg::Str(
            pick(
                random,
                &[
                    "NCHW",
                    "NHWC",
                    "OIHW",
                    "both",
                    "clip",
                    "add",
                    "mean",
                    "ij,jk->ik",
                    "...i->i",
                    "é",
                    "",
                ],
            )
            .into(),
        ),
        ParamKind::DType => {
            Arg::Str(pick(random, &["float32", "int8", "bool", "float16", ""]).into())
        }
        _ if random.next_u64().is_multiple_of(2) => ints(random),
        _ => Arg::Value(tensor(random)),
    }
}

#[test]
fn kernels_never_panic() {
    let mut random = Random::new(1);
    let mut panics = Vec::new();
    for kernel in all() {
        let Some(op) = relax::ops::by_name(kernel.name, Release::NEWEST) else {
            continue;
        };
        for _ in 0..400 {
            let args: Vec<Arg> = op
                .params
                .iter()
                .map(|param| arg(&mut random, param))
                .collect();
            if catch_unwind(AssertUnwindSafe(|| kernel.call(op.params, &args, None))).is_err() {
                panics.push(format!("{} {args:?}", kernel.name));
                break;
            }
        }
    }
    assert!(panics.is_empty(), "{}", panics.join("\n"));
}

#[test]
fn every_operator_that_one_machine_can_run_has_a_kernel() {
    let without: BTreeSet<&str> = relax::ops::all()
        .filter(|op| !matches!(op.rule, Rule::Special))
        .map(|op| op.name)
        .filter(|name| lookup(name).is_none() && !builtins::of_operator(name))
        .collect();
    let without: Vec<&str> = without.into_iter().collect();
    assert_eq!(
        without,
        [
            // Communication between workers.
            "relax.ccl.allgather",
            "relax.ccl.allreduce",
            "relax.ccl.broadcast_from_worker0",
            "relax.ccl.scatter_from_worker0",
            "relax.dist.redistribute",
            "relax.dist.redistribute_replica_to_shard",
            // Calls of the module's functions, which `lower` handles.
            "relax.make_closure",
            "relax.vm.call_tir_dyn",
        ]
    );
}

#[test]
fn a_tensor_larger_than_the_budget_is_an_error() {
    let error = Tensor::zeros(Kind::F32, &[1 << 40]).unwrap_err();
    assert!(error.to_string().contains("needs 4 TiB"), "{error}");
}
