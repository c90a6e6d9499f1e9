//! Tests of `relax-lsp check` in CI: report formats, baselines, fixes, statistics, lists of files.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::programs::DOUBLE;

const WRONG: &str = "from tvm.script import relax as R


@R.function
def f(x: R.Tensor((4,), \"float32\")):
    with R.dataflow():
        y = R.exq(x)
    return x
";

fn check(arguments: &[&str], directory: &Path) -> Output {
    command(arguments, directory).output().unwrap()
}

fn command(arguments: &[&str], directory: &Path) -> Command {
    let mut command = Command::new(tests::relax_lsp());
    command
        .arg("check")
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("output is UTF-8")
}

/// Returns a folder with a correct program, and one with an error and a warning.
fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("double.py"), DOUBLE).unwrap();
    std::fs::write(directory.path().join("wrong.py"), WRONG).unwrap();
    directory
}

#[test]
fn without_paths_the_current_folder_is_checked() {
    let directory = directory();
    let output = check(&["--output-format", "json"], directory.path());
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found.as_array().expect("a list").len(), 2);

    std::fs::write(directory.path().join("list"), "double.py").unwrap();
    let listed = check(&["--files-from", "list"], directory.path());
    assert_eq!(listed.status.code(), Some(0), "{listed:?}");
}

#[test]
fn packages_of_others_are_not_checked() {
    let directory = directory();
    for folder in ["env/lib", "site-packages", "node_modules/x"] {
        let folder = directory.path().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("other.py"), WRONG).unwrap();
    }
    std::fs::write(directory.path().join("env/pyvenv.cfg"), "").unwrap();
    let output = check(&[".", "--format", "json"], directory.path());
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let paths = found.as_array().expect("a list").iter();
    let paths: Vec<&str> = paths.map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["double.py", "wrong.py"]);
    let named = check(&["site-packages"], directory.path());
    assert_eq!(named.status.code(), Some(1), "{named:?}");
}

#[test]
fn statistics_count_each_code() {
    let directory = directory();
    let output = check(&[".", "--statistics"], directory.path());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stdout),
        "     1  warning  missing-output\n     1  error    unknown-operator\n"
    );
    let output = check(&[".", "--statistics", "--format", "json"], directory.path());
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows[1]["code"], "unknown-operator");
    assert_eq!(rows[1]["count"], 1);
}

#[test]
fn exit_zero_reports_mistakes_and_exits_0() {
    let directory = directory();
    let output = check(&[".", "--exit-zero"], directory.path());
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("unknown-operator"));
    let missing = check(&["nowhere.py", "--exit-zero"], directory.path());
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn files_are_read_from_a_list() {
    let directory = directory();
    let mut child = command(&["--files-from", "-", "--format", "json"], directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"wrong.py\n\ndouble.py\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let files: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(files[0]["path"], "wrong.py");
    assert_eq!(files[1]["path"], "double.py");
}

#[test]
fn a_baseline_hides_known_diagnostics() {
    let directory = directory();
    let written = check(&[".", "--write-baseline", "known.json"], directory.path());
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    let known = check(&[".", "--baseline", "known.json"], directory.path());
    assert_eq!(known.status.code(), Some(0));
    assert_eq!(text(&known.stdout), "No problems in 2 files.\n");
    let path = directory.path().join("wrong.py");
    let more = format!("# Lines move.\n{}", WRONG.replace("return x", "return z"));
    std::fs::write(path, more).unwrap();
    let output = check(
        &["./wrong.py", "--baseline", "known.json"],
        directory.path(),
    );
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("undefined-name"), "{said}");
    assert!(!said.contains("unknown-operator"), "{said}");
}

#[test]
fn a_baseline_knows_its_files_from_any_folder() {
    let directory = directory();
    let below = directory.path().join("below");
    std::fs::create_dir(&below).unwrap();
    check(
        &["wrong.py", "--write-baseline", "known.json"],
        directory.path(),
    );
    let output = check(&["../wrong.py", "--baseline", "../known.json"], &below);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_second_mistake_of_the_same_kind_is_new() {
    let directory = directory();
    check(&[".", "--write-baseline", "known.json"], directory.path());
    let twice = format!("{WRONG}{}", WRONG.replace("def f", "def g"));
    std::fs::write(directory.path().join("wrong.py"), twice).unwrap();
    let output = check(&[".", "--baseline", "known.json"], directory.path());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).matches("unknown-operator").count(), 1);
}

