//! Tests of the stages of lowering: their programs, and that all stages compute the same values.

use expect_test::{Expect, expect};
use hir::{Database, FunctionItem, Source, SourceFile, file_items};
use relax::FunctionKind;

use super::{Constants, listing};
use crate::listing::Stage;
use crate::tensor::Tensor;
use crate::value::Value;
use crate::{Input, Inputs, Limits, Printed, compile, run};

const PROGRAM: &str = r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def double(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 4), "float32")
        Y = T.match_buffer(y, (n, 4), "float32")
        for i, j in T.grid(n, 4):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] * T.float32(2)

    @R.function
    def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n * 4",), "float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        a = R.call_tir(cls.double, (R.add(x, x),), out_sinfo=R.Tensor((n, 4), "float32"))
        b = R.call_tir(cls.double, (a,), out_sinfo=R.Tensor((n, 4), "float32"))
        c = R.call_tir(cls.double, (b,), out_sinfo=R.Tensor((n, 4), "float32"))
        d = R.call_tir(cls.double, (c,), out_sinfo=R.Tensor((n, 4), "float32"))
        z = R.match_cast(d, R.Tensor((m, 4), "float32"))
        return R.reshape(z, (n * 4,))
"#;

fn main_of<'db>(db: &'db Database, text: &str, name: &str) -> FunctionItem<'db> {
    let file = SourceFile::new(db, Source::new(text));
    file_items(db, file)
        .functions
        .iter()
        .copied()
        .find(|f| f.kind(db) == FunctionKind::Relax && f.name(db) == name)
        .unwrap()
}

fn text(program: &str, name: &str, stage: Stage) -> String {
    let db = Database::default();
    listing(
        &db,
        &[main_of(&db, program, name)],
        stage,
        Constants::default(),
    )
    .unwrap()
    .text
}

fn result(program: &str, name: &str, dims: &[(&str, i64)]) -> Tensor {
    let db = Database::default();
    let program = compile(&db, main_of(&db, program, name)).unwrap();
    let inputs = Inputs {
        dims: dims.iter().map(|&(k, v)| (k.into(), v)).collect(),
        default: Input::Formula(64.0),
        ..Inputs::default()
    };
    let values = inputs.make(program.function(name).unwrap()).unwrap();
    let limits = Limits::default();
    let value = run(&program, name, values, &limits, &mut Printed::default()).unwrap();
    let Value::Tensor(tensor) = value else {
        panic!("{}", value.describe());
    };
    tensor
}

/// Prints a stage of the function without its module.
fn body(stage: Stage, expect: &Expect) {
    let text = text(PROGRAM, "main", stage);
    let start = text.find("    def main").unwrap();
    let end = text.find("    @T.prim_func").unwrap();
    let lines: Vec<&str> = text[start..end]
        .trim_end()
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect();
    expect.assert_eq(&format!("{}\n", lines.join("\n")));
}

#[test]
fn normal_form_binds_each_call() {
    body(
        Stage::Normalized,
        &expect![[r#"
            def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor((n * 4,), dtype="float32"):
                n = T.int64()
                m = T.int64()
                cls = Module
                lv: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
                a: R.Tensor((n, 4), dtype="float32") = R.call_tir(cls.double, (lv,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
                b: R.Tensor((n, 4), dtype="float32") = R.call_tir(cls.double, (a,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
                c: R.Tensor((n, 4), dtype="float32") = R.call_tir(cls.double, (b,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
                d: R.Tensor((n, 4), dtype="float32") = R.call_tir(cls.double, (c,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
                z: R.Tensor((m, 4), dtype="float32") = R.match_cast(d, R.Tensor((m, 4), dtype="float32"))
                lv1: R.Tensor((n * 4,), dtype="float32") = R.reshape(z, R.shape([n * 4]))
                return lv1
        "#]],
    );
}

#[test]
fn memory_is_planned_reused_and_killed() {
    body(
        Stage::ExplicitMemory,
        &expect![[r#"
            def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor((n * 4,), dtype="float32"):
                n = T.int64()
                m = T.int64()
                R.func_attr({"relax.force_pure": True})
                cls = Module
                lv: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
                storage: R.Object = R.memory.alloc_storage(R.shape([n * 16]), R.prim_value(0), R.str("global"), dtype="float32")
                a: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 4]), dtype="float32")
                cls.double(lv, a)
                storage1: R.Object = R.memory.alloc_storage(R.shape([n * 16]), R.prim_value(0), R.str("global"), dtype="float32")
                b: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([n, 4]), dtype="float32")
                cls.double(a, b)
                R.memory.kill_tensor(a)
                c: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([n, 4]), dtype="float32")
                cls.double(b, c)
                R.memory.kill_tensor(b)
                R.memory.kill_storage(storage1)
                storage2: R.Object = R.memory.alloc_storage(R.shape([n * 16]), R.prim_value(0), R.str("global"), dtype="float32")
                d: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), R.shape([n, 4]), dtype="float32")
                cls.double(c, d)
                R.memory.kill_tensor(c)
                R.memory.kill_storage(storage)
                R.memory.kill_storage(storage2)
                z: R.Tensor((m, 4), dtype="float32") = R.match_cast(d, R.Tensor((m, 4), dtype="float32"))
                lv1: R.Tensor((n * 4,), dtype="float32") = R.reshape(z, R.shape([n * 4]))
                return lv1
        "#]],
    );
}

#[test]
fn dimensions_are_read_from_a_heap() {
    body(
        Stage::ShapeLowered,
        &expect![[r#"
            def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor((n * 4,), dtype="float32"):
                n = T.int64()
                m = T.int64()
                R.func_attr({"relax.force_pure": True})
                cls = Module
                shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(4),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
                R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str("parameter `x`"), sinfo_args=(R.Tuple,))
                R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), R.str("parameter `x`"), sinfo_args=(R.Tuple,))
                lv: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
                cls.shape_func(shape_heap)
                lv2: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(1), sinfo_args=(R.Shape(ndim=1),))
                storage: R.Object = R.memory.alloc_storage(lv2, R.prim_value(0), R.str("global"), dtype="float32")
                lv3: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), sinfo_args=(R.Shape(ndim=2),))
                a: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), lv3, dtype="float32")
                cls.double(lv, a)
                lv4: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(1), sinfo_args=(R.Shape(ndim=1),))
                storage1: R.Object = R.memory.alloc_storage(lv4, R.prim_value(0), R.str("global"), dtype="float32")
                lv5: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), sinfo_args=(R.Shape(ndim=2),))
                b: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage1, R.prim_value(0), lv5, dtype="float32")
                cls.double(a, b)
                R.memory.kill_tensor(a)
                lv6: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), sinfo_args=(R.Shape(ndim=2),))
                c: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage, R.prim_value(0), lv6, dtype="float32")
                cls.double(b, c)
                R.memory.kill_tensor(b)
                R.memory.kill_storage(storage1)
                lv7: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(1), sinfo_args=(R.Shape(ndim=1),))
                storage2: R.Object = R.memory.alloc_storage(lv7, R.prim_value(0), R.str("global"), dtype="float32")
                lv8: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), sinfo_args=(R.Shape(ndim=2),))
                d: R.Tensor((n, 4), dtype="float32") = R.memory.alloc_tensor(storage2, R.prim_value(0), lv8, dtype="float32")
                cls.double(c, d)
                R.memory.kill_tensor(c)
                R.memory.kill_storage(storage)
                R.memory.kill_storage(storage2)
                R.call_packed("vm.builtin.check_tensor_info", d, R.prim_value(2), R.dtype("float32"), R.str("the value cast to `z`"), sinfo_args=(R.Tuple,))
                R.call_packed("vm.builtin.match_shape", d, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(2), R.prim_value(0), R.prim_value(4), R.str("the value cast to `z`"), sinfo_args=(R.Tuple,))
                cls.shape_func1(shape_heap)
                lv9: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(3), sinfo_args=(R.Shape(ndim=1),))
                lv1: R.Tensor((n * 4,), dtype="float32") = R.reshape(d, lv9)
                return lv1
        "#]],
    );
}

