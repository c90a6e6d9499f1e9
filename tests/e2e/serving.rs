//! Tests of serving a model: weights from files, and calls of several functions in order.

use std::path::Path;
use std::process::{Command, Output};

use super::weights::TWO;
use serde_json::{Value, json};
use tests::client::Client;

const URI: &str = "file:///m.py";

const SCALED: &str = r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def by_name(x: R.Tensor((2,), "float32"), layer_scale: R.Tensor((2, 2), "float32"), layer_bias: R.Tensor((2,), "float16")):
        return (R.matmul(x, layer_scale), layer_bias)

    @R.function
    def packed(x: R.Tensor((2,), "float32"), params: R.Tuple(R.Tensor((2, 2), "float32"), R.Tensor((2,), "float16"))):
        return (R.matmul(x, params[0]), params[1])

    @R.function
    def wider(x: R.Tensor((2,), "float32"), params: R.Tuple(R.Tensor((2, 3), "float32"), R.Tensor((2,), "float16"), R.Tensor((1,), "float32"))):
        return R.matmul(x, params[0])

    @R.function
    def exported(x: R.Tensor((2,), "float32"), p_layer_Scale: R.Tensor((2, 2), "float32"), b_layer_bias: R.Tensor((2,), "float16")):
        return (R.matmul(x, p_layer_Scale), b_layer_bias)

    @R.function
    def partial(x: R.Tensor((2,), "float32"), p_layer_scale: R.Tensor((2, 2), "float32"), p_gate: R.Tensor((1,), "float32")):
        R.func_attr({"num_input": 1})
        return R.matmul(x, p_layer_scale)

    @R.function(pure=False)
    def make(room: R.Shape(["n", "m"])):
        n, m = T.int64(), T.int64()
        init = R.zeros(R.shape([1, 2]), "float32")
        cache = R.call_packed("vm.builtin.attention_kv_cache_create", init, R.shape([n, m]), 0, sinfo_args=R.Object)
        return cache

    @R.function(pure=False)
    def keep(cache: R.Object, x: R.Tensor(("k", 2), "float32")):
        _ = R.call_packed("vm.builtin.attention_kv_cache_append", cache, x, sinfo_args=R.Object)
        return R.call_packed("vm.builtin.attention_kv_cache_view", cache, sinfo_args=R.Tensor(ndim=2, dtype="float32"))

    @R.function(pure=False)
    def pass_on(cache: R.Object):
        return (R.zeros(R.shape([1]), "float32"), cache)
"#;

pub fn run(directory: &Path, arguments: &[&str]) -> Output {
    let text = SCALED.replacen("ir as I,", "ir as I, tir as T,", 1);
    std::fs::write(directory.join("m.py"), text).unwrap();
    Command::new(tests::relax_lsp())
        .arg("run")
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("relax-lsp starts")
}

pub fn weights(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/weights");
    folder.join(name).to_string_lossy().into_owned()
}

fn answer(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn weights_are_read_from_every_format() {
    let directory = tempfile::tempdir().unwrap();
    for file in ["w.npz", "w.params", "w.safetensors", "cache"] {
        for function in ["by_name", "packed", "exported"] {
            let file = weights(file);
            let target = format!("m.py::{function}");
            let mut arguments = vec![&*target, "--params", &file, "--input", "x=ones"];
            if function == "packed" {
                arguments.extend(["--param-names", "layer.scale,layer.bias"]);
            }
            arguments.extend(["--format", "json"]);
            let answer = answer(&run(directory.path(), &arguments));
            let first = |at: usize| answer["outputs"][at]["first"].to_string();
            assert_eq!(
                (first(0), first(1)),
                ("[4.0,6.0]".into(), "[5.0,6.0]".into()),
                "{file}"
            );
        }
    }
}

#[test]
fn a_run_from_an_editor_takes_weights_from_files_too() {
    let text = SCALED.replacen("ir as I,", "ir as I, tir as T,", 1);
    let mut client = Client::plain();
    client.open(URI, 1, &text);
    client.diagnostics(URI, 1);
    let argument = json!({
        "uri": URI, "function": "Module.packed", "inputs": {"x": "ones"},
        "weights": [weights("w.safetensors")], "weightNames": ["layer.scale", "layer.bias"],
    });
    let call = json!({"command": "relax.run", "arguments": [argument]});
    let answer = client.call("workspace/executeCommand", call);
    assert_eq!(answer["outputs"][0]["first"], json!([4.0, 6.0]), "{answer}");
}

#[test]
fn weights_that_are_missing_or_do_not_fit_are_listed() {
    let directory = tempfile::tempdir().unwrap();
    let file = weights("w.safetensors");
    let names = "layer.scale,layer.bias,layer.gate";
    let output = run(
        directory.path(),
        &["m.py::wider", "--params", &file, "--param-names", names],
    );
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("parameters without a weight: params.2 (layer.gate)"),
        "{stderr}"
    );
    assert!(
        stderr.contains("layer.scale is (2, 2) of float32, but (2, 3) is expected"),
        "{stderr}"
    );
}

