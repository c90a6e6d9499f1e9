//! Completions, fixture by fixture: what is offered, in order, and what the first of them makes of the text.

use expect_test::{Expect, expect};

use super::Completion;
use crate::fixture::Fixture;

fn sorted(mut items: Vec<Completion>) -> Vec<Completion> {
    items.sort_by(|a, b| (a.rank, a.order, &a.label).cmp(&(b.rank, b.order, &b.label)));
    items
}

fn ask(fixture: &str) -> (Fixture, Vec<Completion>) {
    let fixture = Fixture::new(fixture);
    let found = fixture
        .analysis
        .completions(fixture.position(), None)
        .unwrap();
    let items = found.map_or_else(Vec::new, |found| sorted(found.items));
    (fixture, items)
}

/// The first items, each with its detail.
fn check(fixture: &str, expect: Expect) {
    let (_, items) = ask(fixture);
    let shown: Vec<String> = items
        .iter()
        .take(8)
        .map(|item| match &item.detail {
            Some(detail) => format!("{}  {detail}\n", item.label),
            None => format!("{}\n", item.label),
        })
        .collect();
    expect.assert_eq(&shown.concat());
}

fn labels(fixture: &str) -> Vec<String> {
    ask(fixture)
        .1
        .iter()
        .map(|item| item.label.to_string())
        .collect()
}

/// The line of the cursor after the item `label` is taken.
fn check_taken(fixture: &str, label: &str, expect: Expect) {
    let fixture = Fixture::new(fixture);
    let found = fixture
        .analysis
        .completions(fixture.position(), None)
        .unwrap();
    let found = found.expect("something is offered");
    let item = found.items.iter().find(|item| item.label == label);
    let item = item.unwrap_or_else(|| panic!("{label} is offered"));
    let mut text = fixture.text.to_string();
    let range = std::ops::Range::<usize>::from(found.replace);
    text.replace_range(range.clone(), &item.text);
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = range.start + item.text.len();
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    expect.assert_eq(&text[start..end]);
}

