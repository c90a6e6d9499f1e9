//! Tests which modules count as equal, and which differences are found.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::{Kind, ModuleDifference};
use crate::db::{Database, Source, SourceFile};
use crate::form::{FunctionForm, ModuleForm};

fn form(text: &str) -> ModuleForm {
    let db = Database::default();
    let file = SourceFile::new(&db, Source::new(text));
    ModuleForm::of(&db, file)
}

/// Returns a module with these functions, indented by four spaces.
fn module(functions: &str) -> String {
    format!("@I.ir_module\nclass Module:\n{functions}")
}

/// Returns a function `main` with these lines in a dataflow block.
fn dataflow(lines: &[&str]) -> String {
    let mut text = String::from(
        "    @R.function\n    def main(x: R.Tensor((\"n\", 4), \"float32\"), w: R.Tensor((4, 4), \"float32\")):\n        with R.dataflow():\n",
    );
    for line in lines {
        let _ = writeln!(text, "            {line}");
    }
    text.push_str("        return gv\n");
    module(&text)
}

fn difference(before: &str, after: &str) -> ModuleDifference {
    ModuleDifference::of(&form(before), &form(after))
}

fn assert_equal(before: &str, after: &str) {
    let found = difference(before, after);
    assert!(found.is_empty(), "{found:#?}");
}

fn check(before: &str, after: &str, expect: &Expect) {
    let (a, b) = (form(before), form(after));
    let found = ModuleDifference::of(&a, &b);
    let mut text = String::new();
    for function in &found.functions {
        let name = |form: &ModuleForm, at: Option<usize>| {
            at.map_or("-".to_owned(), |at| form.functions[at].name.to_string())
        };
        let names = (name(&a, function.before), name(&b, function.after));
        let names_of = |form: &ModuleForm, all: &[usize]| {
            let names = all.iter().map(|at| form.functions[*at].name.to_string());
            names.collect::<Vec<_>>().join(" ")
        };
        let kind = match &function.kind {
            Kind::Added { from } => format!("added from [{}]", names_of(&a, from)),
            Kind::Removed { into } => format!("removed into [{}]", names_of(&b, into)),
            other => format!("{other:?}").to_lowercase(),
        };
        let _ = writeln!(text, "{} {}: {kind}", names.0, names.1);
        for change in &function.changes {
            let row = |form: &ModuleForm, of: Option<usize>, row: Option<u32>| match (of, row) {
                (Some(of), Some(row)) => row_label(&form.functions[of], row),
                _ => "-".to_owned(),
            };
            let before = row(&a, function.before, change.before);
            let after = row(&b, function.after, change.after);
            let moved = if change.moved { " moved" } else { "" };
            let _ = writeln!(text, "  {before} => {after} {:?}{moved}", change.parts);
        }
    }
    expect.assert_eq(&text);
}

fn row_label(function: &FunctionForm, row: u32) -> String {
    let row = &function.rows[row as usize];
    format!("{:?} {}", row.kind, row.name).trim_end().to_owned()
}

const CHAIN: &[&str] = &[
    "lv = R.matmul(x, w)",
    "lv1 = R.add(lv, lv)",
    "lv2 = R.nn.relu(x)",
    "gv = R.add(lv1, lv2)",
    "R.output(gv)",
];

#[test]
fn names_of_variables_and_shape_variables_do_not_matter() {
    let renamed = dataflow(&[
        "a = R.matmul(x, w)",
        "b = R.add(a, a)",
        "c = R.nn.relu(x)",
        "gv = R.add(b, c)",
        "R.output(gv)",
    ]);
    assert_equal(&dataflow(CHAIN), &renamed.replace("\"n\"", "\"batch\""));
}

#[test]
fn the_order_inside_a_dataflow_block_does_not_matter() {
    let reordered = dataflow(&[CHAIN[2], CHAIN[0], CHAIN[1], CHAIN[3], CHAIN[4]]);
    assert_equal(&dataflow(CHAIN), &reordered);
}

#[test]
fn an_argument_that_is_the_default_may_be_absent() {
    let written = dataflow(CHAIN).replace("R.matmul(x, w)", "R.matmul(x, w, out_dtype=None)");
    assert_equal(&dataflow(CHAIN), &written);
}

