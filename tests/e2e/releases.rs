//! Tests of the target: the release of TVM for which a project is written.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::workspace::{started, uri};
use tests::client::Client;

const NEWER: &str = r#"from tvm.script import relax as R


@R.function
def f(x: R.Tensor((4, 4), "float32"), i: R.Tensor((2,), "int64")):
    return R.take(x, i, axis=0, mode="clip")
"#;

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    std::fs::write(folder.path().join("newer.py"), NEWER).unwrap();
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = Command::new(tests::relax_lsp())
        .args(["check", "--verbose", "newer.py"])
        .args(arguments)
        .current_dir(folder)
        .env_remove("VIRTUAL_ENV")
        .output()
        .expect("relax-lsp starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (text(output.stdout), text(output.stderr))
}

#[test]
fn check_says_which_release_a_file_is_read_by_and_why() {
    let folder = project();
    let (problems, why) = check(folder.path(), &[]);
    assert_eq!(why, "newer.py: TVM 0.22 to TVM 0.27, by what it uses\n");
    assert_eq!(problems, "No problems in 1 file.\n");
    std::fs::write(
        folder.path().join("requirements.txt"),
        "apache-tvm==0.20.0\n",
    )
    .unwrap();
    let (problems, why) = check(folder.path(), &[]);
    assert!(
        why.starts_with("newer.py: TVM 0.20, by the pin of apache-tvm in "),
        "{why}"
    );
    assert!(
        problems.contains("`mode=` exists since TVM 0.22"),
        "{problems}"
    );
    let (problems, why) = check(folder.path(), &["--tvm", "0.25"]);
    assert_eq!(why, "newer.py: TVM 0.25, by --tvm\n");
    assert_eq!(problems, "No problems in 1 file.\n");
}

fn release(client: &mut Client, uri: &str) -> Value {
    let params = json!({"command": "relax.release", "arguments": [{"uri": uri}]});
    client.call("workspace/executeCommand", params)
}

#[test]
fn the_target_comes_from_the_project_and_changes_with_it() {
    let folder = project();
    let pyproject = folder.path().join("pyproject.toml");
    std::fs::write(&pyproject, "[tool.relax-lsp]\ntvm = \"0.20\"\n").unwrap();
    let mut client = started(folder.path(), json!({}));
    let file = uri(&folder.path().join("newer.py"));
    client.open(&file, 1, NEWER);
    let found = client.diagnostics(&file, 1);
    assert_eq!(found[0]["code"], "other-dialect");
    let said = release(&mut client, &file);
    assert_eq!(
        (&said["since"], &said["target"]["release"]),
        (&json!("0.20"), &json!("0.20"))
    );
    let origin = said["target"]["origin"].as_str().unwrap();
    assert!(origin.starts_with("`tvm` in "), "{origin}");

    std::fs::write(&pyproject, "[tool.relax-lsp]\ntvm = \"0.25\"\n").unwrap();
    let changes = json!([{"uri": uri(&pyproject), "type": 2}]);
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({"changes": changes}),
    );
    assert_eq!(client.diagnostics(&file, 1), Vec::<Value>::new());
    assert_eq!(release(&mut client, &file)["target"]["release"], "0.25");
    let settings = json!({"settings": {"relax": {"tvm": "0.21"}}});
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(client.diagnostics(&file, 1).len(), 1);
    let said = release(&mut client, &file);
    assert_eq!(said["target"]["origin"], "the setting `relax.tvm`");
}
