//! Tests of `relax-lsp record`, `origin` and `passes --record` with the TVM that is installed, on programs in
//! `fixtures/record`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use tests::client::Client;

use super::recorded::{Recorder, stderr, stdout};

#[test]
fn each_binding_of_an_exported_model_has_its_line_and_module() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    let output = recorder.record("network.py", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("built True"));
    let origins = recorder.json(&["origin", "rec"]);
    assert_eq!(origins["known"], origins["calls"]);
    let bindings = origins["bindings"].as_array().expect("a list");
    let of_silu = bindings
        .iter()
        .filter(|it| it["name"].as_str().unwrap().starts_with("silu"));
    let places: Vec<String> = of_silu
        .map(|it| {
            let origin = &it["origins"][0];
            format!(
                "{} {}",
                origin["module"].as_str().unwrap(),
                origin["frames"][0][1]
            )
        })
        .collect();
    assert_eq!(places, ["layers.0 16", "layers.1 16"]);
    let of_line = recorder.run(&["origin", "rec", "network.py:16"]);
    assert_eq!(
        stdout(&of_line).matches("silu").count(),
        2,
        "{}",
        stdout(&of_line)
    );
    let of_module = recorder.run(&["origin", "rec", "layers.1.down"]);
    assert!(
        stdout(&of_module).contains("matmul"),
        "{}",
        stdout(&of_module)
    );
}

#[test]
fn origins_pass_through_the_default_pipeline() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    recorder.record("network.py", &[]);
    let last = recorder.module_with("_pipeline");
    let origins = recorder.json(&["origin", last.to_str().unwrap()]);
    let share = |name: &str| origins[name].as_u64().unwrap() as f64;
    assert!(share("calls") >= 8.0);
    assert!(
        share("known") / share("calls") >= 0.9,
        "{}",
        origins["known"]
    );
    // The stages of a recording run without an option, with the recorded weights.
    let passes = recorder.json(&["passes", "rec", "--run", "--format", "json"]);
    assert_eq!(passes["run"]["verdict"], "equal", "{}", passes["run"]);
    let stages = passes["stages"].as_array().unwrap();
    assert!(stages.iter().all(|it| it["seconds"].is_number()));
    assert!(stages.iter().any(|it| it["parent"].is_number()));
}

#[test]
fn what_ends_a_program_is_named_with_its_line() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    let said = |argument: &str| {
        let output = recorder.record("network.py", &[argument]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stderr(&output)
    };
    let of_pass = said("pass");
    assert!(
        of_pass.contains("the pass `Breaks` raised ValueError at network.py:33: expected a tensor")
            && of_pass.contains("the last module before it: rec/000_export.py"),
        "{of_pass}"
    );
    let own = said("own");
    assert!(
        own.contains("the program raised KeyError at network.py:42: 'no such layer'"),
        "{own}"
    );
    // Python's own report stays, without the frames of the recorder.
    assert!(
        own.contains("line 42, in build") && !own.contains("runpy"),
        "{own}"
    );
    let ill_formed = said("ill-formed");
    let named = "the program raised ValueError at network.py:48: Var y is not defined.\n  the last module before it: rec/001_ill_formed.py";
    assert!(ill_formed.contains(named), "{ill_formed}");
}

