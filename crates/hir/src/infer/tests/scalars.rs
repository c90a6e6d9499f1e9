//! Tests of scalars: `R.Prim` values, shape variables, literals, and unpacking of tuples.

use expect_test::expect;

use super::check;
use super::refused::errors;

#[test]
fn scalars_are_computed_with_in_the_type_dialect() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(k: R.Prim("int32"), f: R.Prim("float16"), b: R.Prim("bool"), x: R.Any):
    a = k + 1
    c = -f * 2
    d = f < k
    e = T.int64(a) << 1
    g = R.match_cast(x, R.Prim("int64"))
    h = b and not d
    z = R.zeros(R.shape([e, g + 1]), "float32")
    return (a, c, d, h, z)
"#,
        expect![[r#"
            main(k: R.Prim("int32"), f: R.Prim("float16"), b: R.Prim("bool"), x: R.Any) -> R.Tuple(R.Prim("int32"), R.Prim("float16"), R.Prim("bool"), R.Prim("bool"), R.Tensor(dtype="float32", ndim=2))
              a: R.Prim("int32")
              c: R.Prim("float16")
              d: R.Prim("bool")
              e: R.Prim("int64")
              g: R.Prim("int64")
              h: R.Prim("bool")
              z: R.Tensor((e, g + 1), dtype="float32")
        "#]],
    );
}

#[test]
fn unsupported_scalar_operations_are_reported() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(k: R.Prim("int32"), j: R.Prim("int64"), f: R.Prim("float32"), u: R.Prim("uint8")):
    a = k / j
    b = f // f
    c = f & 1
    d = -u
    e = k == j
    g = k ** 2
    h = R.zeros(R.shape([j, k]), "float32")
    return j
"#,
        expect![[r#"
            main(k: R.Prim("int32"), j: R.Prim("int64"), f: R.Prim("float32"), u: R.Prim("uint8")) -> R.Prim("int64")
              a: ?
              b: ?
              c: ?
              d: ?
              e: R.Prim("bool")
              g: ?
              h: R.Tensor((j, k), dtype="float32")
            5:9 error argument-type: `/` is for floats: integers have `//` and `T.truncdiv`, but these are int32 and int64
            6:9 error argument-type: `//` is for integers, but these are float32 and float32
            7:9 error argument-type: `&` is for integers, but these are float32 and int32
            8:9 error argument-type: `-` is not supported for a scalar of uint8
            9:9 error dtype-mismatch: `==` compares scalars of the same dtype, but these are int32 and int64
            10:9 error argument-type: `**` is not supported for scalars, but these are int32 and int32
            11:29 error dtype-mismatch: a dimension must be an int64, but this scalar is int32
        "#]],
    );
}

#[test]
fn relax_scalars_are_operands_until_0_25() {
    check(
        r#"
from tvm.script import relax as R, tir as T
@R.function
def main(x: R.Tensor(("n",), "float32"), k: R.Prim("float32")):
    n = T.int64()
    half = T.float32(n) * 0.5 + T.float32(1)
    narrow = T.cast(n, "int32") + 1
    C = T.int64(16)
    y = R.zeros(R.shape([C, n & 3, T.int64(narrow)]), "float32")
    z = k + k
    p = R.prim_value(1.5)
    return (y, z, p)
"#,
        expect![[r#"
            main(x: R.Tensor((n,), dtype="float32"), k: R.Prim("float32")) -> R.Tuple(R.Tensor((16, n & 3, T.Cast("int32", n) + 1), dtype="float32"), R.Prim("float32"), R.Prim("float32"))
              y: R.Tensor((16, n & 3, T.Cast("int32", n) + 1), dtype="float32")
              z: R.Prim("float32")
              p: R.Prim("float32")
        "#]],
    );
}

#[test]
fn tuples_are_unpacked_where_their_fields_are_known() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(t: R.Tuple(R.Tuple(R.Prim("int64"), R.Tensor((2,), "float32")), R.Tensor((3,), "int32")), u: R.Any):
    (k, a), b = t
    first, *rest = t
    c = rest[0]
    z = R.zeros(R.shape([k, t[0][0]]), "float32")
    one, two, three = t
    d, e = R.split(a, 2)
    g, h = a
    return (b, c, z)
"#,
        expect![[r#"
            main(t: R.Tuple(R.Tuple(R.Prim("int64"), R.Tensor((2,), dtype="float32")), R.Tensor((3,), dtype="int32")), u: R.Any) -> R.Tuple(R.Tensor((3,), dtype="int32"), R.Tensor((3,), dtype="int32"), R.Tensor(dtype="float32", ndim=2))
              k: R.Prim("int64")
              a: R.Tensor((2,), dtype="float32")
              b: R.Tensor((3,), dtype="int32")
              first: R.Tuple(R.Prim("int64"), R.Tensor((2,), dtype="float32"))
              c: R.Tensor((3,), dtype="int32")
              z: R.Tensor((k, t[0][0]), dtype="float32")
              one: ?
              two: ?
              three: ?
              d: R.Tensor((1,), dtype="float32")
              e: R.Tensor((1,), dtype="float32")
              g: ?
              h: ?
            9:5 error tuple-index-out-of-range: 3 names for the 2 fields of this tuple
            10:5 error unsupported-statement: TVM does not know the result of a call yet: bind it to a name first, then unpack that
            11:12 error not-a-tuple: only a tuple can be unpacked, but this is a Tensor
        "#]],
    );
}

#[test]
fn literals_are_indexed_and_sliced_by_python() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
    a = (x, y)[-1]
    b = (x, y, x)[::-2]
    c = (x, y)[2]
    return [a, b]
"#,
        expect![[r#"
            main(x: R.Tensor((2,), dtype="float32"), y: R.Tensor((3,), dtype="float32")) -> R.Tuple(R.Tensor((3,), dtype="float32"), R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")))
              a: R.Tensor((3,), dtype="float32")
              b: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32"))
              c: ?
            7:16 error tuple-index-out-of-range: index `2` is out of range: there are 2 elements
        "#]],
    );
}

#[test]
fn func_ret_value_returns_a_result() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.add(x, x)
    R.func_ret_value(y)

@R.function
def twice(x: R.Tensor((2,), "float32")):
    R.func_ret_value(x)
    return x
"#,
        expect![[r#"
            main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
              y: R.Tensor((2,), dtype="float32")
            twice(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
            11:5 error misplaced-return: a Relax function can have only one `return`, at its end
        "#]],
    );
}

#[test]
fn an_impure_function_can_be_cast_to_a_pure_one() {
    check(
        r#"
# from tvm.script import relax as R, tirx as T
@R.function
def main(f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), False), g: R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), True), x: R.Tensor((2,), "float32")):
    pure = R.match_cast(f, R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), True))
    impure = R.match_cast(g, R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), False))
    return pure(x)
