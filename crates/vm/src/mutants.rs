//! Programs with an edit at random: they run, fail with a reason, or are refused, and nothing panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use hir::{Database, Source, SourceFile, file_items};
use relax::FunctionKind;

use crate::random::Random;
use crate::{Input, Inputs, Limits, Printed, compile, run};

/// Operators, shapes, closures, branches, PrimFuncs, the shape heap: a little of everything.
const PROGRAM: &str = r#"
@I.ir_module
class Module:
    @T.prim_func
    def matmul(a: T.handle, b: T.Buffer((T.int64(4), T.int64(3)), "float32"), c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(4)))
        C = T.match_buffer(c, (n, T.int64(3)))
        t = T.alloc_buffer((n, T.int64(3)), "float16")
        for i, j, k in T.grid(n, T.int64(3), T.int64(4)):
            with T.block("matmul"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * b[vk, vj]
        for i, j in T.grid(n, T.int64(3)):
            t[i, j] = T.Cast("float16", T.if_then_else(i > 0, C[i - 1, j], T.exp(C[i, j])))
        for i in T.serial(T.int64(1), n):
            if C[i, 0] > T.float32(0):
                C[i, 0] = C[i, 0] // T.float32(2) + T.Cast("float32", t[i, 0] % T.float16(3))

    @T.prim_func
    def shape_func(H: T.Buffer((T.int64(4),), "int64")):
        H[T.int64(1)] = H[T.int64(0)] * T.int64(3) // T.int64(2)

    @R.function
    def pick(x: R.Tensor(("n", 3), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n", 3), "float32"):
        n = T.int64()
        if c:
            y = R.nn.softmax(x, axis=-1)
        else:
            y = R.reshape(R.permute_dims(x, axes=[1, 0]), (n, 3))
        return y

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 3), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        m = T.int64()
        cls = Module
        y = R.call_tir(cls.matmul, (x, w), out_sinfo=R.Tensor((n, 3), "float32"))
        z = cls.pick(y, c)
        two = R.const([2.0, 3.0, 4.0], "float32")

        @R.function
        def scale(a: R.Tensor(("k", 3), "float32")) -> R.Tensor(("k", 3), "float32"):
            return R.multiply(a, two)

        s = scale(z)
        t = R.concat((s, y), axis=0)
        u = R.match_cast(t, R.Tensor((m, 3), "float32"))
        heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(4),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        _ = R.call_packed("vm.builtin.match_shape", u, heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(3), R.str(""), sinfo_args=(R.Tuple,))
        _ = cls.shape_func(heap)
        g = R.call_packed("vm.builtin.make_shape", heap, R.prim_value(1), R.prim_value(1), R.prim_value(1), sinfo_args=(R.Shape(ndim=1),))
        storage = R.vm.alloc_storage(g, R.prim_value(0), R.dtype("uint8"))
        e = R.zeros(R.shape([m * 2 - n]), "int32")
        _ = R.print(e, format="e {}")
        return (u, e, R.sum(u, axis=[1]), g, storage)
"#;

/// What PrimFuncs are made of: split, parallel and GPU loops, views, scratch memory, reductions, whiles.
const PRIM_FUNCS: &str = r#"
@I.ir_module
class Module:
    @T.prim_func
    def phases(a: T.handle, b: T.Buffer((64, 48), "float32"), c: T.Buffer((64,), "int32")):
        n = T.int64()
        A = T.match_buffer(a, (n, 48), "float32")
        t = T.alloc_buffer((64, 48), "float32")
        flat = T.Buffer((3072,), "float32", data=t.data)
        for i, j in T.grid(64, 48):
            with T.block("copy"):
                vi, vj = T.axis.remap("SS", [i, j])
                t[vi, vj] = A[vi % n, vj] * T.float32(0.5)
        for i in T.parallel(16):
            for j in T.vectorized(48):
                b[i * 4, j] = t[i, j] + flat[i * 48 + j]
        for i, k in T.grid(64, 48):
            with T.block("count"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.where(i * 48 + k < 3000)
                with T.init():
                    c[vi] = 0
                c[vi] = c[vi] + T.Select(t[vi, vk] > T.float32(0), 1, 2)
        for bx in T.thread_binding(4, thread="blockIdx.x"):
            for tx in T.thread_binding(16, thread="threadIdx.x"):
                if c[bx * 16 + tx] > 3:
                    c[bx * 16 + tx] = c[bx * 16 + tx] // 2 + (bx << 1)
        while c[0] > 5:
            c[0] = c[0] - 2

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 48), "float32")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.phases, (x,), out_sinfo=[R.Tensor((64, 48), "float32"), R.Tensor((64,), "int32")])
        return y
