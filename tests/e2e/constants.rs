//! Tests of constants that a text names by index: their elements are in the text, in files, beside recorded dumps, or
//! nowhere.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tests::client::Client;

/// `[1.0, 2.0]` of float32 in TVM's format.
const TENSOR: &str = "P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAAEA=";

fn newer() -> String {
    json!({"root_index": 4, "nodes": [
        {"type": "ffi.String", "data": "ir.GenericConst"},
        {"type": "ffi.Tensor", "data": TENSOR},
        {"type": "ir.GenericConst", "data": {"span": 9, "ty": 9, "value": 1}},
        {"type": "ffi.Array", "data": [2]},
        {"type": "ffi.Map", "data": [0, 3]},
    ]})
    .to_string()
}

fn older() -> String {
    json!({"root": 1, "nodes": [
        {"type_key": ""},
        {"type_key": "Map", "keys": ["relax.expr.Constant"], "data": [2]},
        {"type_key": "Array", "data": [3]},
        {"type_key": "relax.expr.Constant", "attrs": {"_checked_type_": "0", "data": "0", "span": "0", "struct_info_": "0"}},
    ], "b64ndarrays": [TENSOR]})
    .to_string()
}

/// Returns a program whose constants have a known type, after its metadata if there is one.
fn program(key: &str, metadata: Option<&str>) -> String {
    let escaped = |it: &str| it.replace('"', "\\\"");
    let metadata =
        metadata.map(|it| format!("metadata = tvm.ir.load_json(\"\"\"{}\"\"\")\n", escaped(it)));
    format!(
        r#"{}# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2,), dtype="float32") = metadata["{key}"][0]
            gv: R.Tensor((2,), dtype="float32") = R.add(x, lv)
            R.output(gv)
        return gv
"#,
        metadata.unwrap_or_default()
    )
}

fn tool(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(tests::relax_lsp())
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("relax-lsp starts")
}

fn answer(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Runs `main` of `m.py` on ones.
fn run(directory: &Path, more: &[&str]) -> Value {
    let arguments = ["run", "m.py", "--input", "x=ones", "--format", "json"];
    answer(&tool(directory, &[&arguments[..], more].concat()))
}

fn text_of(output: &[u8]) -> &str {
    std::str::from_utf8(output).expect("UTF-8")
}

fn safetensors(path: &Path, name: &str) {
    let header = json!({name: {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).to_string();
    let elements = [1f32.to_le_bytes(), 2f32.to_le_bytes()].concat();
    let length = (header.len() as u64).to_le_bytes();
    std::fs::write(path, [&length, header.as_bytes(), &elements].concat()).unwrap();
}

#[test]
fn a_constant_of_the_text_has_its_elements() {
    let place = tempfile::tempdir().unwrap();
    for (key, metadata) in [
        ("ir.GenericConst", newer()),
        ("relax.expr.Constant", older()),
    ] {
        std::fs::write(place.path().join("m.py"), program(key, Some(&metadata))).unwrap();
        let answer = run(place.path(), &[]);
        assert_eq!(answer["outputs"][0]["first"], json!([2.0, 3.0]), "{key}");
        assert_eq!(answer["generatedConstants"], Value::Null);
    }
}

#[test]
fn elements_come_from_every_kind_of_file() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    std::fs::write(at("m.py"), program("ir.GenericConst", None)).unwrap();
    std::fs::write(at("meta.json"), newer()).unwrap();
    std::fs::write(at("printed.py"), program("ir.GenericConst", Some(&newer()))).unwrap();
    safetensors(&at("named.safetensors"), "metadata[\"ir.GenericConst\"][0]");
    safetensors(&at("numbered.safetensors"), "0");
    safetensors(&at("ordered.safetensors"), "weight");
    for file in [
        "meta.json",
        "printed.py",
        "named.safetensors",
        "numbered.safetensors",
        "ordered.safetensors",
    ] {
        let answer = run(place.path(), &["--constants", file]);
        assert_eq!(answer["outputs"][0]["first"], json!([2.0, 3.0]), "{file}");
    }
    let refused = tool(place.path(), &["run", "m.py", "--constants", "m.py"]);
    assert_eq!(refused.status.code(), Some(2));
    let why = text_of(&refused.stderr);
    assert!(why.contains("TVM printed it without its metadata"), "{why}");
    let lowered = tool(
        place.path(),
        &[
            "lower",
            "m.py",
            "--stage",
            "normalized",
            "--constants",
            "meta.json",
        ],
    );
    let text = text_of(&lowered.stdout);
    assert!(text.contains("R.const([1.0, 2.0], \"float32\")"), "{text}");
}

#[test]
fn a_constant_without_a_source_is_generated_if_its_type_is_known() {
    let place = tempfile::tempdir().unwrap();
    let typed = program("ir.GenericConst", None);
    std::fs::write(place.path().join("m.py"), &typed).unwrap();
    let [first, again] = [0, 1].map(|_| run(place.path(), &[]));
    assert_eq!(first["generatedConstants"], json!([0]));
    assert_eq!(first["outputs"][0]["first"], again["outputs"][0]["first"]);
    // Generated like a weight: a vector is near 1, and `x` is 1.
    let outputs = first["outputs"][0]["first"].as_array().unwrap();
    let near = |it: &Value| (1.5..2.5).contains(&it.as_f64().unwrap());
    assert!(outputs.iter().all(near), "{outputs:?}");
    let shown = tool(place.path(), &["run", "m.py"]);
    let said = text_of(&shown.stdout);
    assert!(said.contains("(`--constants`): constant 0"), "{said}");
    let untyped = typed.replace("lv: R.Tensor((2,), dtype=\"float32\") = ", "lv = ");
    std::fs::write(place.path().join("m.py"), untyped).unwrap();
    let refused = tool(place.path(), &["run", "m.py"]);
    assert_eq!(refused.status.code(), Some(2));
    let why = text_of(&refused.stderr);
    assert!(why.contains("its type is not known here"), "{why}");
}

#[test]
fn a_given_constant_of_another_type_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let text = program("ir.GenericConst", None).replace("(2,)", "(3,)");
    std::fs::write(place.path().join("m.py"), text).unwrap();
    std::fs::write(place.path().join("meta.json"), newer()).unwrap();
    let refused = tool(place.path(), &["run", "m.py", "--constants", "meta.json"]);
    assert_eq!(refused.status.code(), Some(2));
    let why = text_of(&refused.stderr);
    assert!(
        why.contains("the given constant 0 is (2,) of float32, but (3,) of float32"),
        "{why}"
    );
}

#[test]
fn stages_take_the_constants_that_were_recorded_beside_them() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("dumps");
    std::fs::create_dir(&folder).unwrap();
    let text = program("ir.GenericConst", None);
    for label in ["000_input", "001_Nothing"] {
        std::fs::write(folder.join(label).with_extension("py"), &text).unwrap();
    }
    let passes = |more: &[&str]| {
        let output = tool(
            place.path(),
            &[&["passes", "dumps", "--run"], more].concat(),
        );
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text_of(&output.stdout).to_owned()
    };
    let generated = passes(&[]);
    assert!(generated.contains("2 of 2 stages ran"), "{generated}");
    assert!(
        generated.contains("generated, since the dumps lack their elements"),
        "{generated}"
    );
    let entry = json!({"metadata[\"ir.GenericConst\"][0]": "ab12"});
    let index = json!({"000_input": entry, "001_Nothing": entry}).to_string();
    std::fs::write(folder.join("constants.json"), index).unwrap();
    safetensors(&folder.join("constants.safetensors"), "ab12");
    let recorded = passes(&[]);
    assert!(recorded.contains("2 of 2 stages ran"), "{recorded}");
    assert!(!recorded.contains("generated"), "{recorded}");
    let arguments = [
        "run",
        "dumps/001_Nothing.py",
        "--input",
        "x=ones",
        "--format",
        "json",
    ];
    let one = answer(&tool(place.path(), &arguments));
    assert_eq!(one["outputs"][0]["first"], json!([2.0, 3.0]));
}

