//! Files of users are replaced: a command that is killed, or that has no room, leaves the old text or the new one.

use std::path::Path;
use std::process::{Command, Stdio};

/// `fmt`, `migrate` and `check --fix` all change it.
const PROGRAM: &str = r#"from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,3),'float32')):
        y = R.call_dps_packed('g', x, out_ty=R.Tensor((2, 3), 'float32'))
        z = R.addd(y, y)
        return z

    @R.function
    def twice(x: R.Tensor((2, 3), "float32")):
        y = R.add(x, x)
        return y
"#;

/// Each command that writes a file of the user, and that file.
const WRITERS: &[(&str, &[&str])] = &[
    ("p.py", &["fmt", "p.py"]),
    ("p.py", &["migrate", "--to", "0.25", "--write", "p.py"]),
    ("p.py", &["check", "--fix", "--unsafe-fixes", "p.py"]),
    (
        "known.json",
        &["check", "--write-baseline", "known.json", "p.py"],
    ),
    (
        "small.py",
        &[
            "reduce",
            "p.py",
            "--keep",
            "check:unknown-operator",
            "-o",
            "small.py",
        ],
    ),
    ("page.html", &["report", "p.py", "-o", "page.html"]),
    (
        "out/out.npy",
        &["run", "p.py::Module.twice", "--output", "out"],
    ),
    ("pages/relax-lsp.1", &["man", "--out", "pages"]),
];

/// Creates a folder with the program and with old files in all places that the commands write to.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for folder in ["out", "pages"] {
        std::fs::create_dir(place.path().join(folder)).unwrap();
    }
    for (file, _) in WRITERS {
        std::fs::write(place.path().join(file), "old").unwrap();
    }
    std::fs::write(place.path().join("p.py"), PROGRAM).unwrap();
    place
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_writer_writes() {
    for (file, arguments) in WRITERS {
        let place = place();
        let before = std::fs::read(place.path().join(file)).unwrap();
        let output = Command::new(tests::relax_lsp())
            .args(*arguments)
            .current_dir(place.path())
            .output()
            .unwrap();
        let after = std::fs::read(place.path().join(file)).unwrap();
        assert_ne!(after, before, "{arguments:?}: {output:?}");
    }
}

/// Runs a command in a shell that first does `setup`. Returns what the command says, unless the setup fails.
#[cfg(unix)]
fn in_shell(setup: &str, arguments: &[&str], folder: &Path) -> Option<std::process::Output> {
    let script = format!("{setup} && echo ready >&2 && exec \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, "sh"])
        .arg(tests::relax_lsp())
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    output.stderr.starts_with(b"ready").then_some(output)
}

#[cfg(unix)]
#[test]
fn without_room_the_old_text_stays() {
    for (file, arguments) in WRITERS {
        let place = place();
        let path = place.path().join(file);
        let before = std::fs::read(&path).unwrap();
        let beside = files(path.parent().unwrap());
        let setup = "trap '' XFSZ && ulimit -f 0";
        let output = in_shell(setup, arguments, place.path()).expect("a shell has limits");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(
            complaint.contains("cannot write `"),
            "{arguments:?}: {complaint}"
        );
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(std::fs::read(&path).unwrap(), before, "{arguments:?}");
        assert_eq!(files(path.parent().unwrap()), beside, "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_the_old_text_stays() {
    let place = place();
    std::fs::create_dir(place.path().join("disk")).unwrap();
    let fill = "unshare -rm sh -c 'mount -t tmpfs -o size=64k relax disk && cp p.py disk/ && cd disk \
        && { head -c 1000000 /dev/zero > full 2> /dev/null; echo mounted; \"$1\" fmt p.py; cat p.py; }' sh \"$1\"";
    let output = Command::new("sh")
        .args(["-c", fill, "sh"])
        .arg(tests::relax_lsp())
        .current_dir(place.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let Some(text) = said.strip_prefix("mounted\n") else {
        testing::skip("this user cannot mount a disk");
        return;
    };
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("cannot write `p.py`"), "{complaint}");
    assert_eq!(text, PROGRAM);
}

/// Kills the command as soon as something happens in the folder of its file, again and again.
fn killed(file: &Path, command: &mut Command) {
    let folder = file.parent().unwrap();
    let new = command.stdout(Stdio::null()).stderr(Stdio::null());
    let before = std::fs::read(file).unwrap();
    assert!(new.status().unwrap().success());
    let after = std::fs::read(file).unwrap();
    assert_ne!(before, after);
    let calm = files(folder).len();
    for _ in 0..10 {
        std::fs::write(file, &before).unwrap();
        let mut child = new.spawn().unwrap();
        let is_calm = || {
            let length = file.metadata().map_or(0, |it| it.len());
            length == before.len() as u64 && files(folder).len() == calm
        };
        while child.try_wait().unwrap().is_none() && is_calm() {}
        child.kill().unwrap();
        child.wait().unwrap();
        let left = std::fs::read(file).unwrap();
        assert!(
            left == before || left == after,
            "{} bytes are left",
            left.len()
        );
        for other in files(folder).iter().filter(|it| *it != file) {
            let is_ours = other
                .file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with(".relax-lsp-");
            if is_ours {
                std::fs::remove_file(other).unwrap();
            }
        }
    }
}

#[test]
fn a_formatter_that_is_killed_leaves_the_old_or_the_new_text() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("p.py");
    let functions = PROGRAM.split("@I.ir_module").next().unwrap().to_owned();
    let one =
        "\n@R.function\ndef f(x: R.Tensor((2,3),'float32')):\n    z=R.add(x,x)\n    return z\n";
    std::fs::write(&file, functions + &one.repeat(500)).unwrap();
    killed(
        &file,
        Command::new(tests::relax_lsp()).arg("fmt").arg(&file),
    );
}

#[test]
fn a_run_that_is_killed_leaves_the_old_or_the_new_tensor() {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("p.py");
    let text = PROGRAM.replace("(2, 3)", "(1024, 1024)");
    std::fs::write(&program, text).unwrap();
    let out = place.path().join("out");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("out.npy"), "an earlier result").unwrap();
    let mut command = Command::new(tests::relax_lsp());
    command
        .arg("run")
        .arg(format!("{}::Module.twice", program.display()));
    killed(&out.join("out.npy"), command.arg("--output").arg(&out));
}