#[test]
fn weights_of_which_only_a_part_is_taken_are_refused_unless_allowed() {
    let directory = tempfile::tempdir().unwrap();
    let file = weights("w.safetensors");
    let arguments = ["m.py::partial", "--params", &file, "--input", "x=ones"];
    let refused = run(directory.path(), &arguments);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8(refused.stderr).unwrap();
    assert!(
        stderr.contains("parameters without a weight: p_gate"),
        "{stderr}"
    );
    assert!(
        stderr.contains("weights that no parameter takes: layer.bias"),
        "{stderr}"
    );
    let none = run(directory.path(), &["m.py::pass_on", "--params", &file]);
    let stderr = String::from_utf8(none.stderr).unwrap();
    assert!(
        stderr.contains("no parameter takes any of the weights"),
        "{stderr}"
    );
    let allowed = [&arguments[..], &["--allow-missing", "--format", "json"]].concat();
    let answer = answer(&run(directory.path(), &allowed));
    assert_eq!(answer["outputs"][0]["first"], json!([4.0, 6.0]));
}

fn opened(text: &str) -> Client {
    let text = text.replacen("ir as I,", "ir as I, tir as T,", 1);
    let mut client = Client::plain();
    client.open(URI, 1, &text);
    client.diagnostics(URI, 1);
    client
}

fn run_in_editor(client: &mut Client, function: &str, more: &Value) -> Value {
    let mut argument = json!({"uri": URI, "function": function});
    for (key, value) in more.as_object().unwrap() {
        argument[key] = value.clone();
    }
    let call = json!({"command": "relax.run", "arguments": [argument]});
    client.call("workspace/executeCommand", call)
}

fn made_cache(client: &mut Client) {
    let made = run_in_editor(client, "Module.make", &json!({"dims": {"n": 4, "m": 2}}));
    assert_eq!(made["objects"], json!(["Module.make"]), "{made}");
}

/// Runs `Module.keep` on the cache that `Module.make` returned.
fn keep(client: &mut Client) -> Value {
    let inputs = json!({"x": "ones", "cache": "$Module.make"});
    run_in_editor(
        client,
        "Module.keep",
        &json!({"inputs": inputs, "dims": {"k": 1}}),
    )
}

#[test]
fn a_cache_is_an_input_of_the_next_run() {
    let mut client = opened(SCALED);
    made_cache(&mut client);
    assert_eq!(keep(&mut client)["outputs"][0]["shape"], json!([1, 2]));
    let missing = json!({"inputs": {"x": "npz.npy"}});
    let failed = run_in_editor(&mut client, "Module.by_name", &missing);
    assert_eq!(failed["ok"], json!(false), "{failed}");
    assert_eq!(failed["objects"], json!(["Module.make"]), "{failed}");
    let again = keep(&mut client);
    assert_eq!(again["outputs"][0]["shape"], json!([2, 2]), "{again}");
}

#[test]
fn a_cache_passed_through_keeps_its_name() {
    let mut client = opened(SCALED);
    made_cache(&mut client);
    let inputs = json!({"inputs": {"cache": "$Module.make"}});
    let passed_on = run_in_editor(&mut client, "Module.pass_on", &inputs);
    assert_eq!(
        passed_on["outputs"][1]["kind"],
        json!("object"),
        "{passed_on}"
    );
    assert_eq!(passed_on["objects"], json!(["Module.make"]));
}