"#,
        expect![[r#"
            main(f: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), False), g: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True), x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32")
              pure: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True)
              impure: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), False)
            6:14 error impossible-cast: no value of `R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), True)` can be cast to `R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor((2,), dtype="float32"), False)`: expected `pure`, found `impure`
        "#]],
    );
}

#[test]
fn until_type_a_scalar_is_compared_with_relax_values_only() {
    let text = r#"
from tvm.script import relax as R, tir as T
@R.function
def main(p: R.Prim("int64"), q: R.Prim("int64"), s: R.Shape(["n"])) -> R.Object:
    n = T.int64()
    a = p < q
    b = R.prim_value(n + 1)
    c = p < 3
    d = R.prim_value(p)
    return a
"#;
    assert_eq!(
        errors(text),
        [
            "argument-type: a Python number cannot be an operand of a Relax expression: write `R.const(...)`",
            "argument-type: `R.prim_value` takes a number or a shape variable, but this is already a Relax value",
        ]
    );
}

#[test]
fn python_bools_are_integers_before_types() {
    let text = r#"
from tvm.script import relax as R, tir as T
@R.function
def main(x: R.Tensor((2, 2)), s: R.Tensor((2,), "float32"), z: R.Tensor((2,), "int8")):
    a: R.Prim("int64") = R.prim_value(True)
    y = R.quantize(x, s, z)
    return y
"#;
    assert_eq!(
        errors(text),
        ["dtype-mismatch: `R.quantize`: the dtype of `data` must be known"]
    );
}

#[test]
fn before_type_unique_rejects_integers_as_booleans() {
    let text = r#"
from tvm.script import relax as R, tir as T
@R.function
def main(x: R.Tensor((4,), "float32")):
    a = R.unique(x, sorted=True, axis=0)
    b = R.unique(x, sorted=1)
    return a
"#;
    assert_eq!(
        errors(text),
        ["argument-type: `R.unique`: `sorted` must be True or False, but is an integer"]
    );
}

#[test]
fn an_integer_returned_by_a_tir_function_is_a_dimension() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("n", 3), "float32"), p: R.Prim("int64")):
    n = T.int64()
    a = R.zeros((T.exp(n), 3), "float32")
    b = R.reshape(x, (T.abs(n), 3))
    c = R.full((T.exp(p), T.min(p, 2)), R.const(1, "int32"), "int32")
    d = R.add(a, x)
    return d
"#,
        expect![[r#"
            main(x: R.Tensor((n, 3), dtype="float32"), p: R.Prim("int64")) -> R.Tensor(dtype="float32", ndim=2)
              a: R.Tensor((?2.8, 3), dtype="float32")
              b: R.Tensor((?2.19, 3), dtype="float32")
              c: R.Tensor((?2.28, T.min(p, 2)), dtype="int32")
              d: R.Tensor(dtype="float32", ndim=2)
        "#]],
    );
}
