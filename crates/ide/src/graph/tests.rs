//! Tests of the nodes, edges and groups of a graph, and of the parts shown for a large function.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::{Graph, GraphLimit};
use crate::fixture::Fixture;

fn graph(fixture: &Fixture, limit: Option<usize>) -> Graph {
    let position = fixture.position();
    let limit = limit.map_or(GraphLimit::NONE, |nodes| GraphLimit { nodes, in_boxes: 0 });
    let found = fixture.analysis.graph(position, position.offset, limit);
    found.unwrap().expect("a Relax function")
}

/// Prints a line for each node with its operands. Groups are indented.
fn show(fixture: &Fixture, graph: &Graph) -> String {
    let name = |at: usize| match &graph.nodes[at] {
        node if node.name.is_empty() => format!("#{at}"),
        node => node.name.clone(),
    };
    let mut text = String::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let mut path = Vec::new();
        let mut group = node.group;
        while let Some(at) = group {
            path.insert(0, at);
            group = graph.groups[at].parent;
        }
        for (depth, group) in path.iter().enumerate() {
            if open.get(depth) != Some(group) {
                let it = &graph.groups[*group];
                let alike = it
                    .alike
                    .map(|it| format!("like {}", graph.groups[it].label));
                let alike = alike.unwrap_or_default();
                let label = [it.kind.name(), &it.label, &alike].join(" ");
                let indent = "  ".repeat(depth);
                let _ = writeln!(
                    text,
                    "{indent}[{}] {}",
                    label.trim(),
                    fixture.show(it.range)
                );
            }
        }
        open = path;
        let indent = "  ".repeat(open.len());
        let place = fixture.show(node.selection);
        let kind = node.kind.name();
        let _ = write!(text, "{indent}{place} {} {kind}", name(at));
        if let Some(callee) = &node.callee {
            let _ = write!(text, " {callee}");
        }
        if !node.operation.is_empty() {
            let _ = write!(text, " `{}`", node.operation);
        }
        if !node.family.is_empty() {
            let _ = write!(text, " ({})", node.family);
        }
        for (param, argument) in &node.arguments {
            let _ = write!(text, " {param}={argument}");
        }
        for edge in graph.edges.iter().filter(|edge| edge.to == at) {
            let _ = write!(text, " ← {}", name(edge.from));
            for word in [&edge.argument, &edge.shape] {
                if !word.is_empty() {
                    let _ = write!(text, " {word}");
                }
            }
        }
        if node.omitted.inputs + node.omitted.outputs > 0 {
            let _ = write!(
                text,
                " … {} in, {} out",
                node.omitted.inputs, node.omitted.outputs
            );
        }
        let _ = writeln!(text, ": {}", node.struct_info);
    }
    text
}

fn check(marked: &str, expect: Expect) {
    let fixture = Fixture::new(marked);
    expect.assert_eq(&show(&fixture, &graph(&fixture, None)));
}

