//! Tests of names in PrimFuncs: definitions, kinds, dtypes.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::{facts, place};
use crate::prim_facts::{Access, PrimDefKind, Target};

/// Checks every definition with its kind, its reads (`r`) and its writes (`w`).
fn check(program: &str, expect: Expect) {
    let facts = facts(program);
    let mut actual = String::new();
    for (at, def) in facts.defs.iter().enumerate() {
        let text = |range: text_size::TextRange| &program[range];
        let kind = match &def.kind {
            PrimDefKind::Buffer(it) => {
                let dims = it.shape.as_ref().map(|dims| {
                    let dims: Vec<String> = dims
                        .iter()
                        .map(|dim| dim.value.map_or("?".to_owned(), |value| value.to_string()))
                        .collect();
                    dims.join(", ")
                });
                format!(
                    "{:?} ({}) {:?} {} {:?} bytes",
                    it.origin,
                    dims.unwrap_or("..".to_owned()),
                    it.dtype,
                    it.scope.as_deref().unwrap_or("?"),
                    it.bytes(),
                )
            }
            PrimDefKind::Loop(it) => {
                format!("{} {:?} {:?}", it.kind.name(), it.extent(), it.thread)
            }
            PrimDefKind::Axis(it) => format!(
                "{} {:?} {:?}",
                it.kind.name(),
                it.stop.and_then(|stop| stop.value),
                it.dtype
            ),
            PrimDefKind::Block(_) => "Block".to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(text(def.name_range), def.name, "{def:?}");
        let mentions: Vec<String> = facts
            .mentions
            .iter()
            .filter(|it| it.target == Target::Def(crate::prim_facts::PrimDefId(at as u32)))
            .map(|it| {
                let letter = match it.access {
                    Access::Define => "",
                    Access::Read => "r",
                    Access::Write => "w",
                };
                assert_eq!(text(it.range), def.name, "{it:?}");
                format!("{}{letter}", place(program, it.range.start()))
            })
            .collect();
        let _ = writeln!(actual, "{} {kind}: {}", def.name, mentions.join(" "));
    }
    expect.assert_eq(&actual);
}

#[test]
fn a_matrix_product_of_the_struct_info_dialect() {
    check(
        r#"from tvm.script import tir as T

@T.prim_func
def matmul(a: T.handle, B: T.Buffer((128, 128), "float32"), c: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, 128), "float16")
    C = T.match_buffer(c, [n, 128], strides=[256, 1])
    D = T.alloc_buffer((128,), "int8", scope="shared")
    for i, j, k in T.grid(n, 128, 128):
        with T.block("update"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk])
            with T.init():
                C[vi, vj] = 0.0
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
    for t in T.thread_binding(32, thread="threadIdx.x"):
        for s in T.serial(2, 10):
            with T.block():
                v = T.axis.spatial((0, 4), s)
                x: T.float32 = C[0, v]
                D[v] = T.cast(x, "int8")
"#,
        expect![[r#"
            a Handle: 4:12 6:24r
            B Param (128, 128) Some(float32) global Some(65536) bytes: 4:25 15:49r
            c Handle: 4:61 7:24r
            n ShapeVar(Some(int64)): 5:5 6:28r 7:28r 9:27r
            A Match (?, 128) Some(float16) global None bytes: 6:5 12:21r 15:37r
            C Match (?, 128) Some(float32) global None bytes: 7:5 14:17w 15:13w 15:25r 20:32r
            D Alloc (128) Some(int8) shared Some(128) bytes: 8:5 21:17w
            i grid None None: 9:9 11:47r
            j grid Some(128) None: 9:12 11:50r
            k grid Some(128) None: 9:15 11:53r
            update Block: 10:23
            vi spatial None Some(int64): 11:13 12:23r 14:19r 15:15r 15:27r 15:39r
            vj spatial Some(128) Some(int32): 11:17 14:23r 15:19r 15:31r 15:55r
            vk reduce Some(128) Some(int32): 11:21 12:27r 15:43r 15:51r
            t thread Some(32) Some("threadIdx.x"): 16:9
            s serial Some(8) None: 17:13 19:44r
             Block: 
            v spatial Some(4) Some(int32): 19:17 20:37r 21:19r
            x Let { dtype: Some(float32), mutable: false, annotated: true }: 20:17 21:31r
        "#]],
    );
}

#[test]
fn assignments_of_the_type_dialect_write_to_scalars_that_exist() {
    check(
        r#"from tvm.script import tirx as T

N = 8

@T.prim_func(s_tir=True)
def f[m](A: T.Buffer((m, "k * 2", N), "float32"), n: T.int32):
    total = T.float32(0)
    y: T.let = n + 1
    count: T.int32 = 0
    local: T.float32[4]
    while count < N:
        total = total + A[0, 0, count]
        count += 1
        local[0] = total
"#,
        expect![[r#"
            m ShapeVar(Some(int64)): 6:7 6:23r
            k ShapeVar(Some(int32)): 6:27
            A Param (?, ?, 8) Some(float32) global None bytes: 6:10 12:25r
            n Scalar(Some(int32)): 6:51 8:16r
            total Let { dtype: Some(float32), mutable: true, annotated: true }: 7:5 12:9w 12:17r 14:20r
            y Let { dtype: Some(int32), mutable: false, annotated: false }: 8:5
            count Let { dtype: Some(int32), mutable: true, annotated: true }: 9:5 11:11r 12:33r 13:9w
            local Alloc (4) Some(float32) local Some(16) bytes: 10:5 14:9w
        "#]],
    );
}

#[test]
fn python_names_and_module_names_are_distinguished() {
    let facts = facts(
        r#"from tvm.script import ir as I, tirx as T
import helper

@I.ir_module
class Module:
    @T.prim_func
    def other(A: T.Buffer((4,), "float32")):
        pass

    @T.prim_func
    def f(A: T.Buffer((4,), "float32")):
        other(A.data, helper.offset, len("x"), T.exp(1.0))
"#,
    );
    let targets: Vec<String> = facts
        .mentions
        .iter()
        .filter(|it| !matches!(it.target, Target::Def(_)))
        .map(|it| format!("{:?}", it.target))
        .collect();
    expect![[r#"
        Script("prim_func")
        Script("Buffer")
        Global("other")
        Python("helper")
        Python("len")
        Script("exp")"#]]
    .assert_eq(&targets.join("\n"));
}

#[test]
fn names_end_with_their_scope() {
    let program = r#"from tvm.script import tirx as T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        A[i] = 1.0
    T.evaluate(0)
"#;
    let facts = facts(program);
    let names = |needle: &str| -> Vec<String> {
        let start = program.find("@T.prim_func").unwrap();
        let at = text_size::TextSize::new((program.find(needle).unwrap() - start) as u32);
        facts
            .visible_at(at)
            .map(|(_, def)| def.name.to_string())
            .collect()
    };
    assert_eq!(names("A[i]"), ["A", "i"]);
    assert_eq!(names("T.evaluate"), ["A"]);
}
