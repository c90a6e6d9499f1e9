//! Tests of `relax-lsp cost`: tables, JSON, and the release of the project.

use std::path::Path;
use std::process::{Command, Output};

use expect_test::expect;
use serde_json::{Value, json};

const PROGRAM: &str = r#"from tvm.script import relax as R


@R.function
def f(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32")):
    y = R.matmul(x, w)
    return R.nn.relu(y)
"#;

/// Until TVM 0.19, the value comes before the mode.
const PADDED: &str = r#"from tvm.script import relax as R


@R.function
def f(x: R.Tensor((4,), "float32")):
    y = R.nn.pad(x, (1, 1), 2.0, "constant")
    return y
"#;

fn relax_lsp(arguments: &[&str], directory: &Path) -> Output {
    let mut command = Command::new(tests::relax_lsp());
    let command = command.args(arguments).current_dir(directory);
    command.output().expect("relax-lsp starts")
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn answer(arguments: &[&str], directory: &Path) -> Value {
    let output = relax_lsp(arguments, directory);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("one object")
}

#[test]
fn cost_prints_a_table_of_bindings_and_totals() {
    let folder = folder(&[("model.py", PROGRAM)]);
    let output = relax_lsp(&["cost", "model.py::f"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    expect![[r#"
        f
          FLOPs    n * 72
          bytes    n * 112 + 128
          share   operations           bytes  FLOPs/byte  line  binding  calls
                 n * 64 FLOP  n * 48 + 128 B                 6  y        matmul
                  n * 8 FLOP        n * 64 B                 7           nn.relu
    "#]]
    .assert_eq(&text);
}

#[test]
fn given_dimensions_replace_formulas_in_json() {
    let folder = folder(&[("model.py", PROGRAM)]);
    let arguments = ["cost", "model.py", "--dim", "n=2", "--format", "json"];
    let answer = answer(&arguments, folder.path());
    let function = &answer["functions"][0];
    expect![[r#"
        {
          "name": "f",
          "bindings": [
            {
              "name": "y",
              "calls": "matmul",
              "flops": 128,
              "bytes": 224,
              "line": 6
            },
            {
              "name": "",
              "calls": "nn.relu",
              "flops": 16,
              "bytes": 128,
              "line": 7
            }
          ],
          "flops": 144,
          "bytes": 352,
          "unknown": 0,
          "planned": null,
          "line": 5
        }"#]]
    .assert_eq(&format!("{function:#}"));
}

#[test]
fn stages_run_by_the_release_of_the_project() {
    let pin = "[tool.relax-lsp]\ntvm = \"0.19\"\n";
    let module = |body: &str| {
        let body = body.replace("from tvm.script import relax as R\n", "");
        let body = body.trim().replace('\n', "\n    ");
        format!(
            "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    {body}\n"
        )
    };
    let (first, second) = (module(PADDED), module(PADDED).replace("2.0", "3.0"));
    let files = [
        ("000_A.py", first.as_str()),
        ("001_B.py", &second),
        ("pyproject.toml", pin),
    ];
    let folder = folder(&files);
    let output = relax_lsp(&["passes", ".", "--run", "--format", "json"], folder.path());
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one object");
    let run = &answer["run"];
    assert_eq!(run["verdict"], "differs", "{run:#}");
    assert_eq!(run["stages"][0], json!({"ran": true, "same": true}));
    let first = &run["first_difference"];
    assert_eq!((&first["stage"], &first["before"]), (&json!(1), &json!(0)));
    for binding in [&first["was"], &first["binding"]] {
        assert_eq!(
            (&binding["name"], &binding["line"]),
            (&json!("y"), &json!(7))
        );
    }
    let what = first["what"].as_str().unwrap();
    assert!(what.starts_with("2 of 6 elements are off"), "{what}");
}

/// The planned tensors end at different positions, are returned, or have a view.
const LAYERS: &str = r#"from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.handle, b: T.handle):
        m = T.int64()
        A = T.match_buffer(a, (m,), "float32")
        B = T.match_buffer(b, (m,), "float32")
        for i in range(m):
            B[i] = A[i] * T.float32(2)

    @R.function
    def f(x: R.Tensor(("n",), "float32"), w: R.Tensor((64,), "float32")):
        n = T.int64()
        a = R.call_tir(Module.double, (x,), out_sinfo=R.Tensor((n,), "float32"))
        b = R.call_tir(Module.double, (a,), out_sinfo=R.Tensor((n,), "float32"))
        c = R.reshape(b, (n, 1))
        d = R.call_tir(Module.double, (w,), out_sinfo=R.Tensor((64,), "float32"))
        e = R.call_tir(Module.double, (d,), out_sinfo=R.Tensor((64,), "float32"))
        g = R.reshape(c, (n,))
        h = R.call_tir(Module.double, (g,), out_sinfo=R.Tensor((n,), "float32"))
        return (e, h)
"#;

/// Returns the planned peak of a function, and the peak of a traced run.
fn peaks(file: &Path, function: &str, (dim, value): (&str, u32)) -> (u64, u64) {
    let folder = file.parent().expect("a folder");
    let named = format!("{}::{function}", file.display());
    let dim = format!("{dim}={value}");
    let run = |command: &[&str]| answer(&[command, &[&named, "--dim", &dim]].concat(), folder);
    let cost = run(&["cost", "--format", "json"]);
    let trace = run(&["run", "--trace", "--format", "json"]);
    let bytes = |it: &Value| {
        it.as_u64()
            .unwrap_or_else(|| panic!("{it} is not a number"))
    };
    let planned = &cost["functions"][0]["planned"];
    (
        bytes(&planned["peak"]),
        bytes(&trace["trace"]["memory"]["planned"]),
    )
}

#[test]
fn the_planned_peak_equals_the_measured_peak() {
    let folder = folder(&[("layers.py", LAYERS)]);
    let layers = folder.path().join("layers.py");
    let dump = |path: &str| {
        let fixtures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/passes"));
        fixtures.join(path)
    };
    let models = [
        (layers, "f", "n"),
        (dump("mlp/014_sequential.py"), "forward", "batch"),
        (dump("mlp/019_StaticPlanBlockMemory.py"), "forward", "batch"),
        (dump("mlp/022_LowerRuntimeBuiltin.py"), "forward", "batch"),
        (dump("convnet/020_LowerAllocTensor.py"), "forward", "batch"),
        (dump("convnet/021_KillAfterLastUse.py"), "forward", "batch"),
    ];
    for (file, function, dim) in &models {
        for value in [1, 3, 16] {
            let (planned, measured) = peaks(file, function, (dim, value));
            assert!(planned > 0);
            assert_eq!(planned, measured, "{} at {dim} = {value}", file.display());
        }
    }
}