#[test]
fn the_text_of_a_stage_is_the_same_program() {
    let wanted = result(PROGRAM, "main", &[("n", 3)]);
    for stage in [
        Stage::Normalized,
        Stage::ExplicitMemory,
        Stage::ShapeLowered,
    ] {
        let text = text(PROGRAM, "main", stage);
        let got = result(&text, "main", &[("n", 3)]);
        assert_eq!(
            got.values::<f32>().unwrap(),
            wanted.values::<f32>().unwrap(),
            "{text}"
        );
    }
}

#[test]
fn the_text_of_a_stage_of_a_model_is_the_same_model() {
    let models = crate::models::directory();
    for (file, dims) in [
        ("mlp-fused.tvm-0.19.py", [("batch", 2)]),
        ("mlp-fused.tvm-0.27.py", [("batch", 2)]),
        ("mlp-legalized.tvm-0.27.py", [("batch", 3)]),
        ("mlp-nn.tvm-0.19.py", [("batch", 2)]),
    ] {
        let program = std::fs::read_to_string(models.join(file)).unwrap();
        let wanted = result(&program, "forward", &dims);
        for stage in [
            Stage::Normalized,
            Stage::ExplicitMemory,
            Stage::ShapeLowered,
        ] {
            let text = text(&program, "forward", stage);
            let got = result(&text, "forward", &dims);
            assert_eq!(
                got.values::<f32>().unwrap(),
                wanted.values::<f32>().unwrap(),
                "{file} {}",
                stage.name()
            );
        }
    }
}

#[test]
fn each_line_is_linked_to_the_source_it_comes_from() {
    let db = Database::default();
    for stage in [Stage::Normalized, Stage::Bytecode] {
        let made = listing(
            &db,
            &[main_of(&db, PROGRAM, "main")],
            stage,
            Constants::default(),
        )
        .unwrap();
        let lines: Vec<&str> = made.text.lines().collect();
        let (_, range) = made
            .lines
            .iter()
            .find(|(line, _)| lines[*line as usize].contains("reshape"))
            .unwrap();
        let source = &PROGRAM[std::ops::Range::<usize>::from(*range)];
        assert!(source.contains("R.reshape(z, (n * 4,))"), "{source}");
    }
}

#[test]
fn a_program_that_calls_packed_functions_of_others_is_shown() {
    const CALLS: &str = r#"
@I.ir_module
class Module:
    @T.prim_func
    def sorted(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        T.evaluate(T.call_packed("mine.sort", x.data, y.data))

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.call_packed("mine.scale", x, sinfo_args=R.Tensor((4,), "float32"))
        z = R.call_dps_packed("mine.fill", (x,), out_sinfo=R.Tensor((4,), "float32"))
        return (y, z)
"#;
    for stage in [Stage::Normalized, Stage::ShapeLowered, Stage::Bytecode] {
        let shown = text(CALLS, "main", stage);
        assert!(
            shown.contains("mine.scale") && shown.contains("mine.fill"),
            "{shown}"
        );
    }
    let db = Database::default();
    let errors = compile(&db, main_of(&db, CALLS, "main")).unwrap_err();
    assert_eq!(errors.len(), 2, "{errors:?}");
}