#[test]
fn passes_can_be_recorded_and_read_at_once() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    let python = recorder.python.to_str().unwrap();
    let output = recorder.run(&[
        "passes",
        "--record",
        "--python",
        python,
        "--output",
        "rec",
        "network.py",
        "--",
        "pass",
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("the pass `Breaks` raised"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("000_export") || stdout(&output).contains("export"));
}

#[test]
fn a_folder_with_other_files_is_not_overwritten() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    std::fs::create_dir(recorder.folder().join("rec")).unwrap();
    std::fs::write(recorder.folder().join("rec/notes.txt"), "mine").unwrap();
    let output = recorder.record("network.py", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("`notes.txt`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_recording_names_no_file_outside_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let about =
        r#"{"format": 1, "modules": [{"label": "a", "file": "../secret.py", "kind": "import"}]}"#;
    std::fs::write(folder.path().join("recording.json"), about).unwrap();
    let mut command = Command::new(tests::relax_lsp());
    let output = command.arg("origin").arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("../secret.py"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_recording_of_a_later_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let about = r#"{"format": 2, "modules": []}"#;
    std::fs::write(folder.path().join("recording.json"), about).unwrap();
    let mut command = Command::new(tests::relax_lsp());
    let output = command.arg("origin").arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("needs a newer relax-lsp"),
        "{}",
        stderr(&output)
    );
}

impl Recorder {
    /// Returns the last module of the recording whose label contains a name.
    fn module_with(&self, name: &str) -> PathBuf {
        let about = std::fs::read(self.folder().join("rec/recording.json")).unwrap();
        let about: Value = serde_json::from_slice(&about).unwrap();
        let modules = about["modules"].as_array().unwrap().iter().rev();
        let mut labels = modules.map(|it| it["label"].as_str().unwrap());
        let label = labels.find(|it| it.contains(name)).expect("a module");
        Path::new("rec").join(format!("{label}.py"))
    }
}

#[test]
fn a_recorded_module_says_where_its_bindings_came_from() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    recorder.record("network.py", &[]);
    let module = "rec/000_export.py";
    let trace = recorder.run(&["run", module, "--dim", "n=3", "--trace"]);
    assert!(
        stdout(&trace).contains("· layers.1.down  network.py:17"),
        "{}",
        stdout(&trace)
    );
    let of_recording = recorder.run(&["run", "rec::forward", "--dim", "n=3"]);
    assert!(
        stdout(&of_recording).contains("forward(n=3)"),
        "{}",
        stderr(&of_recording)
    );
    let cost = recorder.run(&["cost", module, "--dim", "n=3", "--by", "module"]);
    assert!(
        stdout(&cost)
            .lines()
            .any(|it| it.contains(" layers.0.up ") && it.ends_with(" 3 bindings")),
        "{}",
        stdout(&cost)
    );
    // The last stage inherits it.
    let lowered = recorder.module_with("_pipeline");
    for path in [Path::new(module), &lowered] {
        let path = recorder.folder().join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        let calls = ["R.nn.silu(", "cls.silu("];
        let place = |text: &str| {
            calls
                .iter()
                .find_map(|it| Some(text.find(it)? + it.len() - 2))
        };
        let mut lines = text.lines().map(place).enumerate();
        let found = lines.find_map(|(line, at)| Some((line, at?)));
        let (line, at) = found.expect("a call of silu");
        let uri = format!("file://{}", path.display());
        let mut client = Client::initialized(json!({
            "textDocument": {"hover": {"contentFormat": ["markdown"]}}
        }));
        client.open(&uri, 1, &text);
        client.diagnostics(&uri, 1);
        let position = json!({"line": line, "character": at});
        let asked = json!({"textDocument": {"uri": uri}, "position": position});
        let hover = client.call("textDocument/hover", asked);
        let said = hover["contents"]["value"].as_str().expect("a hover");
        assert!(
            said.contains("from `layers.0` · [`network.py:16`](file:///"),
            "{said}"
        );
        assert!(said.contains("network.py#L16)"), "{said}");
    }
}

#[test]
fn a_module_is_reduced_to_what_a_pass_does_wrong() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    recorder.record("network.py", &[]);
    let reduced = |pass: &str| {
        let keep = format!("pass:{pass}");
        let arguments = ["rec/000_export.py", "--keep", &keep, "-o", "small"];
        let output = recorder.reduce(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let report = std::fs::read_to_string(recorder.folder().join("small/report.py"));
        (stderr(&output), report.expect("a report"))
    };
    let (said, report) = reduced("passes.Doubles()");
    assert!(
        said.contains("`passes.Doubles()` changes a value"),
        "{said}"
    );
    assert_eq!(report.matches(" = R.").count(), 1, "{report}");
    assert!(
        report.contains("R.nn.silu(") && report.contains("import passes"),
        "{report}"
    );
    let passes = recorder.run(&["passes", "small", "--run"]);
    assert_eq!(passes.status.code(), Some(1), "{}", stdout(&passes));
    let (said, report) = reduced("passes.Refuses()");
    assert!(
        said.contains("raises ValueError") || said.contains("raises RuntimeError"),
        "{said}"
    );
    assert!(report.contains("R.nn.silu("), "{report}");
    // TVM's own pass is right, and a stranger's has to be named by an expression.
    let fails = |keep: &str| {
        let output = recorder.reduce(&["rec/000_export.py", "--keep", keep]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output)
    };
    let right = fails("pass:FoldConstant");
    assert!(
        right.contains("raises no exception for `rec/000_export.py`, and changes no value"),
        "{right}"
    );
    let unknown = fails("pass:Doubles");
    assert!(unknown.contains("TVM has no pass `Doubles`"), "{unknown}");
}

#[test]
fn the_wrong_pass_of_a_recording_is_found() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    recorder.record("network.py", &["pass"]);
    let output = recorder.reduce(&["rec"]);
    assert!(
        stderr(&output).contains("TVM has no pass `Breaks`"),
        "{}",
        stderr(&output)
    );
    recorder.record("network.py", &[]);
    let right = recorder.reduce(&["rec"]);
    let said = stderr(&right);
    assert!(
        said.contains("no pass of the recording raised an exception, and none changes a value"),
        "{said}"
    );
}