fn relax(body: &str) -> String {
    format!(
        r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((T.int64(4), T.int64(8)), "float32"), B: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        T.evaluate(0)

    @R.function
    def helper(s: R.Shape(["n"]), x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        return x

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32"), s: R.Shape(["n"])):
        cls = Module
        with R.dataflow():
            inner = R.add(x, x)
            outer = R.nn.relu(inner)
            R.output(outer)
{body}
        return outer
"#
    )
}

#[test]
fn after_the_namespace_come_operators_of_the_dialect() {
    let items = labels(&relax("        y = R.mat$0"));
    assert!(items.contains(&"matmul".to_owned()));
    assert!(items.contains(&"nn".to_owned()));
    assert!(!items.contains(&"match_shape".to_owned()), "the RFC's");
    assert!(!items.contains(&"function".to_owned()), "a decorator");
}

#[test]
fn after_a_nested_namespace_come_its_operators() {
    check(
        &relax("        y = R.image.$0"),
        expect![[r#"
            resize2d  data: (n, c, h, w) · size: (h', w') → (n, c, h', w')
        "#]],
    );
}

#[test]
fn an_operator_is_taken_with_its_brackets() {
    check_taken(
        &relax("        y = R.nn.so$0"),
        "softmax",
        expect!["        y = R.nn.softmax($0)"],
    );
    check_taken(
        &relax("        y = R.nn.so$0(x)"),
        "softmax",
        expect!["        y = R.nn.softmax(x)"],
    );
}

#[test]
fn variables_that_fit_the_operator_come_first() {
    check(
        &relax("        y = R.matmul(x, $0"),
        expect![[r#"
            w  R.Tensor((4, 8), dtype="float32")
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            out_dtype=  The dtype of the result; that of the operands if absent. By default None.
            x2=  The right operand.
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
        "#]],
    );
    check(
        &relax("        y = R.broadcast_to(x, $0)"),
        expect![[r#"
            shape=  The target shape.
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
            n  shape variable
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            w  R.Tensor((4, 8), dtype="float32")
        "#]],
    );
}

#[test]
fn variables_that_fit_the_parameter_of_a_function_come_first() {
    check(
        &relax("        y = cls.helper($0)"),
        expect![[r#"
            s  R.Shape([n])
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
            n  shape variable
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            w  R.Tensor((4, 8), dtype="float32")
        "#]],
    );
    check(
        &relax("        y = cls.helper(s, $0)"),
        expect![[r#"
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
            n  shape variable
            w  R.Tensor((4, 8), dtype="float32")
            s  R.Shape([n])
        "#]],
    );
}

#[test]
fn a_dataflow_variable_is_offered_in_its_block_only() {
    assert!(!labels(&relax("        y = R.exp($0)")).contains(&"inner".to_owned()));
    let inside = relax("        pass").replace("R.nn.relu(inner)", "R.nn.relu($0)");
    assert!(labels(&inside).contains(&"inner".to_owned()));
}

#[test]
fn what_is_bound_later_is_not_offered() {
    let items = labels(&relax("        y = R.exp($0)\n        later = R.exp(x)"));
    assert!(!items.contains(&"later".to_owned()));
}

#[test]
fn keyword_arguments_are_those_not_given_yet() {
    let items = labels(&relax("        y = R.sum(x, axis=1, $0)"));
    assert!(items.contains(&"keepdims=".to_owned()));
    assert!(!items.contains(&"axis=".to_owned()));
    let items = labels(&relax("        y = R.sum(x, $0, keepdims=True)"));
    assert!(!items.contains(&"keepdims=".to_owned()));
}

#[test]
fn functions_of_the_module_come_after_its_name() {
    check(
        &relax("        y = cls.$0"),
        expect![[r#"
            helper  (Shape((n,)), Tensor((n, 4), float32)) -> R.Tensor((n, 4), dtype="float32")
            double  (Tensor((4, 8), float32), Tensor((4, 8), float32))
        "#]],
    );
    check(
        &relax("        y = R.call_tir(Module.$0"),
        expect![[r#"
            double  (Tensor((4, 8), float32), Tensor((4, 8), float32))
            helper  (Shape((n,)), Tensor((n, 4), float32)) -> R.Tensor((n, 4), dtype="float32")
        "#]],
    );
}

#[test]
fn the_output_of_a_call_tir_is_computed_from_its_inputs() {
    check(
        &relax("        y = R.call_tir(cls.double, (w,), $0"),
        expect![[r#"
            R.Tensor((4, 8), dtype="float32")  what the PrimFunc computes
            R.Callable  (params=None, ret=None, purity=None, derive_func=None)
            R.Object
            R.Prim  (dtype=None, value=None)
            R.Shape  (values=None, ndim=-1)
            R.Tensor  (shape=None, dtype=None, vdevice=None, ndim=-1)
            R.Tuple  (*fields)
            R.dist.DTensor  (shape=None, dtype="", device_mesh=None, placement="", ndim=-1)
        "#]],
    );
    check_taken(
        &relax("        y = R.call_tir(cls.double, (w,), out_sinfo=$0)"),
        "R.Tensor((4, 8), dtype=\"float32\")",
        expect![[
            r#"        y = R.call_tir(cls.double, (w,), out_sinfo=R.Tensor((4, 8), dtype="float32"))"#
        ]],
    );
}

#[test]
fn a_whole_call_tir_is_offered_for_a_prim_func() {
    check_taken(
        &relax("        y = do$0"),
        "call_tir double",
        expect![[
            r#"        y = R.call_tir(cls.double, (w,), out_sinfo=R.Tensor((4, 8), dtype="float32"))"#
        ]],
    );
}

#[test]
fn inputs_of_a_prim_func_rank_by_its_buffers() {
    check(
        &relax("        y = R.call_tir(cls.double, ($0"),
        expect![[r#"
            w  R.Tensor((4, 8), dtype="float32")
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
            n  shape variable
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            s  R.Shape([n])
        "#]],
    );
}

#[test]
fn dtypes_are_completed_in_strings_that_are_not_closed() {
    check(
        &relax("        y = R.astype(x, \"flo$0"),
        expect![[r#"
            float32
            float16
            int64
            int32
            bool
            uint8
            int8
            bfloat16
        "#]],
    );
    check_taken(
        &relax("        y = R.astype(x, \"flo$0at3\")"),
        "float16",
        expect![[r#"        y = R.astype(x, "float16")"#]],
    );
}

#[test]
fn a_dtype_without_quotes_gets_them() {
    check_taken(
        &relax("        y = R.astype(x, $0)"),
        "\"float16\"",
        expect![[r#"        y = R.astype(x, "float16")"#]],
    );
}

#[test]
fn shape_variables_are_offered_in_shapes() {
    check(
        &relax("        y = R.reshape(x, ($0"),
        expect![[r#"
            n  shape variable
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            w  R.Tensor((4, 8), dtype="float32")
            s  R.Shape([n])
        "#]],
    );
    check(
        r#"
from tvm.script import relax as R

@R.function
def main(x: R.Tensor(("batch", 4), "float32"), y: R.Tensor(("$0", 4), "float32")):
    return x
"#,
        expect![[r#"
            batch  shape variable
        "#]],
    );
}

#[test]
fn annotations_are_offered_where_struct_info_is_written() {
    check(
        r#"
from tvm.script import relax as R

@R.function
def main(x: $0):
    return x
"#,
        expect![[r#"
            R.Any
            R.Callable  (params=None, ret=None, purity=None, derive_func=None)
            R.Prim  (dtype)
            R.Shape  (values=None, ndim=-1)
            R.Tensor  (shape=None, dtype=None, vdevice=None, ndim=-1)
            R.Tuple  (*fields)
            R.dist.DTensor  (shape=None, dtype="", device_mesh=None, placement="", ndim=-1)
            R  operators and StructInfo
        "#]],
    );
    check(
        &relax("        y: R.$0"),
        expect![[r#"
            Callable  (params=None, ret=None, purity=None, derive_func=None)
            Object
            Prim  (dtype=None, value=None)
            Shape  (values=None, ndim=-1)
            Tensor  (shape=None, dtype=None, vdevice=None, ndim=-1)
            Tuple  (*fields)
            dist
        "#]],
    );
}

#[test]
fn each_dialect_has_its_own_names() {
    let rfc = r#"
from tvm.script import relax as R

@R.function
def main(x: R.Tensor[(n,), "float32"]):
    with R.dataflow():
        y = R.match_shape(x, (n,))
        R.$0
"#;
    assert!(labels(rfc).contains(&"outputs".to_owned()));
    assert!(!labels(rfc).contains(&"output".to_owned()));
    let type_dialect = r#"
from tvm.script import relax as R, tirx as T

@R.function
def main(x: R.$0
"#;
    assert!(labels(type_dialect).contains(&"Any".to_owned()));
    assert!(!labels(type_dialect).contains(&"Object".to_owned()));
}

#[test]
fn decorators_are_offered_after_an_at() {
    let head = "from tvm.script import ir as I, relax as R, tir as T\n";
    check(
        &format!("{head}\n@$0\n"),
        expect![[r#"
            I.ir_module  A module of functions.
            R.function  A function of the graph.
            R.macro  A function that is spliced in where it is called.
            R.rewriter  A module of a `pattern` and a `replacement`, as a rewriting rule.
            T.macro  A function that is spliced in where it is called.
            T.prim_func  A function of loops over buffers.
        "#]],
    );
    check(
        &format!("{head}\n@R.$0\ndef main():\n    pass\n"),
        expect![[r#"
            function  A function of the graph.
            macro  A function that is spliced in where it is called.
            rewriter  A module of a `pattern` and a `replacement`, as a rewriting rule.
        "#]],
    );
}

#[test]
fn keys_of_attributes_are_offered() {
    check(
        &relax("        R.func_attr({\"$0"),
        expect![[r#"
            global_symbol  The name under which the function is exported.
            num_input  How many of the first parameters are inputs; the others are weights, which may be bound ahead.
            relax.force_pure  Impure calls in the function have no effect that is seen outside of it.
            Primitive  The function is to become one kernel.
            Composite  The name of the pattern that the function matched.
            Codegen  The code generator that compiles the function.
            PartitionedFromPattern  The operators that the function was made of.
            WorkspaceSize  The bytes of workspace that the function needs.
        "#]],
    );
}

#[test]
fn pieces_are_offered_where_a_statement_begins() {
    check(
        &relax("        $0"),
        expect![[r#"
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            call_tir  Calls a PrimFunc of the module.
            dataflow block  A block of pure bindings without control flow.
            func_attr  Attributes of the function.
            if else  One of two values; both branches bind the same variable.
            match_cast  Binds shape variables to the shape that a value has at run time.
            return  What the function gives back; its last statement.
        "#]],
    );
}

#[test]
fn a_tensor_has_members() {
    check(
        &relax("        y = x.$0"),
        expect![[r#"
            astype  (dtype)
            dtype  float32
            ndim  int32
            shape  2 dimensions
            struct_info  what is known of it
        "#]],
    );
}

fn prim(body: &str) -> String {
    format!(
        r#"
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def double(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    for i, j in T.grid(4, 8):
        with T.sblock("B"):
            vi, vj = T.axis.remap("SS", [i, j])
{body}
"#
    )
}

#[test]
fn a_prim_func_offers_buffers_loops_and_axes() {
    check(
        &prim("            B[vi, vj] = $0"),
        expect![[r#"
            vj  axis int32
            vi  axis int32
            A  buffer float32
            B  buffer float32
            i  loop variable int32
            j  loop variable int32
            T  PrimFuncs and shape expressions
        "#]],
    );
}

#[test]
fn intrinsics_come_after_t() {
    let items = labels(&prim("            B[vi, vj] = T.$0"));
    for name in ["if_then_else", "exp", "float32", "max"] {
        assert!(items.contains(&name.to_owned()), "{name}");
    }
    for name in ["prim_func", "block", "grid"] {
        assert!(!items.contains(&name.to_owned()), "{name}");
    }
    check(
        &prim("            v = T.axis.$0"),
        expect![[r#"
            R  (dom, binding, dtype="int32")
            S  (dom, binding, dtype="int32")
            opaque  (dom, binding, dtype="int32")
            reduce  (dom, binding, dtype="int32")
            remap  (kinds, bindings, dtype="int32")
            scan  (dom, binding, dtype="int32")
            spatial  (dom, binding, dtype="int32")
        "#]],
    );
    check(
        &prim("    for k in T.$0"),
        expect![[r#"
            grid  (*extents, dtype=None)
            parallel  (start, stop=None, *, annotations=None, step=None, dtype=None)
            serial  (start, stop=None, *, annotations=None, step=None, unroll=None, dtype=None)
            thread_binding  (start, stop=None, thread=None, *, annotations=None)
            unroll  (start, stop=None, *, annotations=None, step=None, dtype=None)
            vectorized  (start, stop=None, *, annotations=None, step=None, dtype=None)
        "#]],
    );
    check(
        &prim("    with T.$0"),
        expect![[r#"
            init  ()
            launch_thread  (thread, extent)
            sblock  (name="", no_realize=False, exec_scope="")
        "#]],
    );
}

#[test]
fn indices_of_a_buffer_are_axes_first() {
    check(
        &prim("            B[$0"),
        expect![[r#"
            vj  axis int32
            vi  axis int32
            i  loop variable int32
            j  loop variable int32
            A  buffer float32
            B  buffer float32
            T  PrimFuncs and shape expressions
        "#]],
    );
}

fn symbolic(dialect: &str, keyword: &str) -> String {
    format!(
        r#"
from tvm.script import ir as I, relax as R, {dialect} as T

@I.ir_module
class Module:
    @T.prim_func
    def twice(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(4)), "float32")
        B = T.match_buffer(b, (n * T.int64(2), T.int64(4)), "float16")
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor(("m", 4), "float32"), y: R.Tensor((8,), "int32")):
        cls = Module
        z = R.call_tir(cls.twice, (x,), {keyword}=$0)
        return z
"#
    )
}

#[test]
fn a_computed_output_is_in_the_variables_of_the_caller() {
    let label = "R.Tensor((m * 2, 4), dtype=\"float16\")";
    check_taken(
        &symbolic("tir", "out_sinfo"),
        label,
        expect![[
            r#"        z = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((m * 2, 4), dtype="float16"))"#
        ]],
    );
    check_taken(
        &symbolic("tirx", "out_ty"),
        label,
        expect![[
            r#"        z = R.call_tir(cls.twice, (x,), out_ty=R.Tensor((m * 2, 4), dtype="float16"))"#
        ]],
    );
}

#[test]
fn the_rfc_calls_functions_without_the_module_and_gives_a_shape() {
    let program = r#"
from tvm.script import relax as R, tir as T
import tvm

@tvm.script.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor[(4,), "float32"], w: R.Tensor[(n, 8), "float32"]):
        with R.dataflow():
            a = R.match_shape(x, (n,))
            y = LINE
            R.outputs(y)
        return y
"#;
    check_taken(
        &program.replace("LINE", "dou$0"),
        "call_tir double",
        expect![[r#"            y = R.call_tir(double, (x,), (4,), dtype="float32")"#]],
    );
    check_taken(
        &program.replace("LINE", "R.call_tir(dou$0"),
        "double",
        expect!["            y = R.call_tir(double"],
    );
}

#[test]
fn plain_python_gets_nothing() {
    let python =
        "import tvm\nfrom tvm.script import relax as R\n\ndef build(target):\n    mod = tvm.$0\n";
    assert_eq!(labels(python), Vec::<String>::new());
    let python = "from tvm.script import relax as R\n\ndef build(target):\n    x = ta$0\n";
    assert_eq!(labels(python), Vec::<String>::new());
}

#[test]
fn comments_numbers_and_new_names_get_nothing() {
    for line in [
        "        # R.$0",
        "        y = R.const(1$0)",
        "        y = \"R.$0\"",
        "        def inner($0",
        "        y = R.add(x $0",
    ] {
        assert_eq!(labels(&relax(line)), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn every_place_of_a_program_can_be_asked() {
    let program =
        relax("        y = R.call_tir(cls.double, (w,), out_sinfo=R.Tensor((4, 8), \"float32\"))");
    for at in 0..=program.len() {
        // Typed as far as the cursor, and with the rest behind it.
        for text in [
            format!("{}$0", &program[..at]),
            format!("{}$0{}", &program[..at], &program[at..]),
        ] {
            ask(&text);
        }
    }
}

#[test]
fn what_is_proven_to_fit_comes_before_what_may_fit() {
    check(
        &relax("        y = R.add(x, $0)"),
        expect![[r#"
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            n  shape variable
            x2=  The right operand: a tensor or a scalar.
            s  R.Shape([n])
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
        "#]],
    );
    check(
        &relax("        y = R.matmul(x, $0)"),
        expect![[r#"
            w  R.Tensor((4, 8), dtype="float32")
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
            out_dtype=  The dtype of the result; that of the operands if absent. By default None.
            x2=  The right operand.
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
        "#]],
    );
}

#[test]
fn truth_values_and_strings_are_offered_where_they_are_taken() {
    check(
        &relax("        y = R.sum(x, axis=[0], keepdims=$0)"),
        expect![[r#"
            True
            False
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
            n  shape variable
            outer  R.Tensor((n, 4), dtype="float32")
            x  R.Tensor((n, 4), dtype="float32")
        "#]],
    );
    check(
        &relax("        y = R.nn.conv2d(x, w, data_layout=$0)"),
        expect![[r#"
            "NCHW"
            "NHWC"
            "NCW"
            "NWC"
            "NCDHW"
            "NDHWC"
            "NCHW16c"
            R  operators and StructInfo
        "#]],
    );
}

#[test]
fn a_dataflow_block_gives_out_what_it_binds() {
    let program = relax("        pass").replace("R.output(outer)", "R.output(inner, $0)");
    check(
        &program,
        expect![[r#"
            outer  R.Tensor((n, 4), dtype="float32")
        "#]],
    );
    let program = relax("        pass").replace("R.output(outer)", "R.output($0");
    check(
        &program,
        expect![[r#"
            outer  R.Tensor((n, 4), dtype="float32")
            inner  R.Tensor((n, 4), dtype="float32")
        "#]],
    );
}

#[test]
fn prim_funcs_are_offered_whole_where_one_is_called() {
    check(
        &relax("        y = R.call_tir($0"),
        expect![[r#"
            cls.double  (Tensor((4, 8), float32), Tensor((4, 8), float32))
            cls  the functions of the module
            args=  The inputs, as a tuple or a list.
            out_sinfo=  The Tensor of the result, or a list of them.
            tir_vars=  Integers that the PrimFunc takes after the outputs. By default None.
            gvar=  A PrimFunc of the module.
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
        "#]],
    );
    check(
        &relax("        y = R.call_tir(dou$0"),
        expect![[r#"
            cls.double  (Tensor((4, 8), float32), Tensor((4, 8), float32))
            cls  the functions of the module
            args=  The inputs, as a tuple or a list.
            out_sinfo=  The Tensor of the result, or a list of them.
            tir_vars=  Integers that the PrimFunc takes after the outputs. By default None.
            gvar=  A PrimFunc of the module.
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
        "#]],
    );
}

#[test]
fn struct_info_comes_last_where_a_value_is_written() {
    let items = labels(&relax("        y = R.$0"));
    let at = |name: &str| items.iter().position(|it| it == name).unwrap();
    assert!(at("abs") < at("Tensor") && at("zeros") < at("Callable"));
    let items = labels(&relax("        y = R.match_cast(x, R.$0"));
    let at = |name: &str| items.iter().position(|it| it == name).unwrap();
    assert!(at("Tensor") < at("abs"));
}

#[test]
fn no_name_is_offered_twice() {
    for line in [
        "y = R.call_tir(cls.double, (x,), out_sinfo=$0",
        "y: $0",
        "y = $0",
        "y = R.add($0",
    ] {
        let items = labels(&relax(&format!("        {line}")));
        let mut once = items.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), items.len(), "{line}: {items:?}");
    }
}

#[test]
fn only_a_dataflow_block_is_entered() {
    assert_eq!(labels(&relax("        with R.$0")), ["dataflow"]);
}

/// The text after the item `label` is taken, with what is imported for it.
fn check_imported(fixture: &str, label: &str, expect: Expect) {
    let fixture = Fixture::new(fixture);
    let found = fixture.analysis.completions(fixture.position(), None);
    let found = found.unwrap().expect("something is offered");
    let item = found.items.iter().find(|item| item.label == label);
    let item = item.unwrap_or_else(|| panic!("{label} is offered"));
    let edit = crate::SourceEdit::replace(found.replace, item.text.clone());
    let import = item.import.clone().unwrap_or_default();
    let both = edit.and_all_if_apart(import.clone());
    assert_eq!(both.replacements().len(), 1 + import.replacements().len());
    expect.assert_eq(&both.apply(&fixture.text));
}

#[test]
fn a_namespace_that_is_not_bound_is_imported() {
    check_imported(
        "import numpy as np\n\n\n@R.f$0\n",
        "function",
        expect![[r#"
            import numpy as np
            from tvm.script import relax as R


            @R.function
        "#]],
    );
    check_imported(
        "from tvm.script import ir as I\n\n@$0\n",
        "T.prim_func",
        expect![[r#"
            from tvm.script import ir as I, tirx as T

            @T.prim_func
        "#]],
    );
    check_imported(
        "\"\"\"Text.\"\"\"\n\n@T.prim_func\ndef f(A: T.Buf$0",
        "Buffer",
        expect![[r#"
                        """Text."""

                        from tvm.script import tirx as T

                        @T.prim_func
                        def f(A: T.Buffer($0)"#]],
    );
    check_imported(
        "# Licence.\n\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n    y = R.ex$0\n    return y\n",
        "exp",
        expect![[r##"
                        # Licence.

                        from tvm.script import relax as R

                        @R.function
                        def f(x: R.Tensor((4,), "float32")):
                            y = R.exp($0)
                            return y
                    "##]],
    );
}

#[test]
fn a_namespace_that_is_bound_or_printed_as_a_comment_is_not_imported() {
    for head in [
        "from tvm.script import relax as R\n",
        "# from tvm.script import relax as R\n",
        "from all import *\n",
    ] {
        let (_, items) = ask(&format!(
            "{head}\n@R.function\ndef f(x: R.Object):\n    y = R.ex$0\n    return y\n"
        ));
        assert!(
            !items.is_empty() && items.iter().all(|it| it.import.is_none()),
            "{head}"
        );
    }
}

#[test]
fn an_import_of_tvmscript_is_completed() {
    assert_eq!(
        labels("from tvm.script import $0"),
        ["ir as I", "relax as R", "tirx as T"]
    );
    assert_eq!(
        labels("from tvm.script import ir as I, $0"),
        ["relax as R", "tirx as T"]
    );
    assert_eq!(labels("from tvm.script import ir as $0"), [] as [&str; 0]);
    assert_eq!(labels("from tvm import $0"), [] as [&str; 0]);
}

#[test]
fn a_condition_is_a_truth_value() {
    let program =
        relax("        if $0").replace("s: R.Shape", "c: R.Tensor((), \"bool\"), s: R.Shape");
    assert_eq!(labels(&program)[0], "c");
}

#[test]
fn axes_are_those_of_the_operand() {
    check(
        &relax("        y = R.sum(x, axis=$0)"),
        expect![[r#"
                        0  the dimension `n`
                        1  the dimension `4`
                        -1  the dimension `4`
                        n  shape variable
                        R  operators and StructInfo
                        T  PrimFuncs and shape expressions
                        cls  the functions of the module
                        outer  R.Tensor((n, 4), dtype="float32")
        "#]],
    );
    check(
        &relax("        y = R.permute_dims(w, axes=[$0"),
        expect![[r#"
            0  the dimension `4`
            1  the dimension `8`
            -1  the dimension `8`
            n  shape variable
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
            cls  the functions of the module
            outer  R.Tensor((n, 4), dtype="float32")
        "#]],
    );
}

#[test]
fn a_cast_begins_with_what_the_value_is() {
    assert_eq!(
        labels(&relax("        y = R.match_cast(outer, $0"))[0],
        "R.Tensor((n, 4), dtype=\"float32\")"
    );
}

#[test]
fn a_loop_runs_over_what_makes_loops() {
    check(
        &prim("            for i in $0"),
        expect![[r#"
            T.grid  (*extents, dtype=None)
            T.parallel  (start, stop=None, *, annotations=None, step=None, dtype=None)
            T.serial  (start, stop=None, *, annotations=None, step=None, unroll=None, dtype=None)
            T.thread_binding  (start, stop=None, thread=None, *, annotations=None)
            T.unroll  (start, stop=None, *, annotations=None, step=None, dtype=None)
            T.vectorized  (start, stop=None, *, annotations=None, step=None, dtype=None)
            range  (start, stop=None)
            T  PrimFuncs and shape expressions
        "#]],
    );
}

#[test]
fn an_element_of_a_buffer_is_no_buffer() {
    let first = |line: &str| labels(&prim(line))[0].clone();
    assert_ne!(first("            B[vi, vj] = T.$0"), "alloc_buffer");
    assert_eq!(first("            C = T.$0"), "alloc_buffer");
}

#[test]
fn the_method_of_a_tensor_takes_a_dtype() {
    assert_eq!(labels(&relax("        y = x.astype(\"$0"))[0], "float32");
    assert_eq!(labels(&relax("        y = x.astype($0"))[0], "\"float32\"");
}

#[test]
fn what_is_entered_comes_after_with() {
    check(
        &relax("        with $0"),
        expect![[r#"
        R.dataflow
        R  operators and StructInfo
        T  PrimFuncs and shape expressions
    "#]],
    );
    check(
        &prim("            with $0"),
        expect![[r#"
        T.init
        T.launch_thread
        T.sblock
        T  PrimFuncs and shape expressions
    "#]],
    );
}

#[test]
fn parameters_of_a_prim_func_take_loops_or_buffers() {
    let first = |body: &str, count: usize| {
        let mut found = labels(&prim(body));
        found.truncate(count);
        found
    };
    let axes = "            vk = T.axis.spatial(4, $0";
    assert_eq!(first(axes, 2), ["i", "j"]);
    let remapped = "            vk = T.axis.remap(\"S\", [$0";
    assert_eq!(first(remapped, 2), ["i", "j"]);
    assert_eq!(first("            T.reads($0", 2), ["A", "B"]);
    assert_eq!(first("            T.reads(A[$0", 2), ["vj", "vi"]);
}

#[test]
fn buffers_and_numbers_of_a_prim_func_have_members() {
    check(
        &prim("            B[vi, vj] = A.$0"),
        expect![[r#"
        shape  its dimensions
        dtype  the dtype of its elements
        data  the pointer to its memory
        strides  elements between neighbours of each dimension
        elem_offset  elements before its first
        scope  where its memory is
        access_ptr  a pointer for calls
        vload  loads a vector
    "#]],
    );
    check(
        &prim("            B[vi, vj] = vi.$0"),
        expect![[r#"
        astype  the same as another dtype
        dtype  its dtype
    "#]],
    );
    check(
        &prim("            B[vi, vj] = i.as$0"),
        expect![[r#"
        astype  the same as another dtype
        dtype  its dtype
    "#]],
    );
}

#[test]
fn struct_info_has_members() {
    check(
        &relax("        y = x.struct_info.$0"),
        expect![[r#"
        dtype
        ndim
        shape
        vdevice
    "#]],
    );
    check(
        &relax("        y = (R.exp(x)).$0"),
        expect![[r#"
        astype  (dtype)
        dtype  float32
        ndim  int32
        shape  2 dimensions
        struct_info  what is known of it
    "#]],
    );
}

#[test]
fn what_is_returned_fits_the_annotation() {
    let program = |ret: &str| {
        format!(
            r#"
from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "int32")){ret}:
    n = T.int64()
    return $0
"#
        )
    };
    check(
        &program(" -> R.Tensor((\"n\",), \"int32\")"),
        expect![[r#"
        y  R.Tensor((n,), dtype="int32")
        R  operators and StructInfo
        T  PrimFuncs and shape expressions
        n  shape variable
        x  R.Tensor((n,), dtype="float32")
    "#]],
    );
    check(
        &program(""),
        expect![[r#"
        x  R.Tensor((n,), dtype="float32")
        y  R.Tensor((n,), dtype="int32")
        n  shape variable
        R  operators and StructInfo
        T  PrimFuncs and shape expressions
    "#]],
    );
}
