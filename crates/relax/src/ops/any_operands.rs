//! Tests every inference rule with operands of every kind: no rule panics.

use super::{Call, Rule};
use crate::notation;
use crate::parts::Parts;
use crate::random::Random;
use crate::release::Release;
use crate::sym::SymCx;
use crate::value::Value;

/// The number of combinations tried for each operator.
const ROUNDS: usize = 400;

/// Every operator with every operand from a list of odd ones: nothing panics, whatever is concluded.
#[test]
fn rules_never_panic() {
    let texts = [
        "Object",
        "Prim(int64, n)",
        "Prim(float32)",
        "Shape()",
        "Shape((0, -1, n))",
        "Shape(ndim=3)",
        "Tensor()",
        "Tensor((), float32)",
        "Tensor((0,), int64)",
        "Tensor((-3, n), float32)",
        "Tensor((2, 3, 4, 5), float32)",
        "Tensor((1, 8, 7, 7, 4), int8)",
        "Tensor(ndim=4, dtype=bool)",
        "Tensor(shape=s, ndim=2, dtype=int64)",
        "Tuple()",
        "Tuple(Tensor(), Object)",
        "Tuple(Tensor((2,), int64), Tensor((n,), int64))",
        "Callable(opaque, Object, pure)",
    ];
    let mut operands: Vec<Value> = texts
        .iter()
        .map(|t| Value::Expr(notation::read(t).expect("StructInfo")))
        .collect();
    operands.extend([
        Value::Unknown,
        Value::None,
        Value::Bool(true),
        Value::Int(i64::MAX),
        Value::Int(i64::MIN),
        Value::Int(0),
        Value::Int(-1),
        Value::Float(f64::NAN),
        Value::Str("NCHW".into()),
        Value::Str("é->...".into()),
        Value::List(Parts::from([])),
        Value::List(Parts::from([Value::Int(i64::MAX), Value::Int(i64::MIN)])),
        Value::List(Parts::from([
            Value::Int(-1),
            Value::Int(0),
            Value::Int(3),
            Value::Str("x".into()),
        ])),
    ]);
    let cx = SymCx::default();
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut next = |below: usize| random.below(below as u64) as usize;
    for op in super::all() {
        let Rule::Infer(rule) = op.rule else { continue };
        for _ in 0..ROUNDS {
            let args: Vec<Option<Value>> = (0..op.params.len())
                .map(|_| Some(operands[next(operands.len())].clone()))
                .collect();
            for release in Release::ALL {
                let _ = rule(&Call {
                    op,
                    args: &args,
                    cx: &cx,
                    release,
                    oldest: release,
                    vdevices: &[],
                });
            }
        }
    }
}