#[test]
fn a_cache_survives_edits_and_ends_with_its_document() {
    let mut client = opened(SCALED);
    made_cache(&mut client);
    let text = format!("# edited\n{SCALED}").replacen("ir as I,", "ir as I, tir as T,", 1);
    client.change(URI, 2, json!([{"text": text}]));
    client.diagnostics(URI, 2);
    assert_eq!(keep(&mut client)["outputs"][0]["shape"], json!([1, 2]));
    client.close(URI);
    client.notification("textDocument/publishDiagnostics");
    client.open(URI, 3, &text);
    client.diagnostics(URI, 3);
    let gone = keep(&mut client);
    let message = "there is no result `Module.make`: first run the function that returns it";
    assert_eq!(gone["error"]["message"], json!(message));
}

/// Creates a sparse file of zeros.
fn of_zeros(path: &Path, shape: [u64; 2], length: u64) {
    let header = json!({"w": {"dtype": "F32", "shape": shape, "data_offsets": [0, shape[0] * shape[1] * 4]}});
    let header = header.to_string();
    let header = format!("{header:width$}", width = header.len().next_multiple_of(8));
    let start = [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
    std::fs::write(path, &start).unwrap();
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_len(start.len() as u64 + length).unwrap();
}

const LARGE: &str = r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def row(w: R.Tensor((32768, 16384), "float32")):
        return R.take(w, R.const([7], "int64"), axis=0)
"#;

#[test]
fn weights_larger_than_the_memory_limit_are_mapped() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("large.py"), LARGE).unwrap();
    let weights = directory.path().join("w.safetensors");
    of_zeros(&weights, [32768, 16384], 2 << 30);
    let arguments = ["large.py", "--params", "w.safetensors", "--memory-limit"];
    let run = run(
        directory.path(),
        &[&arguments[..], &["64", "--format", "json"]].concat(),
    );
    assert_eq!(answer(&run)["outputs"][0]["shape"], json!([1, 16384]));
}

#[test]
fn truncated_weights_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("large.py"), LARGE).unwrap();
    of_zeros(
        &directory.path().join("w.safetensors"),
        [32768, 16384],
        1 << 20,
    );
    let output = run(directory.path(), &["large.py", "--params", "w.safetensors"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr.contains("the file ends before the end of `w`"),
        "{stderr}"
    );
}

/// A paged cache whose functions only copy pages.
const PAGED: &str = r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def copy_page(a: T.handle, s: T.int64, t: T.int64, n: T.int64):
        p = T.int64()
        A = T.match_buffer(a, (p, 2, 1, 4, 2), "float32")
        for i in range(n):
            A[t, 0, 0, i, 0] = A[s, 0, 0, i, 0]

    @R.function(pure=False)
    def cache(x: R.Tensor((2,), "float32")):
        cls = Module
        c = R.call_packed("vm.builtin.paged_attention_kv_cache_create_reduced", R.shape([4, 32, 8, 4, 0]), R.shape([0, 1]), R.prim_value(1), R.prim_value(1), R.prim_value(2), R.prim_value(0), R.prim_value(1), R.prim_value(10000), x, FUNCTIONS, R.prim_value(0), sinfo_args=R.Object())
        return c
"#;

#[test]
fn tokens_are_taken_off_a_sequence_whatever_the_others_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let functions = vec!["cls.copy_page"; 13].join(", ");
    let program = PAGED.replace("FUNCTIONS", &functions);
    std::fs::write(directory.path().join("paged.py"), program).unwrap();
    let call = |name: &str, more: &[Value]| {
        let args = [&[json!("$c")][..], more].concat();
        json!({"call": format!("vm.builtin.{name}"), "args": args})
    };
    for (popped, other) in [(-1, 0), (0, -1), (7, -8)] {
        let calls = json!([
            {"call": "cache", "args": [{"tensor": [1, 2]}], "as": "c"},
            call("kv_state_add_sequence", &[json!(2)]),
            call("kv_state_begin_forward", &[json!({"shape": [2]}), json!({"shape": [5]})]),
            call("kv_state_fork_sequence", &[json!(2), json!(popped), json!(-1)]),
            call("kv_state_add_sequence", &[json!(other)]),
            call("kv_state_popn", &[json!(popped), json!(2)]),
            call("kv_state_popn", &[json!(popped), json!(3)]),
            call("kv_state_popn", &[json!(popped), json!(1)]),
        ]);
        std::fs::write(directory.path().join("calls.json"), calls.to_string()).unwrap();
        let output = run(directory.path(), &["paged.py", "--script", "calls.json"]);
        let complaint = String::from_utf8_lossy(&output.stderr);
        let has_none_left = format!("sequence {popped} has 0 tokens");
        assert!(complaint.contains(&has_none_left), "{output:?}");
    }
}