#[test]
fn a_baseline_that_cannot_be_read_exits_2() {
    let directory = directory();
    std::fs::write(directory.path().join("known.json"), "[]").unwrap();
    for name in ["known.json", "nowhere.json"] {
        let output = check(&[".", "--baseline", name], directory.path());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(name), "{output:?}");
    }
}

#[test]
fn fix_applies_safe_fixes_and_reports_the_rest() {
    let directory = directory();
    let wrong = WRONG.replace("    return x", "    x += x\n    return x");
    std::fs::write(directory.path().join("wrong.py"), wrong).unwrap();
    let output = check(&[".", "--fix"], directory.path());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "Fixed 1 file.\n");
    let said = text(&output.stdout);
    assert!(said.contains("unknown-operator"), "{said}");
    assert!(!said.contains("unsupported-statement"), "{said}");
}

#[test]
fn unsafe_fixes_apply_the_most_likely_fix_too() {
    let directory = directory();
    let output = check(&[".", "--fix", "--unsafe-fixes"], directory.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let fixed = std::fs::read_to_string(directory.path().join("wrong.py")).unwrap();
    assert!(fixed.contains("R.exp(x)"), "{fixed}");
}

#[test]
fn a_patch_of_fixes_changes_nothing() {
    let directory = directory();
    let output = check(&["wrong.py", "--diff", "--unsafe-fixes"], directory.path());
    assert_eq!(output.status.code(), Some(1));
    let patch = text(&output.stdout);
    assert!(
        patch.starts_with("--- a/wrong.py\n+++ b/wrong.py\n"),
        "{patch}"
    );
    assert!(patch.contains("\n+        y = R.exp(x)\n"), "{patch}");
    let after = std::fs::read_to_string(directory.path().join("wrong.py")).unwrap();
    assert_eq!(after, WRONG);
    let clean = check(&["double.py", "--diff"], directory.path());
    assert_eq!(clean.status.code(), Some(0));
    assert!(clean.stdout.is_empty());
}

#[test]
fn gitlab_gets_one_issue_for_each_diagnostic() {
    let directory = directory();
    let output = check(&[".", "--output-format", "gitlab"], directory.path());
    let issues: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(issues[0]["check_name"], "missing-output");
    assert_eq!(issues[0]["severity"], "minor");
    assert_eq!(issues[1]["location"]["path"], "wrong.py");
    assert_eq!(issues[1]["location"]["positions"]["begin"]["line"], 7);
    assert_ne!(issues[0]["fingerprint"], issues[1]["fingerprint"]);
}

#[test]
fn junit_has_a_suite_for_each_file() {
    let directory = directory();
    let output = check(&[".", "--format", "junit"], directory.path());
    let xml = text(&output.stdout);
    for part in [
        r#"<testsuite name="double.py" tests="1" errors="0" failures="0">"#,
        r#"<testsuite name="wrong.py" tests="2" errors="1" failures="1">"#,
        r#"<testcase name="unknown-operator:7:"#,
        r#"<error type="unknown-operator" message="#,
    ] {
        assert!(xml.contains(part), "{part} in {xml}");
    }
}

#[test]
fn a_project_sets_severities_and_files() {
    let directory = directory();
    let settings = "[tool.relax-lsp]\nexclude = [\"double.py\"]\n\
                    severity = {unknown-operator = \"warning\", missing-output = \"off\"}\n";
    std::fs::write(directory.path().join("pyproject.toml"), settings).unwrap();
    let output = check(&[".", "--format", "json"], directory.path());
    assert_eq!(output.status.code(), Some(0));
    let files: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(files.as_array().unwrap().len(), 1);
    assert_eq!(files[0]["diagnostics"].as_array().unwrap().len(), 1);
    assert_eq!(files[0]["diagnostics"][0]["severity"], "warning");
}

#[test]
fn the_command_line_overrides_the_projects_release() {
    let directory = tempfile::tempdir().unwrap();
    let program = DOUBLE.replace("R.add(x, x)", "R.Object()");
    std::fs::write(directory.path().join("new.py"), program).unwrap();
    std::fs::write(directory.path().join("relax-lsp.toml"), "tvm = \"0.27\"\n").unwrap();
    let release = |arguments: &[&str]| {
        let facts = Command::new(tests::relax_lsp())
            .args(["facts", "new.py"])
            .args(arguments)
            .current_dir(directory.path())
            .output()
            .unwrap();
        let facts: Value = serde_json::from_slice(&facts.stdout).unwrap();
        facts["release"].as_str().unwrap().to_owned()
    };
    assert_eq!(release(&[]), "0.27");
    assert_eq!(release(&["--tvm", "0.25"]), "0.25");
}

#[test]
fn invalid_settings_exit_2_with_their_file() {
    let directory = directory();
    let settings = "[severity]\nunused-bindin = \"off\"\n";
    std::fs::write(directory.path().join("relax-lsp.toml"), settings).unwrap();
    let output = check(&["."], directory.path());
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("relax-lsp.toml"), "{said}");
    assert!(said.contains("did you mean `unused-binding`?"), "{said}");
}

