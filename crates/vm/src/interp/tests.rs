//! Runs small programs: the result of each construct of Relax, and its errors.

mod functions;
mod packed;
mod prim_funcs;
mod printed;
mod rfc;
mod storages;

use std::fmt::Write;

use expect_test::{Expect, expect};
use hir::{Database, FunctionItem, Source, SourceFile, file_items};
use relax::FunctionKind;

use crate::tensor::Tensor;
use crate::value::Value;
use crate::{Input, Inputs, Limits, Observer, Program, compile, run};

const FACTORIAL: &str = r#"
@I.ir_module
class Module:
    @R.function
    def fact(n: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        cls = Module
        stop = R.less_equal(n, R.const(1, "int64"))
        if stop:
            r = R.const(1, "int64")
        else:
            m = R.subtract(n, R.const(1, "int64"))
            s = cls.fact(m)
            r = R.multiply(n, s)
        return r

    @R.function
    def main(x: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        cls = Module
        y = cls.fact(R.const(10, "int64"))
        return y
"#;

#[derive(Default)]
struct Record {
    text: String,
    bindings: bool,
}

impl Observer for Record {
    fn print(&mut self, text: &str) {
        let _ = writeln!(self.text, "print: {text}");
    }

    fn wants_bindings(&self) -> bool {
        self.bindings
    }

    fn binding(&mut self, binding: &crate::Binding<'_>) {
        let _ = writeln!(
            self.text,
            "{}.{} = {} by {}",
            binding.function,
            binding.name,
            binding.value.describe(),
            binding.callee
        );
    }
}

fn with_main<T>(source: &str, then: impl FnOnce(&Database, FunctionItem<'_>) -> T) -> T {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(source));
    let main = file_items(&db, file)
        .functions
        .iter()
        .copied()
        .find(|f| f.kind(&db) == FunctionKind::Relax && f.name(&db) == "main")
        .unwrap();
    then(&db, main)
}

fn program(source: &str) -> Result<Program, String> {
    with_main(source, |db, main| {
        compile(db, main).map_err(|errors| {
            errors.iter().fold(String::new(), |mut text, error| {
                let at = &source[std::ops::Range::<usize>::from(error.range)];
                let _ = writeln!(text, "{error}\n  at `{at}`");
                text
            })
        })
    })
}

fn show(value: &Value) -> String {
    match value {
        Value::Tensor(tensor) => {
            let items: Vec<String> = (0..tensor.len().min(16))
                .filter_map(|i| tensor.get(i))
                .map(|s| s.to_string())
                .collect();
            format!("{} [{}]", value.describe(), items.join(", "))
        }
        Value::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(show).collect();
            format!("({})", fields.join("; "))
        }
        other => other.describe(),
    }
}

fn outcome(
    source: &str,
    values: Option<Vec<Value>>,
    dims: &[(&str, i64)],
    limits: &Limits,
    bindings: bool,
) -> String {
    let program = match program(source) {
        Ok(program) => program,
        Err(errors) => return errors,
    };
    let inputs = Inputs {
        dims: dims
            .iter()
            .map(|&(name, value)| (name.into(), value))
            .collect(),
        default: Input::Arange,
        ..Inputs::default()
    };
    let values = match values {
        Some(values) => values,
        None => match inputs.make(program.function("main").unwrap()) {
            Ok(values) => values,
            Err(error) => return format!("{error}\n"),
        },
    };
    let mut record = Record {
        bindings,
        ..Record::default()
    };
    let result = run(&program, "main", values, limits, &mut record);
    match result {
        Ok(value) => {
            let _ = writeln!(record.text, "{}", show(&value));
        }
        Err(failure) => {
            let at = &source[std::ops::Range::<usize>::from(failure.range)];
            let at = at.lines().next().unwrap_or_default();
            let _ = writeln!(record.text, "{failure}\n  at `{at}`");
        }
    }
    record.text
}

fn check(source: &str, dims: &[(&str, i64)], expect: Expect) {
    expect.assert_eq(&outcome(source, None, dims, &Limits::default(), false));
}

#[test]
fn operators_sugar_and_constants_compute() {
    check(
        r#"
@R.function
def main(x: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
    y = (x + x) * R.const(0.5, "float32")
    z = R.add(y, R.const([[1, 2], [3, 4]], "float32"))
    return z
"#,
        &[],
        expect![[r#"
            f32[2, 2] [1.0, 3.0, 5.0, 7.0]
        "#]],
    );
}

#[test]
fn a_float_of_a_text_is_what_python_makes_of_it() {
    check(
        r#"
@R.function
def main(x: R.Tensor((1,), "float32")):
    y = R.minimum(R.maximum(x, R.const([float("-inf")], "float32")), R.const(float("inf"), "float32"))
    return y
"#,
        &[],
        expect![[r#"
            f32[1] [0.0]
        "#]],
    );
}

#[test]
fn parameters_and_match_cast_bind_shape_variables() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("n", "m"), "float32"), s: R.Shape(["n * m"])):
    n = T.int64()
    m = T.int64()
    k = T.int64()
    y = R.reshape(x, (n * m,))
    z = R.match_cast(y, R.Tensor((k,), "float32"))
    w = R.zeros(R.shape([k + n]), "int32")
    return (z, w, s, R.shape([n, m, k]))
"#,
        &[("n", 2), ("m", 3)],
        expect![[r#"
            (f32[6] [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]; i32[8] [0, 0, 0, 0, 0, 0, 0, 0]; shape[6]; shape[2, 3, 6])
        "#]],
    );
}

#[test]
fn a_parameter_that_contradicts_its_annotation_stops_the_run() {
    let source = r#"
@R.function
def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", "n + 1"), "float32")):
    return x
"#;
    let run = |shape: &[usize], other: &[usize]| {
        let x = Tensor::from_fn(shape, |i| i as f32).unwrap();
        let y = Tensor::from_fn(other, |i| i as f32).unwrap();
        outcome(
            source,
            Some(vec![x.into(), y.into()]),
            &[],
            &Limits::default(),
            false,
        )
    };
    expect![[r#"
        in `main`: dimension 1 of parameter `x` is 5, but its annotation says 4
          at `x`
        in `main`: dimension 0 of parameter `y` is 2, but its annotation says 3
          at `y`
        in `main`: dimension 1 of parameter `y` is 5, but its annotation says 4
          at `y`
        in `main`: parameter `x` has 1 dimensions, but its annotation says 2: it is f32[3]
          at `x`
    "#]]
    .assert_eq(&format!(
        "{}{}{}{}",
        run(&[3, 5], &[3, 4]),
        run(&[3, 4], &[2, 4]),
        run(&[3, 4], &[3, 5]),
        run(&[3], &[3, 4])
    ));
}

#[test]
fn a_match_cast_that_fails_names_the_binding() {
    check(
        r#"
@R.function
def main(y: R.Tensor((2, 3), "float32")):
    n = T.int64()
    w = R.add(y, y)
    z = R.match_cast(w, R.Tensor((n, n), "float32"))
    return z
"#,
        &[],
        expect![[r#"
            in `main`, binding `z`: dimension 1 of the value cast to `z` is 3, but its annotation says 2
              at `z = R.match_cast(w, R.Tensor((n, n), "float32"))`
        "#]],
    );
}

#[test]
fn a_result_that_contradicts_the_annotation_stops_the_run() {
    check(
        r#"
@R.function
def f(x: R.Tensor(("n",), "float32")) -> R.Tensor(ndim=1, dtype="float32"):
    return x

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor((4,), "float32"):
        y: R.Tensor(ndim=1, dtype="float32") = R.add(x, x)
        return y
"#,
        &[("n", 3)],
        expect![[r#"
            in `main`: dimension 0 of the returned value is 3, but its annotation says 4
              at `y`
        "#]],
    );
}

#[test]
fn branches_join_in_one_variable() {
    check(
        r#"
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        a = R.add(x, x)
        y = R.add(a, x)
    else:
        y = R.multiply(x, R.const(10, "float32"))
    return R.add(y, R.const(1, "float32"))
"#,
        &[],
        expect![[r#"
            f32[2] [1.0, 11.0]
        "#]],
    );
}

#[test]
fn tuples_are_unpacked_and_results_told() {
    check(
        r#"
@R.function
def main(t: R.Tuple(R.Tuple(R.Tensor((2,), "float32"), R.Tensor((1,), "float32")), R.Tensor((2,), "float32"))):
    (a, b), c = t
    first, *rest = t
    k = T.int64(2)
    d = R.zeros(R.shape([k << 1]), "float32")
    R.func_ret_value((R.add(a, c), b, d))
"#,
        &[],
        expect![[r#"
            (f32[2] [0.0, 2.0]; f32[1] [0.0]; f32[4] [0.0, 0.0, 0.0, 0.0])
        "#]],
    );
}

#[test]
fn what_a_program_prints_and_asserts_reaches_the_observer() {
    check(
        r#"
@R.function(pure=False)
def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
    _ = R.print(x, format="x is {}")
    _ = R.assert_op(c, x, format="bad x: {}")
    return x
"#,
        &[],
        expect![[r#"
            print: x is [0.0, 1.0]
            in `main`, binding `_`: bad x: [0.0, 1.0]
              at `R.assert_op(c, x, format="bad x: {}")`
        "#]],
    );
}

#[test]
fn unsupported_programs_are_refused_before_running() {
    check(
        r#"
weights = load()

@R.function(pure=False)
def main(x: R.Tensor((2,), "float32")):
    a = R.call_packed("vm.builtin.make_tupel", x, sinfo_args=R.Object)
    b = R.add(x, weights)
    d = R.add(x, metadata["relax.expr.Constant"][0])
    e: R.Tensor((2,), "float32") = metadata["ir.GenericConst"][0]
    c = R.ccl.allreduce(x, "sum")
    return x
"#,
        &[],
        expect![[r#"
            main: there is no packed function `vm.builtin.make_tupel`; did you mean `vm.builtin.make_tuple`?
              at `"vm.builtin.make_tupel"`
            main: argument `x2` of `R.add` is only known when Python runs
              at `weights`
            main: the text lacks the elements of this constant: TVM prints them with `show_meta=True`, or give a file of them (`--constants`)
              at `metadata["relax.expr.Constant"][0]`
            main: the text lacks the elements of this constant: TVM prints them with `show_meta=True`, or give a file of them (`--constants`)
              at `metadata["ir.GenericConst"][0]`
            main: `R.ccl.allreduce` has no kernel on this machine
              at `R.ccl.allreduce(x, "sum")`
        "#]],
    );
}

#[test]
fn missing_inputs_are_named() {
    check(
        r#"
@R.function
def main(x: R.Tensor(ndim=2, dtype="float32")):
    return x
"#,
        &[],
        expect![[r#"
            parameter `x`: its shape is unknown: pass a tensor
        "#]],
    );
    check(
        r#"
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    return x
"#,
        &[],
        expect![[r#"
            dimensions have no value: give `n` and `m`
        "#]],
    );
}

#[test]
fn a_failing_kernel_names_operator_and_binding() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32")):
    with R.dataflow():
        a: R.Tensor(ndim=1, dtype="float32") = R.add(x, x)
        z = R.add(a, y)
        R.output(z)
    return z
"#,
        &[("n", 3), ("m", 2)],
        expect![[r#"
            in `main`, binding `z`: relax.add(f32[3], f32[2]): shapes (3,) and (2,) do not broadcast: 3 against 2
              at `R.add(a, y)`
        "#]],
    );
}

#[test]
fn the_type_dialect_binds_integers_as_shape_variables() {
    check(
        r#"
from typing import TypeVar
from tvm.script import tirx as T
n = TypeVar("n")

@R.function
def main(x: R.Tensor((n, 2), "float32")):
    m = n + 1
    y = R.zeros((m, 2), dtype="float32")
    z = R.concat((x, y), axis=0)
    return z
"#,
        &[("n", 1)],
        expect![[r#"
            f32[3, 2] [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
        "#]],
    );
}

#[test]
fn bytecode_prints_as_instructions_over_registers() {
    let source = r#"
@R.function
def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n * 4",), "float32"):
    n = T.int64()
    y = R.add(x, x)
    z = R.reshape(y, (n * 4,))
    return z
"#;
    expect![[r#"
        @main(x):
          call   vm.builtin.alloc_shape_heap      in: i2                                       dst: %4
          call   vm.builtin.check_tensor_info     in: %0, i2, c[float32], c["parameter `x`"]   dst: void
          call   vm.builtin.match_shape           in: %0, %4, i2, i1, i0, i0, i4, c["parameter `x`"] dst: void
          call   relax.add                        in: %0, %0!                                  dst: %1
          call   vm.builtin.compute_dim           in: %4, i1, c[n * 4]                         dst: void
          call   vm.builtin.make_shape            in: %4!, i1, i1, i1                          dst: %7
          call   relax.reshape                    in: %1!, %7!                                 dst: %2
          ret    %2!

    "#]].assert_eq(&program(source).unwrap().as_text());
}

#[test]
fn a_trace_has_every_binding() {
    expect![[r#"
        fact.stop = bool[] by relax.less_equal
        fact.m = i64[] by relax.subtract
        fact.stop = bool[] by relax.less_equal
        fact.m = i64[] by relax.subtract
        fact.stop = bool[] by relax.less_equal
        fact.m = i64[] by relax.subtract
        fact.stop = bool[] by relax.less_equal
        fact.m = i64[] by relax.subtract
        fact.stop = bool[] by relax.less_equal
        fact.m = i64[] by relax.subtract
        fact.stop = bool[] by relax.less_equal
        fact.m = i64[] by relax.subtract
        fact.stop = bool[] by relax.less_equal
        fact.m = i64[] by relax.subtract
        fact.stop = bool[] by relax.less_equal
        fact.m = i64[] by relax.subtract
        fact.stop = bool[] by relax.less_equal
        fact.m = i64[] by relax.subtract
        fact.stop = bool[] by relax.less_equal
        fact.s = i64[] by fact
        fact.r = i64[] by relax.multiply
        fact.s = i64[] by fact
        fact.r = i64[] by relax.multiply
        fact.s = i64[] by fact
        fact.r = i64[] by relax.multiply
        fact.s = i64[] by fact
        fact.r = i64[] by relax.multiply
        fact.s = i64[] by fact
        fact.r = i64[] by relax.multiply
        fact.s = i64[] by fact
        fact.r = i64[] by relax.multiply
        fact.s = i64[] by fact
        fact.r = i64[] by relax.multiply
        fact.s = i64[] by fact
        fact.r = i64[] by relax.multiply
        fact.s = i64[] by fact
        fact.r = i64[] by relax.multiply
        main.y = i64[] by fact
        i64[] [3628800]
    "#]]
    .assert_eq(&outcome(FACTORIAL, None, &[], &Limits::default(), true));
}

#[test]
fn tuples_within_tuples_without_end_are_an_error() {
    check(
        r#"
@I.ir_module
class Module:
    @R.function
    def wrap(n: R.Tensor((), "int32"), t: R.Object) -> R.Object:
        cls = Module
        go: R.Tensor((), "bool") = R.greater(n, R.const(0, "int32"))
        if go:
            m: R.Tensor((), "int32") = R.subtract(n, R.const(1, "int32"))
            once: R.Object = cls.wrap(m, t)
            r: R.Object = cls.wrap(m, once)
        else:
            r: R.Object = (t, n)
        return r

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        y: R.Object = cls.wrap(R.const(19, "int32"), x)
        z = R.add(x, x)
        return z
"#,
        &[],
        expect![[r#"
            in `wrap`, binding `r`: values are nested deeper than the limit of 1000
              at `r: R.Object = (t, n)`
        "#]],
    );
}

#[test]
fn a_matrix_product_stops_at_the_time_limit() {
    let source = r#"
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4096, 4096), "float32")):
        y = R.matmul(x, x)
        return y
"#;
    let limits = Limits {
        wall: Some(std::time::Duration::from_secs(1)),
        ..Limits::default()
    };
    expect![[r#"
        in `main`, binding `y`: the time limit is reached
          at `R.matmul(x, x)`
    "#]]
    .assert_eq(&outcome(source, None, &[], &limits, false));
}

#[test]
fn every_device_is_the_host() {
    check(
        r#"
import tvm

@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.to_vdevice(x, tvm.ir.VDevice("cuda", 0, "global"))
    return y
"#,
        &[],
        expect![[r#"
            f32[2] [0.0, 1.0]
        "#]],
    );
}
