//! Tests of `relax-lsp tree` and `relax-lsp lower`.

use std::process::{Command, Output};

use super::programs::DOUBLE;

fn relax_lsp(arguments: &[&str]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("double.py"), DOUBLE).unwrap();
    Command::new(tests::relax_lsp())
        .args(arguments)
        .current_dir(directory.path())
        .output()
        .expect("relax-lsp starts")
}

#[test]
fn the_tree_holds_every_character() {
    let output = relax_lsp(&["tree", "double.py"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let tree = String::from_utf8(output.stdout).unwrap();
    let first = tree.lines().next().unwrap();
    assert_eq!(first, format!("SOURCE_FILE@0..{}", DOUBLE.len()));
    assert!(tree.contains("FUNCTION_DEF@"), "{tree}");
}

#[test]
fn bytecode_names_the_kernels_that_it_calls() {
    let output = relax_lsp(&["lower", "double.py::Module.main", "--stage", "bytecode"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let bytecode = String::from_utf8(output.stdout).unwrap();
    assert!(bytecode.starts_with("@main(x):"), "{bytecode}");
    assert!(bytecode.contains("relax.add"), "{bytecode}");
    assert!(bytecode.contains("ret"), "{bytecode}");
}

#[test]
fn a_function_that_is_not_there_exits_2() {
    let output = relax_lsp(&["lower", "double.py::Module.mian"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn shell_completions_and_a_man_page_are_printed() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = relax_lsp(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("migrate"), "{shell}: {text}");
    }
    let page = relax_lsp(&["man"]).stdout;
    assert!(page.windows(10).any(|it| it == b".TH relax-"), "{page:?}");
}

#[test]
fn each_command_has_a_manual_page() {
    let page = String::from_utf8(relax_lsp(&["man", "check"]).stdout).unwrap();
    assert!(page.contains(".TH relax-lsp-check 1"), "{page}");
    assert!(page.contains("baseline"), "{page}");
    assert_eq!(relax_lsp(&["man", "chek"]).status.code(), Some(2));

    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages");
    let output = relax_lsp(&["man", "--out", pages.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = std::fs::read_to_string(pages.join("relax-lsp-check.1")).unwrap();
    assert_eq!(written, page);
    assert!(pages.join("relax-lsp.1").exists());
}

#[test]
fn what_has_no_answer_is_refused_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("double.py"), DOUBLE).unwrap();
    std::fs::write(directory.path().join("plain.py"), "x = 1\n").unwrap();
    let refusals = [
        (
            &["check", "--tvm", "9.9", "double.py"][..],
            "unknown release",
        ),
        (
            &["migrate", "--to", "rfc", "double.py"],
            "the releases are 0.16",
        ),
        (&["translate", "double.py"], "is no Relay text"),
        (&["graph", "plain.py"], "has no Relax function"),
        (&["cost", "plain.py"], "has no Relax function"),
        (
            &["explain", "shape_mismatch"],
            "did you mean `shape-mismatch`?",
        ),
    ];
    for (arguments, why) in refusals {
        let mut command = Command::new(tests::relax_lsp());
        command.args(arguments).current_dir(directory.path());
        let output = command.output().expect("relax-lsp starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(why), "{arguments:?} {said}");
    }
}
