//! Tests of completions: the offered items in order, and the text after taking the first.

mod fit;
mod imports;
mod long;
mod prim_calls;
mod prims;

use expect_test::{Expect, expect};

use crate::Completion;
use crate::fixture::Fixture;

fn completions(fixture: &str) -> (Fixture, Vec<Completion>) {
    let fixture = Fixture::new(fixture);
    let found = fixture
        .analysis
        .completions(fixture.position(), None)
        .unwrap();
    let items = found.map_or_else(Vec::new, |found| found.items);
    (fixture, items)
}

/// Compares the first items, each with its detail.
fn check(fixture: &str, expect: Expect) {
    let (_, items) = completions(fixture);
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
    completions(fixture)
        .1
        .iter()
        .map(|item| item.label.to_string())
        .collect()
}

/// Compares the line of the cursor after the item `label` is taken.
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
fn operators_of_the_dialect_are_offered_after_its_namespace() {
    let items = labels(&relax("        y = R.mat$0"));
    assert!(items.contains(&"matmul".to_owned()));
    assert!(items.contains(&"nn".to_owned()));
    assert!(!items.contains(&"match_shape".to_owned()), "the RFC's");
    assert!(!items.contains(&"function".to_owned()), "a decorator");
}

#[test]
fn operators_are_offered_after_a_nested_namespace() {
    check(
        &relax("        y = R.image.$0"),
        expect![[r#"
            grid_sample  data: (n, c, h, w) · grid: (n, 2, h', w') → (n, c, h', w')
            resize2d  data: (n, c, h, w) · size: (h', w') → (n, c, h', w')
        "#]],
    );
}

#[test]
fn an_operator_is_inserted_with_parentheses() {
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
fn a_dataflow_variable_is_offered_in_its_block_only() {
    assert!(!labels(&relax("        y = R.exp($0)")).contains(&"inner".to_owned()));
    let inside = relax("        pass").replace("R.nn.relu(inner)", "R.nn.relu($0)");
    assert!(labels(&inside).contains(&"inner".to_owned()));
}

#[test]
fn later_bindings_are_not_offered() {
    let items = labels(&relax("        y = R.exp($0)\n        later = R.exp(x)"));
    assert!(!items.contains(&"later".to_owned()));
}

#[test]
fn only_missing_keyword_arguments_are_offered() {
    let items = labels(&relax("        y = R.sum(x, axis=1, $0)"));
    assert!(items.contains(&"keepdims=".to_owned()));
    assert!(!items.contains(&"axis=".to_owned()));
    let items = labels(&relax("        y = R.sum(x, $0, keepdims=True)"));
    assert!(!items.contains(&"keepdims=".to_owned()));
}

#[test]
fn functions_are_offered_after_the_module_name() {
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
fn dtypes_are_completed_in_unclosed_strings() {
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
            cls  the functions of the module
            R  operators and StructInfo
            T  PrimFuncs and shape expressions
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
fn annotations_are_offered_where_struct_info_is_expected() {
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
            R.dist.DTensor  (shape=None, dtype="", device_mesh=None, placement="", ndim=-1)
            R.Prim  (dtype)
            R.Shape  (values=None, ndim=-1)
            R.Tensor  (shape=None, dtype=None, vdevice=None, ndim=-1)
            R.Tuple  (*fields)
            R  operators and StructInfo
        "#]],
    );
    check(
        &relax("        y: R.$0"),
        expect![[r#"
            Tensor  (shape=None, dtype=None, vdevice=None, ndim=-1)
            Shape  (values=None, ndim=-1)
            Callable  (params=None, ret=None, purity=None, derive_func=None)
            Object
            Prim  (dtype=None, value=None)
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
    assert!(!labels(rfc).contains(&"match_cast".to_owned()));
    let type_dialect = r#"
from tvm.script import relax as R, tirx as T

@R.function
def main(x: R.$0
"#;
    assert!(labels(type_dialect).contains(&"Any".to_owned()));
    assert!(!labels(type_dialect).contains(&"Object".to_owned()));
}

#[test]
fn decorators_are_offered_after_an_at_sign() {
    let head = "from tvm.script import ir as I, relax as R, tir as T\n";
    check(
        &format!("{head}\n@$0\n"),
        expect![[r#"
            I.ir_module  A module of functions.
            I.pyfunc  A Python function that is part of the module.
            R.function  A function of the graph.
            R.macro  A function whose body replaces its calls.
            R.rewriter  A rewrite rule: a module with the functions `pattern` and `replacement`.
            T.macro  A function whose body replaces its calls.
            T.prim_func  A function of loops over buffers.
        "#]],
    );
    check(
        &format!("{head}\n@R.$0\ndef main():\n    pass\n"),
        expect![[r#"
            function  A function of the graph.
            macro  A function whose body replaces its calls.
            rewriter  A rewrite rule: a module with the functions `pattern` and `replacement`.
        "#]],
    );
}

#[test]
fn keys_of_attributes_are_offered() {
    check(
        &relax("        R.func_attr({\"$0"),
        expect![[r#"
            global_symbol  The name under which the function is exported.
            num_input  The number of leading parameters that are inputs; the others are weights, which can be bound in advance.
            relax.force_pure  Asserts that impure calls in the function have no effect outside of it.
            Primitive  The function becomes one kernel.
            Composite  The name of the pattern that the function matched.
            Codegen  The code generator that compiles the function.
            PartitionedFromPattern  The operators that were fused into the function.
            WorkspaceSize  The bytes of workspace that the function needs.
        "#]],
    );
}

#[test]
fn snippets_are_offered_at_the_start_of_a_statement() {
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
            return  The result of the function; always its last statement.
        "#]],
    );
}

#[test]
fn members_of_a_tensor_are_offered() {
    check(
        &relax("        y = x.$0"),
        expect![[r#"
            astype  (dtype)
            dtype  float32
            ndim  int32
            shape  2 dimensions
            struct_info  its StructInfo
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
fn nothing_is_offered_in_plain_python() {
    let python =
        "import tvm\nfrom tvm.script import relax as R\n\ndef build(target):\n    mod = tvm.$0\n";
    assert_eq!(labels(python), Vec::<String>::new());
    let python = "from tvm.script import relax as R\n\ndef build(target):\n    x = ta$0\n";
    assert_eq!(labels(python), Vec::<String>::new());
}

#[test]
fn nothing_is_offered_in_comments_numbers_and_new_names() {
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
fn completion_never_panics_at_any_offset() {
    let program =
        relax("        y = R.call_tir(cls.double, (w,), out_sinfo=R.Tensor((4, 8), \"float32\"))");
    for at in 0..=program.len() {
        // Once with the text up to the cursor, and once with the rest behind it.
        for text in [
            format!("{}$0", &program[..at]),
            format!("{}$0{}", &program[..at], &program[at..]),
        ] {
            completions(&text);
        }
    }
}

#[test]
fn r_output_offers_the_bindings_of_its_block() {
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
fn only_a_dataflow_block_is_offered_after_with_in_relax() {
    assert_eq!(labels(&relax("        with R.$0")), ["dataflow"]);
}

#[test]
fn the_method_of_a_tensor_takes_a_dtype() {
    assert_eq!(labels(&relax("        y = x.astype(\"$0"))[0], "float32");
    assert_eq!(labels(&relax("        y = x.astype($0"))[0], "\"float32\"");
}

#[test]
fn context_managers_are_offered_after_with() {
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
            T.sblock
            T.init
            T.decl_buffer
            T.launch_thread
            T.attr
            T  PrimFuncs and shape expressions
        "#]],
    );
}

#[test]
fn members_of_struct_info_are_offered() {
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
            struct_info  its StructInfo
        "#]],
    );
}

#[test]
fn the_return_annotation_is_not_a_parameter() {
    let program = "from tvm.script import relax as R\n\n@R.function\ndef f(\n    x: R.Object,\n) -> R.Tuple(R.$0\n    return x\n";
    assert!(labels(program).contains(&"Tensor".to_owned()));
}

#[test]
fn keywords_are_offered_after_variadic_arguments() {
    let items = labels(&relax("        y = R.print(x, w, f$0"));
    assert!(items.contains(&"format=".to_owned()), "{items:?}");
}

#[test]
fn names_of_the_enclosing_python_code_are_offered() {
    let program = r#"
from tvm import relax
from tvm.script import relax as R

def test_other(): ...

def make(dtype):
    def helper(x): return relax.op.exp(x)

    @R.function
    def f(x: R.Tensor((4,), dtype)):
        y = R.add(x, $0)
"#;
    let items = labels(program);
    for name in ["dtype", "helper", "relax"] {
        assert!(items.contains(&name.to_owned()), "{name} in {items:?}");
    }
    assert!(!items.contains(&"test_other".to_owned()));
}

#[test]
fn functions_of_a_module_are_offered_in_python_code() {
    let text = |line: &str| {
        format!(
            r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def other(x: R.Tensor((4,), "float32")):
        return x

mod = Module
{line}
"#
        )
    };
    for line in [
        "mod[\"$0",
        "print(mod[\"$0\"])",
        "Module[\"o$0",
        "mod.get_global_var(\"$0\")",
    ] {
        assert!(labels(&text(line)).contains(&"other".to_owned()), "{line}");
    }
    assert!(labels(&text("vm[\"$0\"]")).is_empty());
}
