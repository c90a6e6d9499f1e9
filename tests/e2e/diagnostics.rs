//! Tests of diagnostics in an editor and in a terminal.

use std::process::Command;

use serde_json::{Value, json};

use super::programs::{DOUBLE, position, replace};
use tests::client::Client;

const URI: &str = "file:///double.py";

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics
        .iter()
        .map(|it| it["code"].as_str().unwrap())
        .collect()
}

#[test]
fn a_mistake_and_its_correction_are_published_in_order() {
    let mut client = Client::plain();
    let mut text = DOUBLE.to_owned();
    client.open(URI, 1, &text);
    assert!(client.diagnostics(URI, 1).is_empty());

    let mistake = replace(&mut text, "R.add(x, x)", "R.add(x, z)");
    client.change(URI, 2, json!([mistake]));
    let found = client.diagnostics(URI, 2);
    assert_eq!(codes(&found), ["undefined-name"]);
    let at = position(&text, "z)");
    assert_eq!(found[0]["range"]["start"], at);
    assert_eq!(found[0]["source"], "relax-lsp");
    assert_eq!(found[0]["severity"], 1);

    let correction = replace(&mut text, "R.add(x, z)", "R.add(x, x)");
    client.change(URI, 3, json!([correction]));
    assert!(client.diagnostics(URI, 3).is_empty());
}

#[test]
fn half_typed_code_is_reported_at_its_position() {
    let mut client = Client::plain();
    let mut text = DOUBLE.to_owned();
    client.open(URI, 1, &text);
    client.diagnostics(URI, 1);
    let typed = replace(&mut text, "R.add(x, x)", "R.add(x, ");
    client.change(URI, 2, json!([typed]));
    let found = client.diagnostics(URI, 2);
    assert!(codes(&found).contains(&"syntax-error"), "{found:?}");
    let line = position(&text, "R.add")["line"].as_u64().unwrap();
    let lines = found
        .iter()
        .map(|it| it["range"]["start"]["line"].as_u64().unwrap());
    assert!(lines.clone().all(|at| at.abs_diff(line) <= 1), "{found:?}");
}

#[test]
fn columns_use_the_negotiated_encoding() {
    let text = DOUBLE.replace("R.add(x, x)", "R.add(x, \"𝛼é\", z)");
    let column = |encoding: &str| {
        let capabilities = json!({"general": {"positionEncodings": [encoding]}});
        let mut client = Client::initialized(capabilities);
        client.open(URI, 1, &text);
        let found = client.diagnostics(URI, 1);
        let undefined = found
            .iter()
            .find(|it| it["code"] == "undefined-name")
            .expect("z is not bound");
        undefined["range"]["start"]["character"].as_u64().unwrap()
    };
    // The string's two characters take 6 bytes, 3 UTF-16 units, 2 code points.
    let utf32 = column("utf-32");
    assert_eq!(column("utf-16"), utf32 + 1);
    assert_eq!(column("utf-8"), utf32 + 4);
}

#[test]
fn explanations_are_related_information_or_text() {
    let text = DOUBLE.replace("R.add(x, x)", "R.matmul(x, R.zeros((3, 4), \"float32\"))");
    let found = |capabilities: Value| {
        let mut client = Client::initialized(capabilities);
        client.open(URI, 1, &text);
        client.diagnostics(URI, 1).remove(0)
    };
    let supported = json!({"publishDiagnostics": {"relatedInformation": true}});
    let related = found(json!({"textDocument": supported}));
    assert_eq!(related["code"], "shape-mismatch");
    let note = related["relatedInformation"][0]["message"]
        .as_str()
        .unwrap();
    assert_eq!(related["relatedInformation"][0]["location"]["uri"], URI);

    let alone = found(json!({}));
    assert!(alone.get("relatedInformation").is_none(), "{alone}");
    assert!(alone["message"].as_str().unwrap().contains(note), "{alone}");
}