#[test]
fn a_cache_returns_earlier_results_and_can_be_deleted() {
    let directory = directory();
    let plain = check(&["wrong.py"], directory.path());
    let cached = || check(&["wrong.py", "--cache-dir", "cache"], directory.path());
    assert_eq!(cached(), plain);
    let cache = directory.path().join("cache");
    let written = || -> Vec<_> {
        let entries = entries(&cache).into_iter();
        entries
            .map(|it| it.metadata().unwrap().modified().unwrap())
            .collect()
    };
    let first = written();
    assert_eq!(cached(), plain);
    assert_eq!(written(), first, "no entry is written again");
    for entry in entries(&cache) {
        for damage in [
            "[]",
            &std::fs::read_to_string(&entry)
                .unwrap()
                .replace("exq", "xyz"),
        ] {
            std::fs::write(&entry, damage).unwrap();
            assert_eq!(
                cached(),
                plain,
                "an entry that says something else is not believed"
            );
        }
    }
    let text = std::fs::read_to_string(directory.path().join("wrong.py")).unwrap();
    std::fs::write(directory.path().join("wrong.py"), format!("{text}\n")).unwrap();
    assert_eq!(cached(), plain, "another text is another entry");
    std::fs::remove_dir_all(cache).unwrap();
    assert_eq!(cached(), plain);
}

fn entries(cache: &Path) -> Vec<std::path::PathBuf> {
    let folders = std::fs::read_dir(cache)
        .unwrap()
        .map(|it| it.unwrap().path());
    let folders = folders.filter(|it| it.is_dir());
    let entries = folders.flat_map(|it| std::fs::read_dir(it).unwrap());
    let entries: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
    assert!(!entries.is_empty());
    entries
}

#[test]
fn colours_are_used_for_terminals_or_on_request() {
    let directory = directory();
    let coloured = |arguments: &[&str], set: &[(&str, &str)]| {
        let mut command = command(&["wrong.py"], directory.path());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM"] {
            command.env_remove(name);
        }
        let output = command.args(arguments).envs(set.iter().copied()).output();
        text(&output.unwrap().stdout).contains('\x1b')
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(
        &[],
        &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]
    ));
}

#[test]
fn a_watched_folder_is_checked_again_when_a_file_changes() {
    let directory = directory();
    let mut child = command(&[".", "--watch", "--cache-dir", "cache"], directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut summaries = lines
        .map_while(Result::ok)
        .filter(|it| it.contains(" in 2 files."));
    let first = summaries.next();
    std::fs::write(directory.path().join("wrong.py"), DOUBLE).unwrap();
    let mended = summaries.find(|it| it.starts_with("No problems"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(first.as_deref(), Some("1 error and 1 warning in 2 files."));
    assert_eq!(mended.as_deref(), Some("No problems in 2 files."));
}