#[test]
fn results_of_a_script_stay_in_their_folder() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("two.py"), TWO).unwrap();
    let escaped = directory.path().join("escaped");
    for name in ["../escaped", escaped.to_str().unwrap(), "a/../../escaped"] {
        let calls = json!([{"call": "main", "args": [{"tensor": [1, 2]}], "as": name}]);
        std::fs::write(directory.path().join("calls.json"), calls.to_string()).unwrap();
        let arguments = ["two.py", "--script", "calls.json", "--output", "out"];
        let output = run(directory.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains("leads out of its folder"), "{complaint}");
        assert!(!directory.path().join("escaped.npy").exists());
    }
}

#[test]
fn a_script_calls_functions_in_order_and_passes_results_on() {
    let directory = tempfile::tempdir().unwrap();
    let calls = r#"[
        {"call": "make", "args": [{"shape": [4, 2]}], "as": "cache"},
        {"call": "keep", "args": ["$cache", {"tensor": [[1, 2]], "dtype": "float32"}]},
        {"call": "keep", "args": {"cache": "$cache", "x": {"tensor": [[3, 4], [5, 6]]}}, "as": "rows"},
        {"call": "vm.builtin.attention_kv_cache_view", "args": ["$cache"]}
    ]"#;
    std::fs::write(directory.path().join("calls.json"), calls).unwrap();
    let arguments = [
        "m.py",
        "--script",
        "calls.json",
        "--format",
        "json",
        "--output",
        "out",
    ];
    let answer = answer(&run(directory.path(), &arguments));
    let shape = |at: usize| answer["calls"][at]["outputs"][0]["shape"].to_string();
    assert_eq!(
        (shape(1), shape(2), shape(3)),
        ("[1,2]".into(), "[3,2]".into(), "[3,2]".into())
    );
    assert!(directory.path().join("out/rows.npy").is_file());
}

const NEXT: &str = r#"from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def logits(id: R.Tensor((1, 1), "int64"), table: R.Tensor((4, 4), "float32")) -> R.Tensor((1, 1, 4), "float32"):
        with R.dataflow():
            row = R.take(table, id, axis=0)
            R.output(row)
        return row
"#;

#[test]
fn a_script_repeats_calls_with_the_largest_element_of_a_result() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name);
    std::fs::write(file("next.py"), NEXT).unwrap();
    // Row k is largest at k + 1.
    let table = "[[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]";
    let script = |times: usize, expect: &str| {
        format!(
            r#"[{{"call": "logits", "args": {{"id": {{"tensor": [[0]], "dtype": "int64"}}, "table": {{"tensor": {table}}}}}, "as": "out"}},
            {{"repeat": {times}, "calls": [{{"call": "logits", "args":
                {{"id": {{"reshape": {{"argmax": "$out"}}, "shape": [1, -1]}}, "table": {{"tensor": {table}}}}}, "as": "out"}}]}},
            {{"call": "logits", "args": [{{"argmax": "$out"}}, {{"tensor": {table}}}]{expect}}}]"#
        )
    };
    std::fs::write(file("calls.json"), script(2, "")).unwrap();
    let arguments = ["next.py", "--script", "calls.json", "--output", "out"];
    let output = run(directory.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for name in ["out", "out-2", "out-3", "3"] {
        assert!(file(&format!("out/{name}.npy")).is_file(), "{name}");
    }
    // From row 0, four steps lead back to it.
    let expect = r#", "expect": "out/3.npy""#;
    for (times, code) in [(2, 0), (6, 0), (3, 1)] {
        std::fs::write(file("calls.json"), script(times, expect)).unwrap();
        let output = run(directory.path(), &["next.py", "--script", "calls.json"]);
        assert_eq!(output.status.code(), Some(code), "{times}: {output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            said.contains("differs from what is expected: out: "),
            code == 1,
            "{said}"
        );
    }
    let arguments = ["next.py", "--script", "calls.json", "--format", "json"];
    let output = run(directory.path(), &arguments);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["calls"][4]["expect"]["verdict"], "differs");

    std::fs::write(
        file("calls.json"),
        script(2, r#", "expect": {"1": "out/3.npy"}"#),
    )
    .unwrap();
    let output = run(directory.path(), &["next.py", "--script", "calls.json"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaint.contains("`expect` gives a tensor for `out.1`; the result is out"),
        "{complaint}"
    );
}