#[test]
fn bindings_are_made_of_parameters_and_of_each_other() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main$0(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32")):
    with R.dataflow():
        y = R.matmul(x, w)
        z = R.nn.softmax(y, axis=1)
        R.output(z)
    return z
"#,
        expect![[r#"
            5:10 x parameter: R.Tensor((n, 4), dtype="float32")
            5:44 w parameter: R.Tensor((4, 8), dtype="float32")
            [dataflow] 6:5
              7:9 y operator `matmul` (linalg) ← x x1 (n, 4) ← w x2 (4, 8): R.Tensor((n, 8), dtype="float32")
              8:9 z operator `nn.softmax` (nn) axis=1 ← y data (n, 8): R.Tensor((n, 8), dtype="float32")
            10:5 #4 result `return` ← z (n, 8): R.Tensor((n, 8), dtype="float32")
        "#]],
    );
}

#[test]
fn nested_calls_and_constants_are_unnamed_nodes() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main$0(x: R.Tensor((2, 4), "float32")):
    y = R.add(R.multiply(x, R.const(2.0, "float32")), metadata["relax.expr.Constant"][0])
    return R.nn.relu(R.reshape(y, R.shape([8])))
"#,
        expect![[r#"
            5:10 x parameter: R.Tensor((2, 4), dtype="float32")
            6:29 #1 constant `2.0`: R.Tensor((), dtype="float32")
            6:15 #2 operator `multiply` (binary) ← x x1 (2, 4) ← #1 x2 (): R.Tensor((2, 4), dtype="float32")
            6:55 #3 constant `constant`: ?
            6:5 y operator `add` (binary) ← #2 x1 (2, 4) ← #3 x2: ?
            7:22 #5 operator `reshape` (shape) shape=R.shape([8]) ← y x: ?
            7:12 #6 operator `nn.relu` (nn) ← #5 data: ?
            7:5 #7 result `return` ← #6: ?
        "#]],
    );
}

#[test]
fn tuples_are_made_and_taken_apart() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main$0(x: R.Tensor((2, 4), "float32")):
    parts = R.split(x, 2, axis=1)
    first = parts[0]
    pair = (first, x)
    both = R.concat((parts[0], parts[1]), axis=0)
    return first, pair, both
"#,
        expect![[r#"
            5:10 x parameter: R.Tensor((2, 4), dtype="float32")
            6:5 parts operator `split` (join) indices_or_sections=2 axis=1 ← x x (2, 4): R.Tuple(R.Tensor((2, 2), dtype="float32"), R.Tensor((2, 2), dtype="float32"))
            7:5 first tuple `[0]` ← parts: R.Tensor((2, 2), dtype="float32")
            8:5 pair tuple `tuple` ← first 0 (2, 2) ← x 1 (2, 4): R.Tuple(R.Tensor((2, 2), dtype="float32"), R.Tensor((2, 4), dtype="float32"))
            9:5 both operator `concat` (join) axis=0 ← parts tensors[0] (2, 2) ← parts tensors[1] (2, 2): R.Tensor((4, 2), dtype="float32")
            10:5 #5 result `return` ← first 0 (2, 2) ← pair 1 ← both 2 (4, 2): R.Tuple(R.Tensor((2, 2), dtype="float32"), R.Tuple(R.Tensor((2, 2), dtype="float32"), R.Tensor((2, 4), dtype="float32")), R.Tensor((4, 2), dtype="float32"))
        "#]],
    );
}

#[test]
fn operands_of_calls_have_parameter_names() {
    check(
        r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def helper(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return a

    @R.function
    def main$0(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        k = R.call_tir(cls.kernel, (x, y), out_sinfo=R.Tensor((4,), "float32"))
        h = cls.helper(k)
        p = R.call_packed("vm.host", h, x, sinfo_args=R.Tensor((4,), "float32"))
        return p
"#,
        expect![[r#"
            15:14 x parameter: R.Tensor((4,), dtype="float32")
            15:44 y parameter: R.Tensor((4,), dtype="float32")
            17:9 k call kernel `call_tir` (calls) ← x A (4,) ← y B (4,): R.Tensor((4,), dtype="float32")
            [call helper] 18:9
              18:9 h call helper ← k (4,): R.Tensor((4,), dtype="float32")
            19:9 p call vm.host `call_packed` (calls) ← h args[0] (4,) ← x args[1] (4,): R.Tensor((4,), dtype="float32")
            20:9 #5 result `return` ← p (4,): R.Tensor((4,), dtype="float32")
        "#]],
    );
}

#[test]
fn branches_are_groups_and_meet_in_one_value() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main$0(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    if c:
        a = R.exp(x)
        y = R.add(a, x)
    else:
        y = R.negative(x)
    z = R.abs(y)
    return z
"#,
        expect![[r#"
            5:10 c parameter: R.Tensor((), dtype="bool")
            5:35 x parameter: R.Tensor((4,), dtype="float32")
            [then] 7:9
              7:9 a operator `exp` (unary) ← x x (4,): R.Tensor((4,), dtype="float32")
              8:9 y operator `add` (binary) ← a x1 (4,) ← x x2 (4,): R.Tensor((4,), dtype="float32")
            [else] 10:9
              10:9 y operator `negative` (unary) ← x x (4,): R.Tensor((4,), dtype="float32")
            6:5 y branch `if` ← c condition () ← y then (4,) ← y else (4,): R.Tensor((4,), dtype="float32")
            11:5 z operator `abs` (unary) ← y x (4,): R.Tensor((4,), dtype="float32")
            12:5 #7 result `return` ← z (4,): R.Tensor((4,), dtype="float32")
        "#]],
    );
}

#[test]
fn a_function_inside_is_a_group_that_reads_what_is_around_it() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main$0(x: R.Tensor((4,), "float32")):
    @R.function
    def inner(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        b = R.add(a, x)
        return b
    y = inner(x)
    return y
"#,
        expect![[r#"
            5:10 x parameter: R.Tensor((4,), dtype="float32")
            7:9 inner function: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
            [function inner] 6:5
              7:15 a parameter: R.Tensor((4,), dtype="float32")
              8:9 b operator `add` (binary) ← a x1 (4,) ← x x2 (4,): R.Tensor((4,), dtype="float32")
              9:9 #4 result `return` ← b (4,): R.Tensor((4,), dtype="float32")
            10:5 y call inner ← inner function ← x 0 (4,): R.Tensor((4,), dtype="float32")
            11:5 #6 result `return` ← y (4,): R.Tensor((4,), dtype="float32")
        "#]],
    );
}

#[test]
fn casts_aliases_and_effects_are_nodes() {
    check(
        r#"
from tvm.script import relax as R, tir as T

@R.function(pure=False)
def main$0(x: R.Tensor(ndim=2, dtype="float32")):
    n = T.int64()
    y = R.match_cast(x, R.Tensor((n, 4), "float32"))
    z = y
    _ = R.print(z, format="{}")
    R.assert_op(R.const(True), z)
    return z
"#,
        expect![[r#"
            5:10 x parameter: R.Tensor(dtype="float32", ndim=2)
            7:5 y match_cast `match_cast` ← x ndim=2: R.Tensor((n, 4), dtype="float32")
            8:5 z value ← y (n, 4): R.Tensor((n, 4), dtype="float32")
            9:5 _ operator `print` (effects) format="{}" ← z values[0] (n, 4): R.Tuple
            10:17 #4 constant `True`: R.Tensor((), dtype="bool")
            10:5 #5 operator `assert_op` (effects) ← #4 condition () ← z format_args (n, 4): R.Tuple
            11:5 #6 result `return` ← z (n, 4): R.Tensor((n, 4), dtype="float32")
        "#]],
    );
}

#[test]
fn half_typed_code_keeps_its_known_nodes() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main$0(x: R.Tensor((4,), "float32")):
    y = R.add(x, 
    z = R.abs(missing)
    return
"#,
        expect![[r#"
            5:10 x parameter: R.Tensor((4,), dtype="float32")
            6:5 y operator `add` ← x 0 (4,): ?
            7:5 z operator `abs` (unary) x=missing: ?
        "#]],
    );
}

#[test]
fn the_focus_is_the_innermost_node_on_the_line() {
    let program = |line: &str| {
        let text = r#"
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.abs(R.exp(x))
    return y
"#;
        Fixture::new(&text.replacen(line, &format!("$0{line}"), 1))
    };
    let focus = |line: &str| {
        let graph = graph(&program(line), None);
        graph.focus.map(|at| graph.nodes[at].operation.clone())
    };
    assert_eq!(focus("    y =").as_deref(), Some("abs"));
    assert_eq!(focus("exp").as_deref(), Some("exp"));
    assert_eq!(focus("return").as_deref(), Some("return"));
    assert_eq!(focus("@R"), None);
}

#[test]
fn a_large_graph_is_limited_around_the_cursor() {
    let mut text = String::from(
        "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    v0 = R.abs(x)\n",
    );
    for at in 1..40 {
        let cursor = if at == 20 { "$0" } else { "" };
        let _ = writeln!(text, "    {cursor}v{at} = R.add(v{}, x)", at - 1);
    }
    text.push_str("    return v39\n");
    let fixture = Fixture::new(&text);
    let graph = graph(&fixture, Some(5));
    assert_eq!(graph.total, 42);
    assert_eq!(graph.nodes[graph.focus.unwrap()].name, "v20");
    expect![[r#"
        4:10 x parameter … 0 in, 36 out: R.Tensor((4,), dtype="float32")
        23:5 v18 operator `add` (binary) ← x x2 (4,) … 1 in, 0 out: R.Tensor((4,), dtype="float32")
        24:5 v19 operator `add` (binary) ← v18 x1 (4,) ← x x2 (4,): R.Tensor((4,), dtype="float32")
        25:5 v20 operator `add` (binary) ← v19 x1 (4,) ← x x2 (4,): R.Tensor((4,), dtype="float32")
        26:5 v21 operator `add` (binary) ← v20 x1 (4,) ← x x2 (4,) … 0 in, 1 out: R.Tensor((4,), dtype="float32")
    "#]].assert_eq(&show(&fixture, &graph));
}

#[test]
fn prim_funcs_and_plain_python_have_no_graph() {
    for program in [
        "from tvm.script import tir as T\n\n@T.prim_func\ndef main$0(A: T.Buffer((4,), \"float32\")):\n    T.evaluate(0)\n",
        "x = 1$0\n",
    ] {
        let fixture = Fixture::new(program);
        let position = fixture.position();
        let found = fixture
            .analysis
            .graph(position, position.offset, GraphLimit::NONE);
        assert_eq!(found.unwrap(), None);
    }
}

#[test]
fn dot_nests_groups_and_escapes() {
    let fixture = Fixture::new(
        r#"
from tvm.script import relax as R

@R.function
def main$0(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    if c:
        y = R.exp(x)
    else:
        y = R.call_packed("host.\"f\"", x, sinfo_args=R.Tensor((4,), "float32"))
    return y
"#,
    );
    expect![[r#"
        digraph "main" {
          node [shape=box, style=rounded];
          n0 [label="c\nR.Tensor((), dtype=\"bool\")", shape=ellipse, style=solid];
          n1 [label="x\nR.Tensor((4,), dtype=\"float32\")", shape=ellipse, style=solid];
          n4 [label="y = if\nR.Tensor((4,), dtype=\"float32\")", shape=diamond, style=solid];
          n5 [label="return\nR.Tensor((4,), dtype=\"float32\")", shape=ellipse, style=solid];
          subgraph cluster0 {
            label="then";
            n2 [label="y = exp\nR.Tensor((4,), dtype=\"float32\")"];
          }
          subgraph cluster1 {
            label="else";
            n3 [label="y = call_packed host.\"f\"\nR.Tensor((4,), dtype=\"float32\")"];
          }
          n1 -> n2 [label="x (4,)"];
          n1 -> n3 [label="args[0] (4,)"];
          n0 -> n4 [label="condition ()"];
          n2 -> n4 [label="then (4,)"];
          n3 -> n4 [label="else (4,)"];
          n4 -> n5 [label="(4,)"];
        }
    "#]]
    .assert_eq(graph(&fixture, None).to_dot().as_str());
}

#[test]
fn weights_name_modules_and_identical_layers_are_marked() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main$0(x: R.Tensor((2, 4), "float32"), layers_0_fc_weight: R.Tensor((4, 4), "float32"), layers_0_norm_weight: R.Tensor((4,), "float32"), layers_1_fc_weight: R.Tensor((4, 4), "float32"), layers_1_norm_weight: R.Tensor((4,), "float32"), head_weight: R.Tensor((4, 8), "float32")):
    with R.dataflow():
        t = R.permute_dims(layers_0_fc_weight)
        y = R.matmul(x, t)
        a = R.nn.relu(y)
        n = R.nn.rms_norm(a, layers_0_norm_weight, axes=-1)
        r = R.add(x, n)
        t1 = R.permute_dims(layers_1_fc_weight)
        y1 = R.matmul(r, t1)
        a1 = R.nn.relu(y1)
        n1 = R.nn.rms_norm(a1, layers_1_norm_weight, axes=-1)
        r1 = R.add(r, n1)
        gv = R.matmul(r1, head_weight)
        R.output(gv)
    return gv
"#,
        expect![[r#"
            5:10 x parameter: R.Tensor((2, 4), dtype="float32")
            [dataflow] 6:5
              [module layers] 7:9
                [module layers.0] 7:9
                  5:42 layers_0_fc_weight parameter: R.Tensor((4, 4), dtype="float32")
                  5:91 layers_0_norm_weight parameter: R.Tensor((4,), dtype="float32")
                [module layers.1 like layers.0] 12:9
                  5:140 layers_1_fc_weight parameter: R.Tensor((4, 4), dtype="float32")
                  5:189 layers_1_norm_weight parameter: R.Tensor((4,), dtype="float32")
              5:238 head_weight parameter: R.Tensor((4, 8), dtype="float32")
              [module layers] 7:9
                [module layers.0] 7:9
                  7:9 t operator `permute_dims` (shape) ← layers_0_fc_weight x (4, 4): R.Tensor((4, 4), dtype="float32")
                  8:9 y operator `matmul` (linalg) ← x x1 (2, 4) ← t x2 (4, 4): R.Tensor((2, 4), dtype="float32")
                  9:9 a operator `nn.relu` (nn) ← y data (2, 4): R.Tensor((2, 4), dtype="float32")
                  10:9 n operator `nn.rms_norm` (nn_norm) axes=-1 ← a data (2, 4) ← layers_0_norm_weight weight (4,): R.Tensor((2, 4), dtype="float32")
                  11:9 r operator `add` (binary) ← x x1 (2, 4) ← n x2 (2, 4): R.Tensor((2, 4), dtype="float32")
                [module layers.1 like layers.0] 12:9
                  12:9 t1 operator `permute_dims` (shape) ← layers_1_fc_weight x (4, 4): R.Tensor((4, 4), dtype="float32")
                  13:9 y1 operator `matmul` (linalg) ← r x1 (2, 4) ← t1 x2 (4, 4): R.Tensor((2, 4), dtype="float32")
                  14:9 a1 operator `nn.relu` (nn) ← y1 data (2, 4): R.Tensor((2, 4), dtype="float32")
                  15:9 n1 operator `nn.rms_norm` (nn_norm) axes=-1 ← a1 data (2, 4) ← layers_1_norm_weight weight (4,): R.Tensor((2, 4), dtype="float32")
                  16:9 r1 operator `add` (binary) ← r x1 (2, 4) ← n1 x2 (2, 4): R.Tensor((2, 4), dtype="float32")
              17:9 gv operator `matmul` (linalg) ← r1 x1 (2, 4) ← head_weight x2 (4, 8): R.Tensor((2, 8), dtype="float32")
            19:5 #17 result `return` ← gv (2, 8): R.Tensor((2, 8), dtype="float32")
        "#]],
    );
}

#[test]
fn a_call_is_a_box_with_the_graph_of_its_function() {
    check(
        r#"
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def fused(a: R.Tensor((4,), "float32"), b: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"Composite": "dnnl.add_relu"})
        with R.dataflow():
            s = R.add(a, b)
            gv = R.nn.relu(s)
            R.output(gv)
        return gv

    @R.function
    def main$0(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.exp(x)
        z = cls.fused(x, y)
        return z
"#,
        expect![[r#"
            17:14 x parameter: R.Tensor((4,), dtype="float32")
            19:9 y operator `exp` (unary) ← x x (4,): R.Tensor((4,), dtype="float32")
            [call fused: dnnl.add_relu] 20:9
              [dataflow] 10:9
                11:13 s operator `add` (binary) ← x x1 (4,) ← y x2 (4,): R.Tensor((4,), dtype="float32")
                12:13 gv operator `nn.relu` (nn) ← s data (4,): R.Tensor((4,), dtype="float32")
              20:9 z call fused ← gv (4,): R.Tensor((4,), dtype="float32")
            21:9 #5 result `return` ← z (4,): R.Tensor((4,), dtype="float32")
        "#]],
    );
}

#[test]
fn a_recursive_call_has_no_box() {
    let fixture = Fixture::new(
        r#"
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main$0(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y: R.Tensor((4,), "float32") = Module.other(x)
        return y

    @R.function
    def other(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y: R.Tensor((4,), "float32") = Module.main(x)
        return y
"#,
    );
    let graph = graph(&fixture, None);
    let labels: Vec<&str> = graph.groups.iter().map(|it| it.label.as_str()).collect();
    assert_eq!(labels, ["other"]);
}
