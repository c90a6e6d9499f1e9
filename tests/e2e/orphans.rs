//! Tests that no process outlives what asked for it: a call, the input, the program that started it.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::conformance::tvm;

/// Far longer than any wait takes on a loaded machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// A PrimFunc that never ends.
const ENDLESS: &str = r#"from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def k(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        while T.bool(True):
            B[0] = A[1]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.k, (x,), out_sinfo=R.Tensor((4,), "float32"))
        return y
"#;

/// More than may run at once.
const CALLS: u64 = 12;

/// A program and all that it starts, which inherit a mark in the environment.
struct Marked {
    child: Child,
    stdin: Option<ChildStdin>,
    mark: String,
    folder: tempfile::TempDir,
}

impl Marked {
    fn start(arguments: &[&str], files: &[(&str, &str)]) -> Marked {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let mark = format!("RELAX_LSP_TEST_MARK={}", folder.path().display());
        let (name, value) = mark.split_once('=').unwrap();
        let mut child = Command::new(tests::relax_lsp())
            .args(arguments)
            .env(name, value)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        Marked {
            child,
            stdin,
            mark,
            folder,
        }
    }

    fn write(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a message of the Model Context Protocol.
    fn send(&mut self, message: &Value) {
        self.write(&format!("{message}\n"));
    }

    /// Returns the number of processes that live.
    fn alive(&self) -> usize {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes.filter(|it| self.is_marked(&it.path())).count()
    }

    /// The environment of a process that has ended is empty.
    fn is_marked(&self, process: &Path) -> bool {
        let environment = std::fs::read(process.join("environ")).unwrap_or_default();
        let mut variables = environment.split(|it| *it == 0);
        variables.any(|it| it == self.mark.as_bytes())
    }

    fn wait_for(&self, number: usize) {
        let begin = Instant::now();
        while self.alive() != number {
            assert!(
                begin.elapsed() < PATIENCE,
                "{} processes live, not {number}",
                self.alive()
            );
            std::thread::yield_now();
        }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Marked {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The calls that may run at once.
fn slots() -> usize {
    std::thread::available_parallelism()
        .map_or(4, |it| it.get().max(4))
        .min(CALLS as usize)
}

/// Starts a server for agents, with more calls than may run at once.
fn agents() -> Marked {
    let mut server = Marked::start(&["mcp"], &[("endless.py", ENDLESS)]);
    let client = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    server.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}));
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    for id in 1..=CALLS {
        let call =
            json!({"name": "run", "arguments": {"path": "endless.py", "function": "Module.main"}});
        server.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call}));
    }
    server.wait_for(1 + slots());
    server
}

#[test]
fn cancelled_calls_of_an_agent_end() {
    let mut server = agents();
    for id in 1..=CALLS {
        let cancelled = json!({"requestId": id});
        server.send(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}),
        );
    }
    server.wait_for(1);
    // Their slots are free.
    let call = json!({"name": "explain", "arguments": {"code": "shape-mismatch"}});
    server.send(&json!({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": call}));
    let lines = BufReader::new(server.child.stdout.take().unwrap()).lines();
    let mut answers = lines.map(|it| serde_json::from_str::<Value>(&it.unwrap()).unwrap());
    assert!(answers.any(|it| it["id"] == 99));
}

#[test]
fn calls_of_an_agent_end_with_the_input() {
    let mut server = agents();
    server.stdin = None;
    server.wait_for(0);
}

#[test]
fn calls_of_an_agent_end_with_a_killed_server() {
    let mut server = agents();
    server.kill();
    server.wait_for(0);
}

/// Sends a message of a protocol with headers.
fn framed(to: &mut Marked, message: &Value) {
    let text = message.to_string();
    to.write(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
}

/// Starts a server for an editor that runs a program several times.
fn editor() -> Marked {
    let mut server = Marked::start(&["lsp"], &[("endless.py", ENDLESS)]);
    framed(
        &mut server,
        &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}}}),
    );
    framed(
        &mut server,
        &json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
    );
    let uri = format!(
        "file://{}",
        server.folder.path().join("endless.py").display()
    );
    for id in 1..=CALLS {
        let argument = json!({"uri": uri, "function": "Module.main"});
        let params = json!({"command": "relax.run", "arguments": [argument]});
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "workspace/executeCommand", "params": params});
        framed(&mut server, &message);
    }
    server.wait_for(1 + slots());
    server
}

#[test]
fn runs_of_an_editor_end_when_they_are_cancelled() {
    let mut server = editor();
    for id in 1..=CALLS {
        framed(
            &mut server,
            &json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}),
        );
    }
    server.wait_for(1);
}

#[test]
fn runs_of_an_editor_end_with_a_killed_server() {
    let mut server = editor();
    server.kill();
    server.wait_for(0);
}

#[test]
fn runs_of_an_editor_end_with_the_input() {
    let mut server = editor();
    server.stdin = None;
    server.wait_for(0);
}

