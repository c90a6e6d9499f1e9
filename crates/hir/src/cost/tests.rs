//! Tests of costs of functions, compared with counts by hand.

use expect_test::{Expect, expect};
use relax::sym::SymExpr;

use super::{MemoryPlan, bindings};
use crate::db::{Database, Source, SourceFile};
use crate::item_tree::file_items;

fn check(text: &str, expect: &Expect) {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let functions = &file_items(&db, file).functions;
    let costs = functions.iter().flat_map(|&it| bindings(&db, it));
    let shown =
        |formula: &Option<SymExpr>| formula.as_ref().map_or("?".to_owned(), ToString::to_string);
    let lines = costs.map(|it| {
        let (flops, bytes) = (shown(&it.flops), shown(&it.bytes));
        format!(
            "{} = {}: {flops} FLOPs, {bytes} bytes\n",
            it.name, it.callee
        )
    });
    expect.assert_eq(&lines.collect::<String>());
}

#[test]
fn products_and_convolutions_count_two_operations_per_term() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("n", 784), "float32"), w: R.Tensor((784, 128), "float32")):
    y = R.matmul(x, w)
    z = R.nn.relu(y)
    return z

@R.function
def conv(x: R.Tensor(("b", 16, 32, 32), "float32"), w: R.Tensor((8, 4, 3, 3), "float32")):
    y = R.nn.conv2d(x, w, padding=1, groups=4)
    return y
"#,
        // 2 * n * 128 * 784; n * 128; 2 * (b * 8 * 32 * 32) * (4 * 3 * 3)
        &expect![[r#"
            y = matmul: n * 200704 FLOPs, n * 3648 + 401408 bytes
            z = nn.relu: n * 128 FLOPs, n * 1024 bytes
            y = nn.conv2d: b * 589824 FLOPs, b * 98304 + 1152 bytes
        "#]],
    );
}

#[test]
fn calls_inside_of_calls_and_returns_are_counted() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("n", 784), "float32"), w: R.Tensor((784, 128), "float32")):
    y = R.nn.relu(R.matmul(x, w)) + R.const(1.0, "float32")
    if R.const(True, "bool"):
        z = R.exp(R.exp(y))
    else:
        z = y
    a, b = R.split(z, 2, axis=1)
    return R.nn.softmax(a, axis=-1)
"#,
        // 2 * n * 128 * 784 + 2 * n * 128; 2 * n * 128; 0; 5 * n * 64
        &expect![[r#"
            y = matmul, nn.relu, add: n * 200960 FLOPs, n * 5696 + 401412 bytes
            z = exp, exp: n * 256 FLOPs, n * 2048 bytes
            a, b = split: 0 FLOPs, n * 1024 bytes
             = nn.softmax: n * 320 FLOPs, n * 512 bytes
        "#]],
    );
}