#[test]
fn a_program_without_tvmscript_has_reports_about_names_of_tvm_alone() {
    let mut client = Client::plain();
    let settings = json!({"settings": {"relax": {"tvm": "0.27"}}});
    client.notify("workspace/didChangeConfiguration", settings);
    client.open(URI, 1, "from tvm import relax\n\nrelax.Constant(\n");
    let found = client.diagnostics(URI, 1);
    let [report] = found.as_slice() else {
        panic!("{found:#?}")
    };
    assert_eq!(report["code"], "other-dialect");
    assert_eq!(report["range"]["start"], json!({"line": 2, "character": 6}));
}

#[test]
fn a_changed_release_setting_publishes_diagnostics_again() {
    let mut client = Client::plain();
    client.open(URI, 1, DOUBLE);
    client.diagnostics(URI, 1);
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"relax": {"tvm": "rfc"}}}),
    );
    client.diagnostics(URI, 1);
}

#[test]
fn check_exits_1_and_names_the_place_in_every_format() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(
        directory.path().join("m.py"),
        DOUBLE.replace("R.add(x, x)", "R.add(x, z)"),
    )
    .unwrap();
    let check = |format: &str| {
        let output = Command::new(tests::relax_lsp())
            .args(["check", "m.py", "--format", format])
            .current_dir(directory.path())
            .output()
            .expect("relax-lsp starts");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = check("text");
    assert!(
        text.contains("error[undefined-name]") && text.contains("m.py:10:26"),
        "{text}"
    );
    assert!(text.ends_with("1 error in 1 file.\n"), "{text}");

    let files: Value = serde_json::from_str(&check("json")).unwrap();
    let found = &files[0]["diagnostics"][0];
    assert_eq!(found["code"], "undefined-name");
    assert_eq!(
        [
            &found["line"],
            &found["col"],
            &found["end_line"],
            &found["end_col"]
        ],
        [10, 26, 10, 27]
    );

    let sarif: Value = serde_json::from_str(&check("sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "undefined-name");
    assert_eq!(
        result["locations"][0]["physicalLocation"]["region"]["startLine"],
        10
    );

    let github = check("github");
    assert!(
        github.starts_with(
            "::error file=m.py,line=10,endLine=10,col=26,endColumn=27,title=undefined-name::"
        ),
        "{github}"
    );
}

#[test]
fn facts_print_what_is_inferred() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m.py");
    std::fs::write(&path, DOUBLE).unwrap();
    let output = Command::new(tests::relax_lsp())
        .arg("facts")
        .arg(&path)
        .output()
        .expect("relax-lsp starts");
    let facts: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tensor = json!({"kind": "Tensor", "shape": ["n", "4"], "ndim": 2, "dtype": "float32"});
    assert_eq!(
        facts["functions"],
        json!([{
            "module": "Module", "name": "main", "kind": "relax", "line": 8, "pure": true,
            "params": [{"name": "x", "struct_info": tensor}],
            "ret": tensor,
            "bindings": [{"line": 10, "name": "y", "kind": "var", "struct_info": tensor}],
        }])
    );
    assert_eq!(facts["diagnostics"], json!([]));
}

#[test]
fn a_code_leads_to_its_page() {
    let text = DOUBLE.replace("R.add(x, x)", "R.add(x, z)");
    let link = |capabilities: Value| {
        let mut client = Client::initialized(capabilities);
        client.open(URI, 1, &text);
        let found = client.diagnostics(URI, 1);
        let link = found[0]["codeDescription"]["href"].clone();
        let page = link
            .as_str()
            .and_then(|link| link.strip_prefix("file://"))
            .map(|path| path.trim_start_matches(if cfg!(windows) { "/" } else { "" }))
            .map(|path| std::fs::read_to_string(path.replace("%3A", ":")));
        (link, page)
    };
    let follows = json!({"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": true}}});
    let (_, page) = link(follows.clone());
    let page = page.expect("a file").expect("that is there");
    assert!(page.starts_with("# undefined-name\n"), "{page}");

    let mut shows = follows;
    shows["experimental"] = json!({"pages": "relax-explain:/{code}.md"});
    assert_eq!(link(shows).0, "relax-explain:/undefined-name.md");
    assert_eq!(link(json!({})).0, Value::Null);
}
