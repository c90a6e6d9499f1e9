//! Tests of `relax-lsp run`: exit codes, inputs, written files.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::programs::{DOUBLE, double_of_sums};
#[cfg(target_os = "linux")]
use crate::conformance::tvm;

/// A directory with `m.py`, in which the command runs.
pub struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub fn new(program: &str) -> Place {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("m.py"), program).unwrap();
        Place { directory }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        Command::new(tests::relax_lsp())
            .arg("run")
            .args(arguments)
            .current_dir(self.path())
            .output()
            .expect("relax-lsp starts")
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn the_only_function_runs_by_the_file_alone() {
    let answer = Place::new(DOUBLE).json(&["m.py", "--dim", "n=2", "--input", "x=arange"]);
    assert_eq!(answer["function"], "Module.main");
    let out = &answer["outputs"][0];
    assert_eq!(
        (&out["name"], &out["kind"]),
        (&"out".into(), &"tensor".into())
    );
    let first: Vec<f64> = serde_json::from_value(out["first"].clone()).unwrap();
    assert_eq!(first, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]);
}

#[test]
fn programs_that_exceed_memory_are_refused_before_allocation() {
    let output = Place::new(DOUBLE).run(&["m.py", "--dim", "n=100000000000000"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("out of memory"), "{output:?}");
    let limited = ["m.py", "--dim", "n=1000000", "--memory-limit", "1"];
    let output = Place::new(DOUBLE).run(&limited);
    let wanted = "the limit leaves 1 MiB";
    assert!(stderr(&output).contains(wanted), "{output:?}");
}

#[test]
fn text_output_is_readable() {
    let output = Place::new(DOUBLE).run(&["m.py::main", "--dim", "n=1", "--input", "*=ones"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("Module.main(n=1) · "), "{text}");
    assert!(
        text.ends_with("  out: f32[1, 4] · min 2 · max 2 · mean 2\n    [2, 2, 2, 2]\n"),
        "{text}"
    );
}

#[test]
fn a_seed_chooses_the_random_inputs() {
    let place = Place::new(DOUBLE);
    let first = |seed: &str| {
        place.json(&["m.py", "--dim", "n=2", "--seed", seed])["outputs"][0]["first"].clone()
    };
    assert_eq!(first("3"), first("3"));
    assert_ne!(first("3"), first("4"));
}

#[test]
fn results_are_written_and_read_back() {
    let place = Place::new(DOUBLE);
    place.json(&[
        "m.py",
        "--dim",
        "n=2",
        "--input",
        "x=ones",
        "--output",
        "made/here",
    ]);
    // The output file of the first run is the input of the second one, and its shape determines `n`.
    let answer = place.json(&["m.py", "--input", "x=made/here/out.npy"]);
    assert_eq!(answer["dims"]["n"], 2);
    assert_eq!(answer["outputs"][0]["max"], 4.0);
}

#[test]
fn a_wrong_shape_exits_3_and_names_the_dimension() {
    let place = Place::new(DOUBLE);
    let wider = DOUBLE.replace("4)", "5)");
    std::fs::write(place.path().join("wider.py"), wider).unwrap();
    place.json(&["wider.py", "--dim", "n=2", "--output", "."]);
    let output = place.run(&["m.py", "--input", "x=out.npy"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = stderr(&output);
    assert!(
        text.contains("dimension 1 of parameter `x` is 5") && text.contains("m.py:8:14"),
        "{text}"
    );

    let output = place.run(&["m.py", "--input", "x=out.npy", "--format", "json"]);
    assert_eq!(output.status.code(), Some(3));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["ok"], &answer["error"]["line"]),
        (&false.into(), &8.into())
    );
}

#[test]
fn invalid_run_arguments_exit_2_with_a_suggestion() {
    let place = Place::new(DOUBLE);
    for (arguments, message) in [
        (&["m.py::Module.mine", "--dim", "n=1"][..], "`Module.main`"),
        (&["m.py", "--dim", "m=1"], "has n"),
        (&["m.py", "--dim", "n=1", "--input", "y=ones"], "`y`"),
        (&["m.py", "--dim", "n=1", "--input", "x=no.npy"], "`no.npy`"),
        (&["m.py", "--dim", "n=1", "--input", "x=sevens"], "`sevens`"),
        (&["m.py", "--dim", "n=many"], "`many`"),
        (&["none.py"], "`none.py`"),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            stderr(&output).contains(message),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
}

/// A PrimFunc with two results, beside a Relax function.
pub const SCALED: &str = r#"from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def scale(x: T.Buffer(("n",), "float32"), by: T.float32, y: T.Buffer(("n",), "float32"), count: T.Buffer((1,), "int64")):
        n = T.int64()
        for i in range(n):
            with T.sblock("scale"):
                vi = T.axis.spatial(n, i)
                y[vi] = x[vi] * by
        count[0] = count[0] + n

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return x
"#;

#[test]
fn a_prim_func_runs_alone_and_gives_the_buffers_that_it_writes() {
    let place = Place::new(SCALED);
    let run = ["m.py::scale", "--dim", "n=3", "--input", "x=arange"];
    let answer = place.json(&[&run[..], &["--output", "."]].concat());
    assert_eq!(answer["function"], "Module.scale");
    let outputs: Vec<(&Value, &Value)> = answer["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["name"], &it["first"]))
        .collect();
    // The default value of a float is 0.5; outputs start as zeros.
    let (y, count) = (serde_json::json!([0.0, 0.5, 1.0]), serde_json::json!([3]));
    assert_eq!(outputs, [(&"y".into(), &y), (&"count".into(), &count)]);
    assert!(place.path().join("y.npy").exists());
    // Without a name, only the Relax function is run.
    assert_eq!(place.json(&["m.py"])["function"], "Module.main");
}

#[test]
fn functions_with_equal_names_are_chosen_by_line() {
    let two = format!(
        "{DOUBLE}\n\n{}",
        DOUBLE.replace("R.add(x, x)", "R.subtract(x, x)")
    );
    let place = Place::new(&two);
    let output = place.run(&["m.py", "--dim", "n=1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("Module.main@8, Module.main@22"),
        "{}",
        stderr(&output)
    );
    let at = |target: &str| {
        let answer = place.json(&[target, "--dim", "n=1", "--input", "x=ones"]);
        answer["outputs"][0]["max"].clone()
    };
    assert_eq!(at("m.py::Module.main@8"), 2.0);
    assert_eq!(at("m.py::Module.main@22"), 0.0);
}

#[test]
fn a_tuple_is_written_field_by_field() {
    let pair = DOUBLE
        .replace(" -> R.Tensor((\"n\", 4), \"float32\")", "")
        .replace("return y", "return (y, (x, R.shape_of(x)))");
    let place = Place::new(&pair);
    let answer = place.json(&["m.py", "--dim", "n=3", "--output", "."]);
    let names: Vec<&Value> = answer["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["out.0", "out.1.0", "out.1.1"]);
    assert!(place.path().join("out.1.0.npy").exists());
    assert_eq!(answer["outputs"][2]["values"], serde_json::json!([3, 4]));
}

const PACKED: &str = r#"from tvm.script import relax as R

@R.function(pure=False)
def main(x: R.Tensor((2,), "float32")):
    y = R.call_packed("my.double", x, sinfo_args=R.Tensor((2,), "float32"))
    z = R.call_dps_packed("fill", (y,), out_sinfo=R.Tensor((2,), "float32"))
    return z
"#;

#[test]
fn a_missing_packed_function_is_reported() {
    let output = Place::new(PACKED).run(&["m.py"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = stderr(&output);
    assert!(
        text.contains("`my.double`") && text.contains("--packed FILE.py"),
        "{text}"
    );
}

#[test]
fn packed_functions_come_from_a_python_file() {
    let place = Place::new(PACKED);
    let functions = "def double(x):\n    print('called')\n    return x * 2\n\n\ndef fill(x, out):\n    \
                     out[:] = x + 1\n\n\npacked = {'my.double': double, 'fill': fill}\n";
    std::fs::write(place.path().join("functions.py"), functions).unwrap();
    let output = place.run(&[
        "m.py",
        "--input",
        "x=arange",
        "--packed",
        "functions.py",
        "--format",
        "json",
    ]);
    if stderr(&output).contains("no module `numpy`") || stderr(&output).contains("no Python") {
        // On a machine without them, there is nothing to test.
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["outputs"][0]["first"], serde_json::json!([1.0, 3.0]));
    assert!(stderr(&output).contains("called"), "{output:?}");
}

#[test]
fn the_time_limit_covers_all_repetitions() {
    let place = Place::new(DOUBLE);
    let output = place.run(&[
        "m.py",
        "--dim",
        "n=1",
        "--repeat",
        "4000000000",
        "--time-limit",
        "1",
    ]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(stderr(&output).contains("time limit"), "{output:?}");
}

/// If the system does not limit memory, a watchdog ends the process with another exit code.
#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_covers_compiling() {
    let place = Place::new(&double_of_sums());
    for (format, to_stdout) in [("text", false), ("json", true)] {
        let arguments = [
            "m.py",
            "--dim",
            "n=1",
            "--memory-limit",
            "1",
            "--format",
            format,
        ];
        let output = place.run(&arguments);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(!stderr(&output).contains("memory allocation"), "{output:?}");
        let said = if to_stdout {
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            answer["error"]["message"].as_str().unwrap().to_owned()
        } else {
            stderr(&output).to_string()
        };
        let limit = "stopped at 1 MB, the memory limit";
        assert!(said.contains(limit), "{said}");
    }
}

/// Packed functions. One writes the id of its process, and then never ends.
#[cfg(target_os = "linux")]
const ENDLESS: &str = "import os\n\n\ndef double(x):\n    \
    open('number.new', 'w').write(str(os.getpid()))\n    \
    os.rename('number.new', 'number')\n    \
    while True:\n        pass\n\n\n\
    packed = {'my.double': double, 'fill': double}\n";

/// Starts a run, and waits until its packed function computes. Returns the run, and the id of the Python process.
#[cfg(target_os = "linux")]
fn computing(place: &Place, more: &[&str]) -> Option<(std::process::Child, String)> {
    let python = tvm::python()?;
    std::fs::write(place.path().join("endless.py"), ENDLESS).unwrap();
    let run = Command::new(tests::relax_lsp())
        .args(["run", "m.py", "--packed", "endless.py", "--python"])
        .arg(python)
        .args(more)
        .current_dir(place.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("relax-lsp starts");
    let number = place.path().join("number");
    while !number.exists() {
        std::thread::yield_now();
    }
    Some((run, std::fs::read_to_string(number).unwrap()))
}

/// Waits until the process has ended.
#[cfg(target_os = "linux")]
fn wait_for_the_end_of(process: &str) {
    let process = Path::new("/proc").join(process);
    while process.exists() {
        std::thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_packed_function_stops_at_the_time_limit() {
    let place = Place::new(PACKED);
    let Some((run, python)) = computing(&place, &["--time-limit", "5"]) else {
        return;
    };
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = stderr(&output);
    assert!(
        text.contains("time limit") && text.contains("m.py:5:"),
        "{text}"
    );
    wait_for_the_end_of(&python);
}

#[cfg(target_os = "linux")]
#[test]
fn the_python_process_ends_with_its_run() {
    let place = Place::new(PACKED);
    let Some((mut run, python)) = computing(&place, &[]) else {
        return;
    };
    run.kill().unwrap();
    run.wait().unwrap();
    wait_for_the_end_of(&python);
}

#[cfg(target_os = "linux")]
#[test]
fn python_imports_nothing_from_the_current_folder() {
    let Some(python) = tvm::python() else {
        return;
    };
    let python = python.to_str().unwrap();
    let place = Place::new(PACKED);
    let trap = "open('executed', 'w').close()\nraise SystemExit\n";
    for name in [
        "numpy.py",
        "tvm.py",
        "json.py",
        "inspect.py",
        "threading.py",
    ] {
        std::fs::write(place.path().join(name), trap).unwrap();
    }
    std::fs::create_dir(place.path().join("mine")).unwrap();
    let functions = "def fill(x, out):\n    out[:] = x + 1\n\n\npacked = {'my.double': lambda x: x * 2, 'fill': fill}\n";
    std::fs::write(place.path().join("mine/functions.py"), functions).unwrap();
    let packed = ["m.py", "--packed", "mine/functions.py", "--python", python];
    let output = place.run(&packed);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    place.run(&["m.py", "--against", "tvm", "--python", python]);
    assert!(!place.path().join("executed").exists());
}

#[cfg(unix)]
#[test]
fn device_files_are_not_read() {
    let place = Place::new(DOUBLE);
    let link = |name: &str| {
        let path = place.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    };
    link("x.npy");
    link("endless.py");
    link("w.safetensors");
    link("w.npz");
    for arguments in [
        &["m.py", "--input", "x=x.npy"][..],
        &["m.py", "--params", "w.safetensors"],
        &["m.py", "--params", "w.npz"],
        &["endless.py"],
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(stderr(&output).contains("not a regular file"), "{output:?}");
    }
}

#[test]
fn an_input_whose_header_nests_without_end_is_refused() {
    let place = Place::new(DOUBLE);
    let header = "(".repeat(60_000);
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    std::fs::write(place.path().join("x.npy"), file).unwrap();
    let output = place.run(&["m.py", "--dim", "n=1", "--input", "x=x.npy"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("header"), "{output:?}");
}

#[test]
fn a_comparison_with_tvm_requires_python_with_tvm() {
    let output = Place::new(DOUBLE).run(&[
        "m.py",
        "--dim",
        "n=1",
        "--against",
        "tvm",
        "--python",
        "no-such-python",
    ]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        stderr(&output).contains("`no-such-python` does not start"),
        "{output:?}"
    );
}

#[test]
fn scalars_are_given_and_shapes_are_written() {
    let place = Place::new(
        r#"from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def scaled(x: T.Buffer((4,), "float16"), by: T.float32, y: T.Buffer((4,), "float16")):
        for i in range(4):
            y[i] = x[i] * T.Cast("float16", by)

    @R.function
    def main(x: R.Tensor((4,), "float16"), by: R.Prim("float32"), n: R.Prim(value="n")):
        n = T.int64()
        y = R.call_tir(Module.scaled, (x, by), out_ty=R.Tensor((4,), "float16"))
        return (y, R.shape([n, 2 * n]))
"#,
    );
    let arguments = ["--input", "x=ones", "--input", "by=2.5", "--input", "n=3"];
    let output = place.run(&[&["m.py", "--output", "."], &arguments[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let read = |name: &str| std::fs::read(place.path().join(name)).unwrap();
    assert!(read("out.1.npy").ends_with(&[3i64.to_le_bytes(), 6i64.to_le_bytes()].concat()));
    assert!(read("out.0.npy").ends_with(&half_of(2.5).repeat(4)));
    let wrong = place.run(&["m.py", "--input", "n=1.5"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    assert!(stderr(&wrong).contains("1.5 is not int64"), "{wrong:?}");
}

/// Returns a number as the bytes of a float16.
fn half_of(value: f32) -> [u8; 2] {
    let bits = value.to_bits();
    let exponent = (bits >> 23 & 255) - 112;
    ((exponent << 10 | bits >> 13 & 1023) as u16).to_le_bytes()
}

#[test]
fn every_reason_for_not_running_is_listed() {
    let place = Place::new(
        r#"from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        a = R.call_packed("one", x, ty_args=R.Tensor((4,), "float32"))
        b = R.call_packed("two", x, ty_args=R.Tensor((4,), "float32"))
        c = R.call_packed("three", x, ty_args=R.Tensor((4,), "float32"))
        return (a, b, c)
"#,
    );
    let output = place.run(&["m.py"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = stderr(&output);
    for reason in [
        "`one`",
        "line 9: main: there is no packed function `two`",
        "`three`",
    ] {
        assert!(text.contains(reason), "{text}");
    }
    assert!(!text.contains("more"), "{text}");
}
