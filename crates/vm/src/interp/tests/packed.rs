//! Tests of packed functions: those of the embedder, and those that PrimFuncs call.

use expect_test::expect;
use hir::{Database, Source, SourceFile, file_items};

use super::{check, with_main};
use crate::tensor::Tensor;
use crate::value::Value;
use crate::{Limits, Observer, PackedCall, PackedResult, run};

/// Implements one function, which doubles its input.
struct Doubles;

impl Observer for Doubles {
    fn print(&mut self, _: &str) {}

    fn packed(&mut self, call: &PackedCall<'_>) -> Result<PackedResult, String> {
        let x = call.args[0].as_tensor().ok_or("no tensor")?;
        let values = x.values::<f32>().map_err(|e| e.to_string())?;
        let twice: Vec<f32> = values.iter().map(|v| v * 2.0).collect();
        let made: Value = Tensor::from_vec(x.shape(), twice)
            .map_err(|e| e.to_string())?
            .into();
        let mut outs = call.args[call.args.len() - call.outs..].to_vec();
        if let Some(out) = outs.last_mut() {
            *out = made.clone();
        }
        Ok(PackedResult { value: made, outs })
    }
}

#[test]
fn packed_functions_return_or_fill_results() {
    let source = r#"
@R.function(pure=False)
def main(x: R.Tensor((2,), "float32")):
    y = R.call_packed("my.double", x, sinfo_args=R.Tensor((2,), "float32"))
    z = R.call_dps_packed("my.double", (y,), out_sinfo=R.Tensor((2,), "float32"))
    return z
"#;
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(source));
    let main = file_items(&db, file).functions[0];
    let errors = crate::compile(&db, main).unwrap_err();
    assert_eq!(errors[0].packed.as_deref(), Some("my.double"));
    let program = crate::compile_with(&db, main, &["my.double".to_owned()]).unwrap();
    let x = Tensor::from_vec(&[2], vec![1.0f32, 3.0]).unwrap();
    let result = run(
        &program,
        "main",
        vec![x.into()],
        &Limits::default(),
        &mut Doubles,
    );
    let value = result.unwrap();
    let tensor = value.as_tensor().unwrap();
    assert_eq!(*tensor.values::<f32>().unwrap(), [4.0, 12.0]);
}

#[test]
fn a_prim_func_sorts_as_tvm_lowers_it() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def order(a: T.Buffer((T.int64(2), T.int64(3)), "float32"), b: T.Buffer((T.int64(2), T.int64(3)), "float32")):
        at = T.alloc_buffer((T.int64(2), T.int64(3)), "int64")
        with T.block("argsort_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.argsort", T.tvm_stack_make_array(a.data, T.tvm_stack_make_shape(T.int64(2), T.int64(3)), 0, 2, T.float32(0), T.int64(0)), T.tvm_stack_make_array(at.data, T.tvm_stack_make_shape(T.int64(2), T.int64(3)), 0, 2, T.int64(0), T.int64(0)), 1, T.bool(False))
        for i, j in T.grid(T.int64(2), T.int64(3)):
            with T.block("gather"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vi, at[vi, vj]] + T.Cast("float32", at[vi, vj]) * T.float32(100)

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        cls = Module
        y = R.call_tir(cls.order, (x,), out_sinfo=R.Tensor((2, 3), "float32"))
        return y
"#,
        &[],
        expect![[r#"
            f32[2, 3] [202.0, 101.0, 0.0, 205.0, 104.0, 3.0]
        "#]],
    );
}

#[test]
fn a_prim_func_picks_the_largest_in_several_results() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def top(a: T.Buffer((4,), "float32"), b: T.Buffer((2,), "float32"), c: T.Buffer((2,), "int32")):
        T.evaluate(T.call_packed("tvm.contrib.sort.topk", a.data, b.data, c.data, 2, 0, "both", T.bool(False)))

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.top, (x,), out_sinfo=[R.Tensor((2,), "float32"), R.Tensor((2,), "int32")])
        return y
"#,
        &[],
        expect![[r#"
            (f32[2] [3.0, 2.0]; i32[2] [3, 2])
        "#]],
    );
}

const CALLS_DOUBLE: &str = r#"
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(a: T.Buffer((2,), "float32"), b: T.Buffer((2,), "float32")):
        T.call_packed("my.double", a.data, 7, b.data)

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((2,), "float32"))
        return y
"#;

#[test]
fn a_prim_func_calls_what_the_user_serves() {
    with_main(CALLS_DOUBLE, |db, main| {
        let program = crate::compile_with(db, main, &["my.double".to_owned()]).unwrap();
        let x = Tensor::from_vec(&[2], vec![1.0f32, 3.0]).unwrap();
        let limits = Limits::default();
        let value = run(&program, "main", vec![x.into()], &limits, &mut Doubles).unwrap();
        let tensor = value.as_tensor().unwrap();
        assert_eq!(*tensor.values::<f32>().unwrap(), [2.0, 6.0]);
    });
}

#[test]
fn missing_packed_functions_are_reported_before_the_run() {
    with_main(CALLS_DOUBLE, |db, main| {
        let errors = crate::compile(db, main).unwrap_err();
        assert_eq!(errors[0].packed.as_deref(), Some("my.double"));
    });
    let misspelt = CALLS_DOUBLE.replace("my.double", "tvm.contrib.sort.argsrt");
    check(
        &misspelt,
        &[],
        expect![[r#"
            f: there is no packed function `tvm.contrib.sort.argsrt`; did you mean `tvm.contrib.sort.argsort`?
              at `T.call_packed("tvm.contrib.sort.argsrt", a.data, 7, b.data)`
        "#]],
    );
}

// The interpreter can call it from anywhere.
#[cfg(feature = "native")]
#[test]
fn a_packed_function_within_a_loop_of_a_prim_func_is_refused() {
    check(
        r#"
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(a: T.Buffer((2,), "float32"), b: T.Buffer((2,), "float32")):
        for i in range(2):
            T.call_packed("tvm.contrib.sort.sort", a.data, b.data, 0, T.bool(True))

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((2,), "float32"))
        return y
"#,
        &[],
        expect![[r#"
            f: packed function `tvm.contrib.sort.sort` is called within a loop or a branch of this PrimFunc: only the statements of its outermost block can call one here
              at `T.call_packed("tvm.contrib.sort.sort", a.data, b.data, 0, T.bool(True))`
        "#]],
    );
}

#[test]
fn functions_that_operators_are_lowered_to_run() {
    check(
        r#"
@R.function(pure=False)
def main(x: R.Tensor((2, 3), "float32")):
    y = R.astype(R.const([3, 1, 3], "int64"), "int64")
    a = R.call_pure_packed("relax.run.unique", y, False, False, False, True, sinfo_args=(R.Tuple(R.Tensor(dtype="int64", ndim=1), R.Tensor(dtype="int64", ndim=1)),))
    b = R.call_pure_packed("relax.run.nonzero", y, sinfo_args=(R.Tensor(dtype="int64", ndim=2),))
    c = R.call_packed("relax.run.print", R.str("{} of {}"), y, b, sinfo_args=(R.Tuple,))
    d = R.call_packed("relax.run.assert_op", R.const(True, "bool"), R.str(""), sinfo_args=(R.Tuple,))
    return a
"#,
        &[],
        expect![[r#"
            print: [3, 1, 3] of [[0, 1, 2]]
            (i64[2] [3, 1]; i64[2] [2, 1])
        "#]],
    );
}