#[test]
fn pooling_counts_its_window() {
    check(
        r#"
@R.function
def main(x: R.Tensor(("b", 16, 32, 32), "float32")):
    y = R.nn.max_pool2d(x, pool_size=(2, 2), strides=(2, 2))
    z = R.nn.avg_pool2d(y, pool_size=3, padding=1)
    return z
"#,
        // b * 16 * 16 * 16 * 4; b * 16 * 16 * 16 * 9
        &expect![[r#"
            y = nn.max_pool2d: b * 16384 FLOPs, b * 81920 bytes
            z = nn.avg_pool2d: b * 36864 FLOPs, b * 32768 bytes
        "#]],
    );
}

#[test]
fn a_relax_function_counts_in_the_shapes_of_its_caller() {
    check(
        r#"
@I.ir_module
class Module:
    @R.function
    def fused(x: R.Tensor(("m", "k"), "float32"), w: R.Tensor(("k", 4), "float32")):
        R.func_attr({"Primitive": True})
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.relu(y)
            R.output(z)
        return z

    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        y = Module.fused(x, w)
        return y

    @R.function
    def endless(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        y = Module.endless(x)
        return y
"#,
        // 2 * n * 4 * 8 + n * 4
        &expect![[r#"
            y = matmul: k * m * 8 FLOPs, k * m * 4 + k * 16 + m * 16 bytes
            z = nn.relu: m * 4 FLOPs, m * 32 bytes
            y = fused: n * 68 FLOPs, n * 48 + 128 bytes
            y = endless: ? FLOPs, 64 bytes
        "#]],
    );
}

const DOUBLED: &str = r#"
@I.ir_module
class Module:
    @T.prim_func
    def scaled(a: T.handle, b: T.handle):
        m = T.int64()
        A = T.match_buffer(a, (m, 8), "float32")
        B = T.match_buffer(b, (m, 8), "float32")
        for i, j in T.grid(m, 8):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)

    @R.function
    def main(x: R.Tensor(("n", 8), "float32")):
        y = R.call_tir(Module.scaled, (x,), out_sinfo=R.Tensor(("n", 8), "float32"))
        return y
"#;

#[test]
fn a_prim_func_counts_by_its_loops_in_the_shapes_of_its_caller() {
    check(
        DOUBLED,
        &expect![[r#"
            y = scaled: n * 16 FLOPs, n * 64 bytes
        "#]],
    );
}

#[test]
fn a_prim_func_that_cannot_be_read_has_unknown_cost() {
    check(
        &DOUBLED.replace("A[vi, vj] *", "unknown(vi) *"),
        &expect![[r#"
            y = scaled: ? FLOPs, ? bytes
        "#]],
    );
}

/// Prints the storages of the first function with their lifetimes, and the peak.
fn check_plan(body: &str, expect: &Expect) {
    let db = Database::default();
    let text = format!(
        "@R.function\ndef main(x: R.Tensor((\"n\", 8), \"float32\")):\n    n = T.int64()\n{body}"
    );
    let file = SourceFile::new(&db, Source::new(text));
    let function = file_items(&db, file).functions[0];
    let plan = MemoryPlan::of(&db, function).unwrap();
    let shown = |formula: Option<&SymExpr>| formula.map_or("?".to_owned(), ToString::to_string);
    let storages = plan.storages.iter().map(|it| {
        let bytes = shown(it.bytes.as_ref());
        format!("{}: {bytes} bytes, {} to {}\n", it.name, it.from, it.to)
    });
    let storages = storages.collect::<String>();
    expect.assert_eq(&format!(
        "{storages}peak: {}\n",
        shown(plan.peak().as_ref())
    ));
}

const FIRST: &str = r#"
    a: R.Object = R.memory.alloc_storage(R.shape([n * 32]), 0, R.str("global"), R.dtype("float32"))
    s: R.Tensor((n, 8), "float32") = R.memory.alloc_tensor(a, 0, R.shape([n, 8]), R.dtype("float32"))
"#;

const SECOND: &str = r#"
    b: R.Object = R.memory.alloc_storage(R.shape([64]), 0, R.str("global"), R.dtype("float32"))
    t: R.Tensor((16,), "float32") = R.memory.alloc_tensor(b, 0, R.shape([16]), R.dtype("float32"))
"#;

#[test]
fn a_storage_lives_until_the_last_use_of_its_tensors() {
    check_plan(
        &format!(
            "{FIRST}    _ = R.memory.kill_storage(a)\n    u = (s, x)\n    v = u[0]\n    w = R.exp(v)\n{SECOND}    return t\n"
        ),
        &expect![[r#"
            a: n * 32 bytes, 1 to 6
            b: 64 bytes, 7 to 8
            peak: max(n * 32, 64)
        "#]],
    );
}

#[test]
fn storages_with_overlapping_lifetimes_are_added() {
    check_plan(
        &format!("{FIRST}{SECOND}    return (s, t)\n"),
        &expect![[r#"
            a: n * 32 bytes, 1 to 4
            b: 64 bytes, 3 to 4
            peak: n * 32 + 64
        "#]],
    );
}

#[test]
fn storages_of_the_virtual_machine_count_elements() {
    check_plan(
        "    a: R.Object = R.vm.alloc_storage(R.shape([n]), R.prim_value(0), R.dtype(\"float16\"), R.str(\"global\"))\n    return x\n",
        &expect![[r#"
            a: n * 2 bytes, 1 to 1
            peak: n * 2
        "#]],
    );
}

#[test]
fn a_storage_of_unknown_size_leaves_the_peak_unknown() {
    check_plan(
        &format!(
            "{SECOND}    g = R.shape_of(x)\n    h: R.Shape(ndim=1) = R.call_packed(\"size\", g, sinfo_args=(R.Shape(ndim=1),))\n    a: R.Object = R.memory.alloc_storage(h, 0, R.str(\"global\"), R.dtype(\"float32\"))\n    return t\n"
        ),
        &expect![[r#"
            b: 64 bytes, 1 to 5
            a: ? bytes, 5 to 5
            peak: ?
        "#]],
    );
}

#[test]
fn the_cost_of_a_tensor_with_many_dimensions_is_unknown() {
    let dims: Vec<String> = (0..100).map(|at| format!("\"n{at}\"")).collect();
    let dims = dims.join(", ");
    check(
        &format!(
            "@R.function\ndef main(x: R.Tensor(({dims}), \"float32\")):\n    y = R.exp(x)\n    return y\n"
        ),
        &expect![[r#"
            y = exp: ? FLOPs, ? bytes
        "#]],
    );
}

/// A function after VMShapeLower: its shapes are slots of a tensor.
const ON_A_HEAP: &str = r#"
@I.ir_module
class Module:
    @T.prim_func
    def shape_func(H: T.Buffer((T.int64(3),), "int64")):
        H[T.int64(1)] = T.int64(32) * H[T.int64(0)]

    @T.prim_func
    def scaled(a: T.handle, b: T.handle):
        m = T.int64()
        A = T.match_buffer(a, (m, 8), "float32")
        B = T.match_buffer(b, (m, 8), "float32")
        for i, j in T.grid(m, 8):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function
    def main(x: R.Tensor(("n", 8), "float32")):
        cls = Module
        heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(3),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.match_shape", x, heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(8), R.str(""), sinfo_args=(R.Tuple,))
        cls.shape_func(heap)
        size: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", heap, R.prim_value(1), R.prim_value(1), R.prim_value(1), sinfo_args=(R.Shape(ndim=1),))
        storage: R.Object = R.vm.alloc_storage(size, R.prim_value(0), R.dtype("uint8"), R.str("global"))
        shape: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(8), sinfo_args=(R.Shape(ndim=2),))
        alloc: R.Tensor(dtype="float32", ndim=2) = R.vm.alloc_tensor(storage, R.prim_value(0), shape, R.dtype("float32"))
        cls.scaled(x, alloc)
        R.vm.kill_object(storage)
        return alloc
"#;

#[test]
fn shapes_on_the_heap_are_formulas_over_the_parameters() {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(ON_A_HEAP));
    let main = file_items(&db, file).functions[2];
    let costs = bindings(&db, main);
    let of = |callee: &str| {
        let found = costs.iter().find(|it| it.callee == callee).expect("a call");
        let shown = |it: &Option<SymExpr>| it.as_ref().map(ToString::to_string);
        (shown(&found.flops), shown(&found.bytes))
    };
    let (flops, bytes) = (Some("n * 8".to_owned()), Some("n * 64".to_owned()));
    assert_eq!(of("scaled"), (flops, bytes));
    let nothing = Some("0".to_owned());
    assert_eq!(of("vm.kill_object"), (nothing.clone(), nothing));
    let plan = MemoryPlan::of(&db, main).expect("a plan");
    assert_eq!(plan.peak().map(|it| it.to_string()), Some("n * 32".into()));
}