/// Sends a request of the Debug Adapter Protocol.
fn ask(adapter: &mut Marked, seq: u64, command: &str, arguments: &Value) {
    framed(
        adapter,
        &json!({"seq": seq, "type": "request", "command": command, "arguments": arguments}),
    );
}

/// Starts a debugger whose program runs.
fn debugger() -> Marked {
    let mut adapter = Marked::start(&["dap"], &[("endless.py", ENDLESS)]);
    let launch = json!({"program": "endless.py", "function": "main"});
    ask(&mut adapter, 1, "initialize", &json!({}));
    ask(&mut adapter, 2, "launch", &launch);
    ask(&mut adapter, 3, "configurationDone", &json!({}));
    let mut output = adapter.child.stdout.take().unwrap();
    let mut said = String::new();
    while !said.contains("\"request_seq\":3") {
        let mut some = [0; 512];
        let length = output.read(&mut some).unwrap();
        said.push_str(std::str::from_utf8(&some[..length]).unwrap());
    }
    adapter.wait_for(1);
    adapter
}

#[test]
fn a_debugged_program_ends_with_the_input() {
    let mut adapter = debugger();
    adapter.stdin = None;
    adapter.wait_for(0);
}

#[test]
fn a_debugged_program_ends_with_a_disconnection() {
    let mut adapter = debugger();
    ask(&mut adapter, 4, "disconnect", &json!({}));
    adapter.wait_for(0);
}

#[test]
fn a_debugged_program_ends_with_a_killed_debugger() {
    let mut adapter = debugger();
    adapter.kill();
    adapter.wait_for(0);
}

#[test]
fn a_run_of_a_reduction_ends_with_a_killed_reduction() {
    let arguments = ["reduce", "endless.py::Module.main", "--keep", "run:nan"];
    let mut reduction = Marked::start(&arguments, &[("endless.py", ENDLESS)]);
    reduction.wait_for(2);
    reduction.kill();
    reduction.wait_for(0);
}

/// An agent's call does not take the memory that the system needs.
#[test]
fn a_child_has_a_limit_of_memory() {
    let arguments = ["--lease", "check", "--watch", "m.py"];
    let mut call = Marked::start(&arguments, &[("m.py", PACKED)]);
    let mut lines = BufReader::new(call.child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("No problems"));
    let limits = format!("/proc/{}/limits", call.child.id());
    let limits = std::fs::read_to_string(limits).unwrap();
    let memory = limits
        .lines()
        .find(|it| it.starts_with("Max address space"));
    let soft = memory.unwrap().split_whitespace().nth(3).unwrap();
    assert!(soft.parse::<u64>().is_ok(), "{limits}");
}

const PACKED: &str = r#"from tvm.script import relax as R

@R.function(pure=False)
def main(x: R.Tensor((2,), "float32")):
    y = R.call_packed("endless", x, sinfo_args=R.Tensor((2,), "float32"))
    return y
"#;

/// A packed function that starts another process, and never ends.
const FUNCTIONS: &str = "import subprocess\nimport sys\n\n\ndef endless(x):\n    \
    subprocess.Popen([sys.executable, '-c', 'while True: pass'])\n    while True:\n        pass\n";

/// Starts a run with packed functions, unless there is no Python for it.
fn packed(functions: &str, more: &[&str]) -> Option<Marked> {
    let python = tvm::python()?;
    let arguments = [
        "run",
        "m.py",
        "--packed",
        "functions.py",
        "--python",
        python.to_str().unwrap(),
    ];
    let files = [("m.py", PACKED), ("functions.py", functions)];
    Some(Marked::start(&[&arguments, more].concat(), &files))
}

#[test]
fn what_a_packed_function_starts_ends_with_a_killed_run() {
    if let Some(mut run) = packed(FUNCTIONS, &[]) {
        run.wait_for(3);
        run.kill();
        run.wait_for(0);
    }
}

#[test]
fn what_a_packed_function_starts_ends_at_the_time_limit() {
    if let Some(run) = packed(FUNCTIONS, &["--time-limit", "8"]) {
        run.wait_for(3);
        run.wait_for(0);
    }
}

#[test]
fn what_a_packed_function_starts_ends_with_a_python_that_ends_itself() {
    let ends = FUNCTIONS.replace(
        "while True:\n        pass\n",
        "import os\n    os._exit(3)\n",
    );
    if let Some(mut run) = packed(&ends, &[]) {
        assert_eq!(run.child.wait().unwrap().code(), Some(3));
        run.wait_for(0);
    }
}

#[test]
fn what_a_recorded_build_starts_ends_with_the_build() {
    let Some(python) = tvm::python() else {
        return;
    };
    let python = python.to_str().unwrap();
    let build = "import subprocess\nimport sys\n\nsubprocess.Popen([sys.executable, '-c', 'while True: pass'])\n";
    let arguments = [
        "passes", "--python", python, "--output", "dumps", "--record", "build.py",
    ];
    let mut recording = Marked::start(&arguments, &[("build.py", build)]);
    recording.child.wait().unwrap();
    recording.wait_for(0);
}