#[test]
fn the_types_of_recorded_constants_are_known_everywhere() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("rec");
    std::fs::create_dir(&folder).unwrap();
    let constant = "metadata[\"ir.GenericConst\"][0]";
    let text = program("ir.GenericConst", None)
        .replace(
            &format!("lv: R.Tensor((2,), dtype=\"float32\") = {constant}"),
            "lv = R.exp(x)",
        )
        .replace("R.add(x, lv)", &format!("R.add(lv, {constant})"));
    let file = folder.join("000_input.py");
    std::fs::write(&file, &text).unwrap();
    let index = json!({"000_input": {constant: "ab12"}}).to_string();
    std::fs::write(folder.join("constants.json"), index).unwrap();
    safetensors(&folder.join("constants.safetensors"), "ab12");
    // Three tensors of two float32.
    let costs = answer(&tool(
        place.path(),
        &["cost", "rec/000_input.py", "--format", "json"],
    ));
    let row = &costs["functions"][0]["bindings"][1];
    assert_eq!(row["bytes"], 24, "{costs}");
    // In an editor, and as the recording changes.
    let uri = format!("file://{}", file.display());
    let mut client = Client::initialized(json!({
        "textDocument": {"hover": {"contentFormat": ["markdown"]}}
    }));
    client.open(&uri, 1, &text);
    assert!(client.diagnostics(&uri, 1).is_empty());
    let before = &text[..text.find("metadata").unwrap()];
    let line = before.lines().count() - 1;
    let at = before.lines().last().unwrap().len() + 3;
    let position = json!({"line": line, "character": at});
    let asked = json!({"textDocument": {"uri": uri}, "position": position});
    let hover = client.call("textDocument/hover", asked);
    let said = hover["contents"]["value"].as_str().expect("a hover");
    assert!(said.contains("R.Tensor((2,), dtype=\"float32\")"), "{said}");
    assert!(said.contains("its elements are in the recording"), "{said}");
    let text = text.replace("(2,)", "(3,)");
    client.change(&uri, 2, json!([{"text": text}]));
    let found = client.diagnostics(&uri, 2);
    assert!(
        found[0]["message"].as_str().unwrap().contains("is `2`"),
        "{found:?}"
    );
    std::fs::write(&file, &text).unwrap();
    let checked = tool(place.path(), &["check", "rec/000_input.py"]);
    assert_eq!(checked.status.code(), Some(1), "{checked:?}");
}