#[test]
fn swapped_operands_are_a_change_of_that_binding_alone() {
    let swapped = dataflow(CHAIN).replace("R.add(lv1, lv2)", "R.add(lv2, lv1)");
    check(
        &dataflow(CHAIN),
        &swapped,
        &expect![[r#"
            main main: changed
              Binding gv => Binding gv ["x1", "x2"]
        "#]],
    );
}

#[test]
fn an_inserted_binding_changes_only_the_operand_after_it() {
    let longer = dataflow(&[
        "lv0 = R.nn.gelu(x)",
        "lv = R.matmul(lv0, w)",
        CHAIN[1],
        CHAIN[2],
        CHAIN[3],
        CHAIN[4],
    ]);
    check(
        &dataflow(CHAIN),
        &longer,
        &expect![[r#"
            main main: changed
              - => Binding lv0 []
              Binding lv => Binding lv ["x1"]
        "#]],
    );
}

#[test]
fn a_wide_tuple_with_different_dimensions_is_a_change() {
    let text = |dims: &[&str]| {
        let fields: Vec<String> = (0..40)
            .map(|at| format!("R.Tensor((\"{}\",), \"float32\")", dims[at % dims.len()]))
            .collect();
        let fields = fields.join(", ");
        module(&format!(
            "    @R.function\n    def main(t: R.Tuple({fields})):\n        u = t\n        return u\n"
        ))
    };
    assert_equal(&text(&["n", "m"]), &text(&["m", "n"]));
    assert!(!difference(&text(&["n", "m"]), &text(&["n", "m", "m"])).is_empty());
    assert!(!difference(&text(&["n", "m"]), &text(&["n"])).is_empty());
}

#[test]
fn equal_bindings_are_matched_by_their_uses() {
    let lines = |uses: &[&str]| -> Vec<String> {
        let pair = |(at, op): (usize, &&str)| {
            let (first, second) = (2 * at, 2 * at + 1);
            [
                format!("lv{first} = R.nn.relu(x)"),
                format!("lv{second} = R.{op}(lv{first})"),
            ]
        };
        let mut lines: Vec<String> = uses.iter().enumerate().flat_map(pair).collect();
        lines.push(format!("gv = R.abs(lv{})", 2 * uses.len() - 1));
        lines
    };
    let (before, after) = (lines(&["exp", "log"]), lines(&["sin", "exp", "log"]));
    let in_dataflow = |lines: &[String]| {
        let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        lines.push("R.output(gv)");
        dataflow(&lines)
    };
    let outside = |lines: &[String]| {
        let lines = lines.join("\n        ");
        module(&format!(
            "    @R.function\n    def main(x: R.Tensor((4, 4), \"float32\")):\n        {lines}\n        return gv\n"
        ))
    };
    let two_added = expect![[r#"
        main main: changed
          - => Binding lv0 []
          - => Binding lv1 []
    "#]];
    check(&in_dataflow(&before), &in_dataflow(&after), &two_added);
    check(&outside(&before), &outside(&after), &two_added);
}

#[test]
fn a_new_storage_does_not_change_calls() {
    let main = |lines: &str| {
        module(&format!(
            "    @R.function(pure=False)\n    def main(x: R.Tensor((4,), \"float32\")):\n{lines}        return b\n"
        ))
    };
    let call = |name: &str, from: &str, to: &str| {
        format!("        _: R.Tuple = R.call_packed(\"{name}\", {from}, {to})\n")
    };
    let tensor = |name: &str| {
        format!(
            "        {name}: R.Tensor((4,), \"float32\") = R.builtin.alloc_tensor(R.shape([4]), R.dtype(\"float32\"), 0)\n"
        )
    };
    let (first, second) = (call("first", "x", "a"), call("second", "a", "b"));
    let before = format!("{}{first}{}{second}", tensor("a"), tensor("b"));
    let storage = "        s: R.Object = R.memory.alloc_storage(R.shape([16]), 0, R.str(\"global\"), R.dtype(\"float32\"))\n        a: R.Tensor((4,), \"float32\") = R.memory.alloc_tensor(s, 0, R.shape([4]), R.dtype(\"float32\"))\n";
    let after = format!("{storage}{first}{}{second}", tensor("b"));
    check(
        &main(&before),
        &main(&after),
        &expect![[r#"
            main main: changed
              - => Binding s []
              Binding a => Binding a ["operator"]
        "#]],
    );
}

#[test]
fn a_second_name_for_a_value_is_a_change_by_itself() {
    let named = dataflow(&[
        CHAIN[0],
        "other = lv",
        "lv1 = R.add(other, other)",
        CHAIN[2],
        CHAIN[3],
        CHAIN[4],
    ]);
    check(
        &dataflow(CHAIN),
        &named,
        &expect![[r#"
            main main: changed
              - => Binding other []
        "#]],
    );
    let swapped = named.replace("R.add(other, other)", "R.add(other, lv)");
    assert!(!difference(&named, &swapped).is_empty());
}

#[test]
fn a_binding_that_calls_another_operator_is_one_change() {
    let other = dataflow(CHAIN).replace("R.nn.relu(x)", "R.nn.gelu(x)");
    check(
        &dataflow(CHAIN),
        &other,
        &expect![[r#"
            main main: changed
              Binding lv2 => Binding lv2 ["operator"]
        "#]],
    );
}

#[test]
fn statements_outside_of_dataflow_keep_their_order() {
    let lines = |first: &str, second: &str| {
        module(&format!(
            "    @R.function(pure=False)\n    def main(x: R.Tensor((4,), \"float32\")):\n        {first}\n        {second}\n        return x\n"
        ))
    };
    let (a, b) = ("R.print(x, format=\"a\")", "R.print(x, format=\"b\")");
    check(
        &lines(a, b),
        &lines(b, a),
        &expect![[r#"
            main main: changed
              Binding => Binding [] moved
        "#]],
    );
}

#[test]
fn renamed_equal_bindings_are_matched_in_order() {
    let text = |first: &str, second: &str| {
        module(&format!(
            "    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n        {first} = R.add(x, x)\n        {second} = R.add(x, x)\n        z = R.subtract({first}, {second})\n        return z\n"
        ))
    };
    assert_equal(&text("a", "b"), &text("b", "a"));
}

#[test]
fn a_removed_statement_does_not_move_equal_ones() {
    let text = |count: usize| {
        let line = "        R.print(x, format=\"a\")\n";
        let marks = (0..6).map(|at| {
            let mark = format!("        R.print(x, format=\"{at}\")\n");
            format!(
                "{mark}{}",
                if at == 1 {
                    line.repeat(count)
                } else {
                    line.to_owned()
                }
            )
        });
        module(&format!(
            "    @R.function(pure=False)\n    def main(x: R.Tensor((4,), \"float32\")):\n{}        return x\n",
            marks.collect::<String>()
        ))
    };
    check(
        &text(1),
        &text(0),
        &expect![[r#"
            main main: changed
              Binding => - []
        "#]],
    );
}

#[test]
fn a_binding_moves_into_a_dataflow_block() {
    let text = |outside: &str, inside: &str| {
        module(&format!(
            "    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n{outside}        with R.dataflow():\n{inside}            z = R.nn.relu(y)\n            R.output(z)\n        return z\n"
        ))
    };
    check(
        &text("        y = R.add(x, x)\n", ""),
        &text("", "            y = R.add(x, x)\n"),
        &expect![[r#"
            main main: changed
              Binding y => Binding y ["block"]
        "#]],
    );
}

#[test]
fn merging_two_shape_variables_is_a_change() {
    let text = |first: &str, second: &str| {
        module(&format!(
            "    @R.function\n    def main(x: R.Tensor((\"{first}\",), \"float32\"), y: R.Tensor((\"{second}\",), \"float32\")):\n        return (x, y)\n"
        ))
    };
    assert_equal(&text("n", "m"), &text("m", "n"));
    let found = difference(&text("n", "m"), &text("n", "n"));
    assert_eq!(found.functions[0].kind, Kind::Changed);
}

const PRIMS: &str = r#"    @T.prim_func
    def double(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(8, i)
                B[vi] = A[vi] * T.float32(2)

    @T.prim_func
    def shift(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(8, i)
                B[vi] = A[vi] + T.float32(1)
"#;

#[test]
fn a_renamed_function_does_not_change_its_callers() {
    let caller = "\n    @R.function\n    def main(x: R.Tensor((8,), \"float32\")):\n        y = R.call_tir(Module.double, (x,), out_sinfo=R.Tensor((8,), \"float32\"))\n        return y\n";
    let before = module(&format!("{PRIMS}{caller}"));
    let after = before.replace("double", "twice");
    check(
        &before,
        &after,
        &expect![[r#"
            double twice: renamed
            shift shift: unchanged
            main main: unchanged
        "#]],
    );
}

#[test]
fn a_changed_statement_of_a_prim_func_is_found() {
    let before = module(PRIMS);
    let after = before.replace("A[vi] + T.float32(1)", "A[vi] - T.float32(1)");
    let renamed = after.replace("vi", "axis").replace("for i in", "for k in");
    check(
        &before,
        &renamed.replace("(8, i)", "(8, k)"),
        &expect![[r#"
            double double: unchanged
            shift shift: changed
              Statement B => Statement B ["value"]
        "#]],
    );
}

/// A PrimFunc whose block and loop declare what the program does not need.
const DECLARED: &str = r#"    @T.prim_func
    def double(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in T.serial(8, annotations={"pragma_unroll": 1}):
            with T.sblock("b"):
                vi = T.axis.spatial(8, i)
                T.reads(A[vi])
                T.writes(B[vi])
                T.sblock_attr({"layout_free": 0})
                B[vi] = A[vi] * T.float32(2)
"#;

#[test]
fn regions_and_annotations_of_blocks_and_loops_are_compared() {
    let changed = DECLARED
        .replace("T.reads(A[vi])", "T.reads(A[vi], B[vi])")
        .replace("\"layout_free\": 0", "\"layout_free\": 1")
        .replace("\"pragma_unroll\": 1", "\"pragma_unroll\": 2");
    check(
        &module(DECLARED),
        &module(&changed),
        &expect![[r#"
            double double: changed
              Attribute pragma_unroll => Attribute pragma_unroll ["value"]
              Region reads => Region reads ["regions"]
              Attribute layout_free => Attribute layout_free ["value"]
        "#]],
    );
    assert_equal(
        &module(DECLARED),
        &module(
            &DECLARED
                .replace("vi", "axis")
                .replace("A[", "C[")
                .replace("A:", "C:"),
        ),
    );
}

#[test]
fn the_axes_of_a_block_differ_at_their_statement() {
    check(
        &module(DECLARED),
        &module(&DECLARED.replace("T.axis.spatial(8, i)", "T.axis.reduce(8, i)")),
        &expect![[r#"
            double double: changed
              Axes vi => Axes vi ["axes"]
        "#]],
    );
}

#[test]
fn regions_that_only_one_side_declares_are_completed_by_tvm() {
    let undeclared: Vec<&str> = DECLARED
        .lines()
        .filter(|line| !line.contains("T.reads") && !line.contains("T.writes"))
        .collect();
    assert_equal(&module(DECLARED), &module(&undeclared.join("\n")));
}

#[test]
fn an_attribute_with_another_key_is_found() {
    let with_key = |key: &str| {
        let attribute = format!(
            "    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n        R.func_attr({{\"{key}\": 1}})\n        return x\n"
        );
        module(&attribute)
    };
    let found = difference(&with_key("num_input"), &with_key("num_inputs"));
    assert!(!found.is_empty());
}

#[test]
fn unknown_annotations_are_compared_as_text() {
    let with_annotation =
        |annotation: &str| dataflow(&[&format!("gv: {annotation} = R.add(x, x)"), "R.output(gv)"]);
    let (one, other) = (with_annotation("helper(4)"), with_annotation("helper(5)"));
    assert!(!difference(&one, &other).is_empty());
    assert_equal(&one, &one);
}

/// Two loops whose variables have the same name, and calls that no other program here has.
const REFUSED: &str = r#"    @T.prim_func
    def kernel(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in T.serial(16):
            B[i] = T.unknown_intrinsic(A[i], i)
        for i, j in T.grid(4, 4):
            p = T.unknown_pointer(A.data, j)
            B[i] = T.unknown_intrinsic(p, B[j], i)
"#;

#[test]
fn rejected_prim_funcs_are_equal_under_other_names() {
    let renamed = REFUSED
        .replace("A[", "left[")
        .replace("A.", "left.")
        .replace("A:", "left:")
        .replace("for i in", "for k in")
        .replace(
            "B[i] = T.unknown_intrinsic(left[i], i)",
            "B[k] = T.unknown_intrinsic(left[k], k)",
        )
        .replace("p = ", "pointer = ")
        .replace("(p, ", "(pointer, ");
    assert_ne!(renamed, REFUSED);
    assert_equal(&module(REFUSED), &module(&renamed));
}

#[test]
fn rejected_prim_funcs_differ_if_they_use_other_names() {
    for (from, to) in [
        ("(A[i], i)", "(B[i], i)"),
        ("B[j], i", "B[i], i"),
        ("A.data, j", "A.data, i"),
        (
            "B[i] = T.unknown_intrinsic(p",
            "B[j] = T.unknown_intrinsic(p",
        ),
        ("unknown_pointer", "other_pointer"),
    ] {
        let changed = REFUSED.replacen(from, to, 1);
        assert_ne!(changed, REFUSED);
        let found = difference(&module(REFUSED), &module(&changed));
        assert!(!found.is_empty(), "{from} is {to}");
    }
}

#[test]
fn a_fused_prim_func_is_made_of_the_functions_that_it_fuses() {
    let fused = r#"    @T.prim_func
    def fused_double_shift(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        C = T.alloc_buffer((8,))
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(8, i)
                C[vi] = A[vi] * T.float32(2)
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(8, i)
                B[vi] = C[vi] + T.float32(1)
"#;
    check(
        &module(PRIMS),
        &module(fused),
        &expect![[r#"
            double -: removed into [fused_double_shift]
            shift -: removed into [fused_double_shift]
            - fused_double_shift: added from [double shift]
        "#]],
    );
}

#[test]
fn other_python_code_is_compared_as_text() {
    let text = |value: &str| {
        module(&format!(
            "    @I.pyfunc\n    def f(a):\n        b = a + {value}\n        return b\n"
        ))
    };
    assert_equal(
        &text("1"),
        &text("1")
            .replace("b =", "c =")
            .replace("return b", "return c"),
    );
    let found = difference(&text("1"), &text("2"));
    assert_eq!(found.functions[0].kind, Kind::Changed);
}

#[test]
fn a_call_of_a_new_function_is_reported_as_the_origin_of_its_result() {
    let main = |lines: &str| {
        format!(
            "    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n{lines}        return w\n"
        )
    };
    let before = main("        y = R.exp(x)\n        z = R.sin(y)\n        w = R.abs(z)\n");
    let fused = "    @R.function(private=True)\n    def fused(x: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n        y = R.exp(x)\n        z = R.sin(y)\n        return z\n\n";
    let after =
        main("        lv: R.Tensor((4,), \"float32\") = cls.fused(x)\n        w = R.abs(lv)\n")
            .replace("):\n", "):\n        cls = Module\n");
    let (a, b) = (
        form(&module(&before)),
        form(&module(&format!("{fused}{after}"))),
    );
    let found = ModuleDifference::of(&a, &b);
    let main = found
        .functions
        .iter()
        .find(|it| it.before.is_some())
        .unwrap();
    let name = |form: &ModuleForm, function: usize, row: u32| {
        form.functions[function].rows[row as usize].name.to_string()
    };
    let changed: Vec<_> = main
        .changes
        .iter()
        .filter_map(|it| Some((name(&a, 0, it.before?), name(&b, 1, it.after?))))
        .collect();
    assert_eq!(changed, [("z".to_owned(), "lv".to_owned())]);
}
