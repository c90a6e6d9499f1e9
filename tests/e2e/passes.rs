//! Tests of `relax-lsp passes`: the table of two compilations, and the first pass that breaks a module.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use expect_test::expect;
use serde_json::{Value, json};

fn fixture(model: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/passes")
        .join(model)
}

fn passes(arguments: &[&str], directory: &Path) -> Output {
    Command::new(tests::relax_lsp())
        .arg("passes")
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("relax-lsp starts")
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("output is UTF-8")
}

/// Copies a compilation, and replaces `old` in all dumps from `from` on.
fn damaged(model: &str, from: &str, old: &str, new: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(fixture(model)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let dump = std::fs::read_to_string(entry.path()).unwrap();
        let is_damaged = name.as_str() >= from && !name.ends_with("NormalizeGlobalVar.py");
        let dump = if is_damaged {
            dump.replacen(old, new, 1)
        } else {
            dump
        };
        std::fs::write(directory.path().join(name), dump).unwrap();
    }
    directory
}

#[test]
fn the_passes_of_an_mlp_are_a_table() {
    let output = passes(&["."], &fixture("mlp"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    expect![[r#"
               pass                               Relax  PrimFuncs  bindings  operators  calls                      planned  what changed
          014  sequential                             1          5         5          0      5
          000    LegalizeOps                          1          8         9          0      8
          001    AnnotateTIROpPattern                 1          8         9          0      8                               8 functions: op_pattern
                 unchanged by FoldConstant
          003    FuseOps                              3          8        11          0     10                               forward: 2 call_tir → call, 3 removed (3 call_tir); fused_matmul1_add1 and fused_matmul_add_relu split off
          013    FuseTIR                              1          5         5          0      5                               forward: 2 call → call_tir, 1 removed; fused_matmul1_add1 and fused_matmul_add_relu merged; 7 functions removed
          009      ExpandTupleArguments               3          8        10          0     10                               forward: 1 removed
                     unchanged by ExpandTupleArgumentsInner
          007        CanonicalizeBindings             3          8        10          0     10                               forward: 1 removed
                       unchanged by CanonicalizeTIRVariables
          006          CanonicalizeRelaxBindings      3          8        10          0     10                               forward: 1 removed
                     unchanged by DeadCodeElimination
                   unchanged by RemoveUnusedParameters
          011      FuseTIRInner                       1         10         5          0      5                               forward: 2 call → call_tir; fused_matmul1_add1 and fused_matmul_add_relu merged; fused_matmul1_add1 and fused_matmul_add_relu removed
          012      DeadCodeElimination                1          5         5          0      5                               5 functions removed
          027  sequential                             1          6        35          0      6  batch * 592 + 406528 B in 5  6 functions: 2 call_tir → vm.alloc_tensor, 1 call_tir → call_builtin_with_ctx, 1 call_tir → call_packed, 1 changed, 30 added (9 vm.kill_object, 8 call_packed, 6 call, …), 2 removed; shape_func added
                 unchanged by RewriteDataflowReshape
          016    ToNonDataflow                        1          5         5          0      5                               forward: 2 removed
          017    RemovePurityChecking                 1          5         5          0      5                               forward: relax.force_pure
          018    CallTIRRewrite                       1          5        15          0      5                               forward: 5 changed, 10 added (5 builtin.alloc_tensor, 5 call)
          019    StaticPlanBlockMemory                1          5        19          0      5  batch * 552 + 406528 B in 4  forward: 4 builtin.alloc_tensor → memory.alloc_tensor, 4 added (4 memory.alloc_storage)
          020    LowerAllocTensor                     1          5        20          0      5  batch * 592 + 406528 B in 5  forward: 1 builtin.alloc_tensor → memory.alloc_tensor, 1 added (1 memory.alloc_storage)
          021    KillAfterLastUse                     1          5        24          0      5  batch * 592 + 406528 B in 5  forward: 9 added (5 memory.kill_storage, 4 memory.kill_tensor), 5 removed
          022    LowerRuntimeBuiltin                  1          5        24          0      5  batch * 592 + 406528 B in 5  forward: 5 memory.alloc_storage → vm.alloc_storage, 5 memory.alloc_tensor → vm.alloc_tensor, 5 memory.kill_storage → vm.kill_object, 4 changed
                 unchanged by NormalizeGlobalVar, ComputePrimValue
          025    VMShapeLower                         1          6        35          0      6  batch * 592 + 406528 B in 5  forward: 6 changed, 11 added (9 call_packed, 1 call, 1 call_builtin_with_ctx); shape_func added
          026    AttachGlobalSymbol                   1          6        35          0      6  batch * 592 + 406528 B in 5  6 functions: private

        28 stages, each well-formed
    "#]].assert_eq(text(&output));
}

#[test]
fn the_passes_of_a_convolutional_network_are_a_table() {
    let output = passes(&["."], &fixture("convnet"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    expect![[r#"
               pass                               Relax  PrimFuncs  bindings  operators  calls                       planned  what changed
          014  sequential                             1         10        10          0     10
          000    LegalizeOps                          1         15        16          0     15
          001    AnnotateTIROpPattern                 1         15        16          0     15                                15 functions: op_pattern
                 unchanged by FoldConstant
          003    FuseOps                              5         15        20          0     19                                forward: 4 call_tir → call, 5 removed (5 call_tir); 4 functions split off
          013    FuseTIR                              1         10        10          0     10                                forward: 4 call → call_tir, 1 removed; 4 functions merged; 13 functions removed
          009      ExpandTupleArguments               5         15        19          0     19                                forward: 1 removed
                     unchanged by ExpandTupleArgumentsInner
          007        CanonicalizeBindings             5         15        19          0     19                                forward: 1 removed
                       unchanged by CanonicalizeTIRVariables
          006          CanonicalizeRelaxBindings      5         15        19          0     19                                forward: 1 removed
                     unchanged by DeadCodeElimination
                   unchanged by RemoveUnusedParameters
          011      FuseTIRInner                       1         19        10          0     10                                forward: 4 call → call_tir; 4 functions merged; 4 functions removed
          012      DeadCodeElimination                1         10        10          0     10                                9 functions removed
          027  sequential                             1         11        62          0      9  batch * 131408 + 1280 B in 8  11 functions: 5 call_tir → call_packed, 2 call_tir → vm.alloc_storage, 2 call_tir → vm.alloc_tensor, 1 changed, 52 added (17 vm.kill_object, 14 call_packed, 9 call, …), 2 removed; shape_func added
          015    RewriteDataflowReshape               1         10        10          2      8                                forward: 2 call_tir → reshape
          016    ToNonDataflow                        1         10        10          2      8                                forward: 2 removed
          017    RemovePurityChecking                 1         10        10          2      8                                forward: relax.force_pure
          018    CallTIRRewrite                       1         10        26          2      8                                forward: 8 changed, 16 added (8 builtin.alloc_tensor, 8 call)
          019    StaticPlanBlockMemory                1         10        33          2      8  batch * 131368 + 1280 B in 7  forward: 7 builtin.alloc_tensor → memory.alloc_tensor, 7 added (7 memory.alloc_storage)
          020    LowerAllocTensor                     1         10        34          2      8  batch * 131408 + 1280 B in 8  forward: 1 builtin.alloc_tensor → memory.alloc_tensor, 1 added (1 memory.alloc_storage)
          021    KillAfterLastUse                     1         10        43          2      8  batch * 131408 + 1280 B in 8  forward: 17 added (9 memory.kill_tensor, 8 memory.kill_storage), 8 removed
          022    LowerRuntimeBuiltin                  1         10        43          0      8  batch * 131408 + 1280 B in 8  forward: 9 memory.kill_tensor → vm.kill_object, 8 memory.alloc_storage → vm.alloc_storage, 8 memory.alloc_tensor → vm.alloc_tensor, 10 changed
                 unchanged by NormalizeGlobalVar, ComputePrimValue
          025    VMShapeLower                         1         11        62          0      9  batch * 131408 + 1280 B in 8  forward: 14 changed, 19 added (17 call_packed, 1 call, 1 call_builtin_with_ctx); shape_func added
          026    AttachGlobalSymbol                   1         11        62          0      9  batch * 131408 + 1280 B in 8  11 functions: private

        28 stages, each well-formed
    "#]].assert_eq(text(&output));
}

#[test]
fn a_stage_whose_shapes_disagree_is_named_with_the_one_before() {
    let folder = damaged(
        "mlp",
        "006",
        "R.Tensor((batch, 128), dtype=\"float32\")",
        "R.Tensor((batch, 127), dtype=\"float32\")",
    );
    let output = passes(&["."], folder.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = text(&output);
    assert!(
        text.contains("006_CanonicalizeRelaxBindings is the first ill-formed stage; 005_CanonicalizeTIRVariables before it is well-formed"),
        "{text}"
    );
}

#[test]
fn a_leaked_dataflow_variable_is_named_with_its_line() {
    let folder = damaged("mlp", "015", "return gv", "return lv1");
    let output = passes(&[".", "--format", "json"], folder.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let stage = &found["stages"][found["first_ill_formed"].as_u64().unwrap() as usize];
    assert_eq!(stage["pass"], "RewriteDataflowReshape");
    assert_eq!(
        stage["errors"][0]["code"], "dataflow-var-outside-block",
        "{stage}"
    );
}

#[test]
fn stages_that_run_have_equal_results() {
    let output = passes(&[".", "--run"], &fixture("mlp"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = text(&output);
    assert!(
        text.contains("28 of 28 stages ran `forward`\nequal: "),
        "{text}"
    );
    assert!(!text.contains("not run"), "{text}");
}

/// Writes stages of one module, which differ in what is replaced.
fn stages(module: &str, changes: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (at, (old, new)) in [("", "")].iter().chain(changes).enumerate() {
        let text = if old.is_empty() {
            module.to_owned()
        } else {
            module.replace(old, new)
        };
        std::fs::write(directory.path().join(format!("{at:03}_Pass{at}.py")), text).unwrap();
    }
    directory
}

/// Runs the stages, and returns the exit code and the member `run` of the answer.
fn run(folder: &Path, options: &[&str]) -> (Option<i32>, Value) {
    let mut arguments = vec![".", "--run", "--format", "json"];
    arguments.extend(options);
    let output = passes(&arguments, folder);
    let found: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (output.status.code(), found["run"].clone())
}

const SCALED: &str = r#"from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), scale: R.Tensor((1,), "float32"), var: R.Tensor((1,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.multiply(a, scale)
            c = R.divide(b, R.sqrt(var))
            R.output(c)
        return c
"#;

#[test]
fn generated_weights_hide_nothing() {
    // A zero for `scale` or a negative variance would hide the change.
    let folder = stages(SCALED, &[("R.exp(x)", "R.negative(x)")]);
    let (code, run) = run(folder.path(), &[]);
    assert_eq!(
        (code, &run["verdict"]),
        (Some(1), &json!("differs")),
        "{run}"
    );
    assert!(run["sight"].as_f64().unwrap() > 0.9, "{run}");
}

#[test]
fn a_parameter_that_is_removed_changes_no_other_value() {
    let unused = SCALED.replace(
        "def main(",
        "def main(unused: R.Tensor((3, 3), \"float32\"), ",
    );
    let folder = stages(&unused, &[("unused: R.Tensor((3, 3), \"float32\"), ", "")]);
    let (code, run) = run(folder.path(), &[]);
    assert_eq!((code, &run["verdict"]), (Some(0), &json!("equal")), "{run}");
    let note = run["notes"][0].as_str().unwrap();
    assert!(note.contains("does not depend on `unused`"), "{run}");
}

#[test]
fn nan_beside_nan_shows_nothing() {
    let nan = SCALED.replace("R.sqrt(var)", "R.sqrt(R.negative(var))");
    let folder = stages(&nan, &[("R.exp(x)", "R.sin(x)")]);
    let (code, run) = run(folder.path(), &[]);
    // `a` itself is compared, and differs.
    assert_eq!(
        (code, &run["verdict"]),
        (Some(1), &json!("differs")),
        "{run}"
    );
    let folder = stages(&nan, &[("b = R", "b2 = R.nn.relu(a)\n            b = R")]);
    let (code, run) = self::run(folder.path(), &[]);
    assert_eq!(
        (code, &run["verdict"]),
        (Some(0), &json!("incomplete")),
        "{run}"
    );
    let doubt = run["doubts"][0].as_str().unwrap();
    assert!(
        doubt.contains("only 0 of 4 elements of `out` are finite"),
        "{run}"
    );
    let (code, _) = self::run(folder.path(), &["--strict"]);
    assert_eq!(code, Some(1));
}

#[test]
fn a_stage_that_stops_where_the_one_before_ran_is_wrong() {
    let cast = SCALED.replace(
        "c = R.divide",
        "m = R.match_cast(a, R.Tensor((4,), \"float32\"))\n            c = R.divide",
    );
    let folder = stages(
        &cast,
        &[(
            "R.match_cast(a, R.Tensor((4,)",
            "R.match_cast(a, R.Tensor((5,)",
        )],
    );
    let (code, run) = run(folder.path(), &[]);
    assert_eq!((code, &run["verdict"]), (Some(1), &json!("stops")), "{run}");
    assert_eq!(run["first_stop"], 1, "{run}");
    assert!(run["stages"][1]["stopped"]["line"].is_number(), "{run}");
}

#[test]
fn nothing_compared_is_not_equal() {
    let unknown = SCALED.replace(
        "R.exp(x)",
        "R.call_pure_packed(\"mine\", x, sinfo_args=R.Tensor((4,), \"float32\"))",
    );
    let folder = stages(&unknown, &[("scale", "factor")]);
    let (code, run) = run(folder.path(), &[]);
    assert_eq!(
        (code, &run["verdict"]),
        (Some(2), &json!("nothing-compared")),
        "{run}"
    );
    assert!(
        run["stages"][0]["skipped"]
            .as_str()
            .unwrap()
            .contains("mine"),
        "{run}"
    );
}

#[test]
fn each_function_has_a_column() {
    let two = SCALED.to_owned()
        + &SCALED[SCALED.find("    @R.function").unwrap()..].replace("main", "other");
    let folder = stages(&two, &[("def other", "def other")]);
    let last = folder.path().join("001_Pass1.py");
    let changed = two.replacen("R.exp(x)", "R.sin(x)", 1);
    std::fs::write(&last, changed).unwrap();
    let output = passes(&[".", "--run"], folder.path());
    let text = text(&output);
    assert!(text.contains("≠="), "{text}");
    assert!(text.contains("2 of 2 stages ran `other`"), "{text}");
}

/// A long sum, in two orders. In float64 they are equal.
const SUMS: &str = r#"from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float16"), y: R.Tensor((4,), "float16"), z: R.Tensor((4,), "float16")):
        with R.dataflow():
            a = R.add(R.multiply(x, R.const(3000.0, "float16")), y)
            b = R.subtract(a, R.multiply(x, R.const(3000.0, "float16")))
            R.output(b)
        return b
"#;

#[test]
fn rounding_is_told_from_a_mistake() {
    let folder = stages(
        SUMS,
        &[(
            "b = R.subtract(a, R.multiply(x, R.const(3000.0, \"float16\")))",
            "b = R.add(y, R.const(0.0, \"float16\"))",
        )],
    );
    let (code, found) = run(folder.path(), &[]);
    assert_eq!(
        (code, &found["verdict"]),
        (Some(1), &json!("differs")),
        "{found}"
    );
    let (code, found) = run(folder.path(), &["--precision", "high"]);
    assert_eq!(
        (code, &found["verdict"]),
        (Some(0), &json!("equal")),
        "{found}"
    );
    assert!(
        found["notes"][0]
            .as_str()
            .unwrap()
            .contains("only rounds differently"),
        "{found}"
    );
    let folder = stages(SUMS, &[("R.subtract(a", "R.add(a")]);
    let (_, found) = run(folder.path(), &["--precision", "high"]);
    assert_eq!(found["first_difference"]["rounding"], false, "{found}");
}

/// Returns a folder of dumps. The last one has only PrimFuncs.
fn with_only_prim_funcs_at_the_end() -> tempfile::TempDir {
    let folder = damaged("mlp", "027", "@R.function", "@cut");
    let last = folder.path().join("027_sequential.py");
    let dump = std::fs::read_to_string(&last).unwrap();
    let prim_funcs = dump.split("    @cut").next().unwrap();
    std::fs::write(&last, prim_funcs).unwrap();
    folder
}

#[test]
fn a_named_prim_func_runs_in_a_stage_of_prim_funcs() {
    let folder = with_only_prim_funcs_at_the_end();
    let output = passes(&[".", "--run", "--function", "softmax"], folder.path());
    let text = text(&output);
    assert!(
        text.contains("28 of 28 stages ran `softmax`\nequal: "),
        "{text}"
    );
}

#[test]
fn a_stage_of_prim_funcs_runs_with_the_last_relax_functions() {
    let folder = with_only_prim_funcs_at_the_end();
    let output = passes(&[".", "--run"], folder.path());
    assert!(
        text(&output).contains("28 of 28 stages ran `forward`"),
        "{output:?}"
    );
    let last = folder.path().join("027_sequential.py");
    let dump = std::fs::read_to_string(&last).unwrap();
    let (old, new) = ("T.float32(0.0))", "T.float32(0.25))");
    assert!(dump.contains(old));
    std::fs::write(&last, dump.replace(old, new)).unwrap();
    let (code, run) = run(folder.path(), &[]);
    assert_eq!(code, Some(1), "{run}");
    let first = &run["first_difference"];
    assert_eq!(
        (&first["stage"], &first["binding"]["in"]),
        (&json!(27), &json!(26)),
        "{run}"
    );
}

#[test]
fn stages_that_fail_alike_are_listed_once() {
    let folder = damaged("mlp", "025", "def forward(", "def other(");
    let output = passes(&[".", "--run"], folder.path());
    let text = text(&output);
    assert!(
        text.contains(
            "025_VMShapeLower to 027_sequential do not run: there is no function `forward`"
        ),
        "{text}"
    );
}

#[test]
fn the_first_changed_value_names_pass_and_binding() {
    let folder = damaged(
        "mlp",
        "012",
        "T.max(T_add_intermediate[v_i0, v_i1], T.float32(0.0))",
        "T.max(T_add_intermediate[v_i0, v_i1], T.float32(0.25))",
    );
    let output = passes(&[".", "--run", "--format", "json"], folder.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let first = &found["run"]["first_difference"];
    assert_eq!(first["stage"], 12, "{first}");
    assert_eq!(first["binding"]["name"], "lv", "{first}");
    let what = first["what"].as_str().unwrap();
    assert!(what.contains("elements are off by more than"), "{what}");
}

#[test]
fn values_in_memory_are_compared_with_their_binding() {
    for (from, before, name) in [("018", 17, "lv"), ("022", 21, "alloc1")] {
        let folder = damaged(
            "mlp",
            from,
            "T.max(T_add_intermediate[v_i0, v_i1], T.float32(0.0))",
            "T.max(T_add_intermediate[v_i0, v_i1], T.float32(0.25))",
        );
        let output = passes(&[".", "--run", "--format", "json"], folder.path());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let first = &found["run"]["first_difference"];
        assert_eq!(first["stage"], before + 1, "{first}");
        assert_eq!(first["binding"]["name"], name, "{first}");
    }
}

#[test]
fn a_folder_without_dumps_exits_2() {
    let folder = tempfile::tempdir().unwrap();
    let output = passes(&["."], folder.path());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_report_draws_the_memory_plan_and_the_measured_peak() {
    let directory = tempfile::tempdir().unwrap();
    let page = directory.path().join("report.html");
    let output = Command::new(tests::relax_lsp())
        .args(["report", "--run", "--dim", "batch=2", "-o"])
        .arg(&page)
        .arg(fixture("mlp"))
        .output()
        .expect("relax-lsp starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = std::fs::read_to_string(page).unwrap();
    let plan = page.split("<svg").nth(1).expect("a picture");
    let plan = plan.split("</svg>").next().unwrap_or_default();
    assert_eq!(plan.matches("<text").count(), 5, "{plan}");
    assert!(plan.contains("<title>alloc: bindings "), "{plan}");
    assert!(page.contains("Time of a run after 027_sequential"));
    assert!(!page.contains("http") && !page.contains("href=\"#after"));
}

#[test]
fn passes_whose_dumps_are_one_text_change_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(fixture("mlp").join("000_LegalizeOps.py")).unwrap();
    for name in ["000_A.py", "001_B.py", "002_C.py"] {
        std::fs::write(directory.path().join(name), &text).unwrap();
    }
    let output = passes(&["."], directory.path());
    assert!(
        self::text(&output).contains("unchanged by B, C"),
        "{output:?}"
    );
}

#[test]
fn the_report_of_a_language_model_is_small_enough_to_attach() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/models");
    let stages = ["nn", "legalized", "fused", "lowered"];
    let stages = stages.map(|it| models.join(format!("lm2-{it}.tvm-0.27.py")));
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.html");
    let written = Command::new(tests::relax_lsp())
        .arg("report")
        .args(stages)
        .arg("-o")
        .arg(&report)
        .status()
        .expect("relax-lsp starts");
    assert!(written.success());
    let page = std::fs::read_to_string(&report).unwrap();
    assert!(page.contains("operators became calls"));
    assert!(page.len() < 200_000, "{} bytes", page.len());
}