#[test]
fn the_recording_of_the_readme_names_the_wrong_pass_and_the_line_of_the_model() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(tests::relax_lsp());
        command.args(arguments).current_dir(root);
        command.output().expect("relax-lsp starts")
    };
    let output = run(&["passes", "examples/digits/recording", "--run"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stdout(&output);
    let named =
        "001_FoldBatchNorm is the first stage whose values differ from 000_from_exported_program";
    assert!(said.contains(named), "{said}");
    assert!(
        said.contains("  from first.norm  ") && said.contains("  examples/digits/model.py:19\n"),
        "{said}"
    );
    let json = run(&[
        "passes",
        "examples/digits/recording",
        "--run",
        "--format",
        "json",
    ]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let first = &json["run"]["first_difference"];
    assert_eq!(first["module_path"], "first.norm");
    assert_eq!(
        first["source"],
        json!({"file": "examples/digits/model.py", "line": 19})
    );
    // The importer is right, so the first module gives what PyTorch gives: a digit.
    let output = run(&["run", "examples/digits/recording"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // Time and memory by the modules of the model.
    let by_module = ["--trace", "--by", "module"];
    let output = run(&[&["run", "examples/digits/recording"], &by_module[..]].concat());
    let said = stdout(&output);
    let row = said.lines().find(|it| it.ends_with("  second.conv"));
    assert!(row.is_some_and(|it| it.contains("8 KiB")), "{said}");
}

#[test]
fn what_an_outer_pass_did_is_not_blamed_on_an_inner_one() {
    let Some(recorder) = Recorder::new() else {
        return;
    };
    recorder.record("nested.py", &[]);
    let passes = recorder.json(&["passes", "rec", "--run", "--format", "json"]);
    let passes_in_order = passes["stages"].as_array().unwrap().iter();
    let names: Vec<&str> = passes_in_order
        .map(|it| it["pass"].as_str().unwrap())
        .collect();
    let expected = [
        "export",
        "DoublesAndCleans",
        "DeadCodeElimination",
        "DoublesAndCleans",
    ];
    assert_eq!(names, expected, "{passes}");
    assert_eq!(
        passes["run"]["first_difference"]["stage"], 1,
        "{}",
        passes["run"]
    );
}