"#;

const WORDS: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "7",
    "n",
    "m",
    "x",
    "y",
    "\"float32\"",
    "\"int8\"",
    "\"bool\"",
    "None",
    "(",
    ")",
    "[",
    "]",
    ",",
    "+",
    "//",
    "%",
    "R.add",
    "T.int64",
    "T.float16",
    "cls",
    "heap",
    "w",
    "c",
    "H",
    "A",
    "C",
    "t",
    "i",
    "vk",
];

fn mutant(program: &str, random: &mut Random) -> String {
    let mut text = program.to_owned();
    for _ in 0..=random.next_u64() % 3 {
        // The program is ASCII.
        let at = (random.next_u64() % text.len() as u64) as usize;
        let word = WORDS[(random.next_u64() % WORDS.len() as u64) as usize];
        let is_word = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
        let bytes = text.as_bytes();
        let start = (0..at)
            .rev()
            .take_while(|&i| is_word(bytes[i]))
            .last()
            .unwrap_or(at);
        let end = (at..bytes.len())
            .find(|&i| !is_word(bytes[i]))
            .unwrap_or(at)
            .max(at);
        match random.next_u64() % 4 {
            0 => text.replace_range(start..end.max(start), word),
            1 => text.insert_str(at, word),
            2 => text.replace_range(at..(at + 1).min(text.len()), ""),
            _ => {
                let lines: Vec<&str> = text.lines().collect();
                let line = (random.next_u64() % lines.len() as u64) as usize;
                let kept: Vec<&str> = lines
                    .iter()
                    .enumerate()
                    .filter(|(k, _)| *k != line)
                    .map(|(_, l)| *l)
                    .collect();
                text = kept.join("\n");
            }
        }
    }
    text
}

/// Whether it ran to its end.
fn attempt(text: &str) -> bool {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    let functions = &file_items(&db, file).functions;
    let Some(main) = functions
        .iter()
        .copied()
        .find(|f| f.kind(&db) == FunctionKind::Relax && f.name(&db) == "main")
    else {
        return false;
    };
    let Ok(program) = compile(&db, main) else {
        return false;
    };
    assert!(!program.as_text().is_empty());
    let Some(function) = program.function("main") else {
        return false;
    };
    let inputs = Inputs {
        dims: function.dims().into_iter().map(|name| (name, 3)).collect(),
        default: Input::Formula(8.0),
        ..Inputs::default()
    };
    let Ok(values) = inputs.make(function) else {
        return false;
    };
    let limits = Limits {
        wall: Some(Duration::from_secs(5)),
        instructions: 10_000,
        depth: 50,
        ..Limits::default()
    };
    run(&program, "main", values, &limits, &mut Printed::default()).is_ok()
}

#[test]
fn an_edit_at_random_never_panics() {
    edit_at_random(PROGRAM, 1);
}

#[test]
fn an_edit_of_prim_funcs_at_random_never_panics() {
    edit_at_random(PRIM_FUNCS, 2);
}

fn edit_at_random(program: &str, seed: u64) {
    assert!(attempt(program));
    let count = std::env::var("RELAX_MUTANTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(100);
    let mut random = Random::new(seed);
    let mut ran = 0;
    for k in 0..count {
        let text = mutant(program, &mut random);
        let done = catch_unwind(AssertUnwindSafe(|| attempt(&text)));
        assert!(done.is_ok(), "mutant {k} panics:\n{text}");
        ran += i32::from(done.unwrap_or_default());
    }
    // Some edits leave a program that runs.
    assert!(ran > 0);
}
