//! Tests of `relax-lsp dap` over standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const PROGRAM: &str = r#"from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def half(x: R.Tensor((2,), "float32")):
        y = R.multiply(x, R.const(0.5, "float32"))
        return y

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        a = R.add(x, x)
        b = cls.half(a)
        c = R.log(R.subtract(b, R.const(1.0, "float32")))
        d = R.add(c, a)
        return d
"#;

/// A client of the Debug Adapter Protocol.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    sent: u64,
    /// Events that arrived before the awaited response.
    events: Vec<Value>,
}

impl Client {
    /// Starts a session that launches the program, with breakpoints at these lines.
    fn launch(directory: &Path, breakpoints: &Value, filters: &Value, more: &Value) -> Client {
        Client::launch_text(PROGRAM, directory, breakpoints, filters, more)
    }

    fn launch_text(
        text: &str,
        directory: &Path,
        breakpoints: &Value,
        filters: &Value,
        more: &Value,
    ) -> Client {
        let program = directory.join("m.py");
        std::fs::write(&program, text).unwrap();
        let mut client = Client::start(directory);
        let mut launch = json!({"program": program, "function": "main", "inputs": {"x": "ones"}});
        launch
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        client.request("launch", &launch);
        client.set_breakpoints(&program, breakpoints);
        client.request("setExceptionBreakpoints", &json!({"filters": filters}));
        client.request("configurationDone", &json!({}));
        client
    }

    /// Starts a session.
    fn start(directory: &Path) -> Client {
        let mut child = Command::new(tests::relax_lsp())
            .arg("dap")
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut client = Client {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            sent: 0,
            events: Vec::new(),
        };
        let capabilities = client.request("initialize", &json!({"adapterID": "relax"}));
        assert_eq!(capabilities["supportsConditionalBreakpoints"], true);
        client.event("initialized");
        client
    }

    /// Sets the breakpoints of a file, and returns the line of each, or what is wrong with it.
    fn set_breakpoints(&mut self, file: &Path, breakpoints: &Value) -> Vec<Result<u64, String>> {
        let arguments = json!({"source": {"path": file}, "breakpoints": breakpoints});
        let body = self.request("setBreakpoints", &arguments);
        let answered = body["breakpoints"].as_array().unwrap().iter();
        let answered = answered.map(|it| match it["verified"].as_bool() {
            Some(true) => Ok(it["line"].as_u64().unwrap()),
            _ => Err(it["message"].as_str().unwrap().to_owned()),
        });
        answered.collect()
    }

    fn message(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(
                self.output.read_line(&mut line).unwrap(),
                0,
                "the adapter ended"
            );
            match line.trim().strip_prefix("Content-Length: ") {
                Some(text) => length = text.parse().unwrap(),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn answer(&mut self, command: &str, arguments: &Value) -> Value {
        self.sent += 1;
        let request = json!({"seq": self.sent, "type": "request", "command": command, "arguments": arguments});
        let text = request.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
        loop {
            let message = self.message();
            if message["type"] == "response" && message["request_seq"] == self.sent {
                return message;
            }
            self.events.push(message);
        }
    }

    fn request(&mut self, command: &str, arguments: &Value) -> Value {
        let answer = self.answer(command, arguments);
        assert_eq!(answer["success"], true, "{answer}");
        answer["body"].clone()
    }

    /// Waits for an event, which may have arrived already.
    fn event(&mut self, name: &str) -> Value {
        loop {
            let stops = |it: &Value| it["event"] == "stopped";
            assert!(
                name == "stopped" || !self.events.iter().any(stops),
                "stopped again"
            );
            if let Some(at) = self.events.iter().position(|it| it["event"] == name) {
                let event = self.events.remove(at);
                return event["body"].clone();
            }
            let message = self.message();
            self.events.push(message);
        }
    }

    /// Waits until the program stops, and returns the reason, and the function and line of each call.
    fn stopped(&mut self) -> (String, Vec<(String, u64)>) {
        let reason = self.event("stopped")["reason"].as_str().unwrap().to_owned();
        let stack = self.request("stackTrace", &json!({"threadId": 1}));
        let frames = stack["stackFrames"].as_array().unwrap();
        let place = |it: &Value| {
            (
                it["name"].as_str().unwrap().to_owned(),
                it["line"].as_u64().unwrap(),
            )
        };
        (reason, frames.iter().map(place).collect())
    }

    fn go_on(&mut self, command: &str) -> (String, Vec<(String, u64)>) {
        self.request(command, &json!({"threadId": 1}));
        self.stopped()
    }

    fn evaluate(&mut self, text: &str) -> String {
        let body = self.request("evaluate", &json!({"expression": text, "frameId": 1}));
        body["result"].as_str().unwrap().to_owned()
    }

    /// Returns the variables of the innermost call, and the reference that expands the first one.
    fn variables(&mut self) -> (u64, Vec<String>) {
        let scopes = self.request("scopes", &json!({"frameId": 1}));
        let reference = scopes["scopes"][0]["variablesReference"].as_u64().unwrap();
        let body = self.request("variables", &json!({"variablesReference": reference}));
        let all = body["variables"].as_array().unwrap().iter();
        let shown = all.map(|it| {
            format!(
                "{} = {}",
                it["name"].as_str().unwrap(),
                it["type"].as_str().unwrap()
            )
        });
        (reference, shown.collect())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn at(name: &str, line: u64) -> (String, u64) {
    (name.to_owned(), line)
}

#[test]
fn a_debugger_steps_and_shows_variables() {
    let directory = tempfile::tempdir().unwrap();
    let mut client = Client::launch(
        directory.path(),
        &json!([{"line": 14}]),
        &json!([]),
        &json!({}),
    );
    assert_eq!(
        client.stopped(),
        ("breakpoint".into(), vec![at("main", 14)])
    );
    let (reference, variables) = client.variables();
    assert_eq!(variables, ["x = f32[2]", "a = f32[2]"]);
    assert_eq!(client.evaluate("a.max * 2"), "4");
    assert!(client.evaluate("a").contains("[2.0, 2.0]") || client.evaluate("a").contains("[2, 2]"));
    let (reason, stack) = client.go_on("stepIn");
    assert_eq!((reason.as_str(), stack.len()), ("step", 2));
    assert_eq!(stack[1], at("main", 14));
    assert_eq!(
        client.go_on("stepOut"),
        ("step".into(), vec![at("main", 15)])
    );
    let stale = client.answer("variables", &json!({"variablesReference": reference + 9}));
    assert_eq!(stale["success"], false);
    client.request("continue", &json!({"threadId": 1}));
    client.event("terminated");
}

#[test]
fn a_run_continues_with_a_changed_value() {
    let directory = tempfile::tempdir().unwrap();
    let mut client = Client::launch(
        directory.path(),
        &json!([{"line": 15}]),
        &json!([]),
        &json!({}),
    );
    client.stopped();
    let (reference, _) = client.variables();
    let change = json!({"variablesReference": reference, "name": "b", "value": "1 + 1"});
    client.request("setVariable", &change);
    client.request("continue", &json!({"threadId": 1}));
    let output = client.event("output")["output"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        output.contains("min 2") && output.contains("max 2"),
        "{output}"
    );
}

#[test]
fn a_debugger_stops_at_the_first_value_that_is_not_finite() {
    let directory = tempfile::tempdir().unwrap();
    let mut client = Client::launch(directory.path(), &json!([]), &json!(["nan"]), &json!({}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "exception");
    assert_eq!(stopped["text"], "`c` holds 2 infinite numbers");
}

#[test]
fn breakpoint_conditions_use_statistics_and_shapes() {
    let directory = tempfile::tempdir().unwrap();
    let breakpoints = json!([
        {"line": 13, "condition": "x.max > 3"},
        {"line": 16, "condition": "c.inf == 2 and x.shape[0] < 3"},
    ]);
    let mut client = Client::launch(directory.path(), &breakpoints, &json!([]), &json!({}));
    assert_eq!(
        client.stopped(),
        ("breakpoint".into(), vec![at("main", 16)])
    );
}

#[test]
fn the_client_or_the_project_sets_the_release() {
    // Until TVM 0.19, the value comes before the mode.
    let text = "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    y = R.nn.pad(x, (1, 1), 2.0, \"constant\")\n    return y\n";
    let padded = |directory: &Path, more: &Value| {
        let lines = json!([{"line": 6}]);
        let mut client = Client::launch_text(text, directory, &lines, &json!([]), more);
        assert_eq!(client.stopped(), ("breakpoint".into(), vec![at("main", 6)]));
        client.evaluate("y.sum")
    };
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(padded(directory.path(), &json!({"tvm": "0.19"})), "6");
    let pin = directory.path().join("pyproject.toml");
    std::fs::write(pin, "[tool.relax-lsp]\ntvm = \"0.19\"\n").unwrap();
    assert_eq!(padded(directory.path(), &json!({})), "6");
}

const PRIM_FUNC: &str = r#"from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def double(A: T.Buffer((3,), "float32"), B: T.Buffer((3,), "float32")):
        for i in range(3):
            with T.sblock("B"):
                vi = T.axis.spatial(3, i)
                B[vi] = A[vi] * T.float32(2)

    @R.function
    def main(x: R.Tensor((3,), "float32")):
        cls = Module
        y = R.call_tir(cls.double, (x,), out_ty=R.Tensor((3,), "float32"))
        return y
"#;

fn in_prim_func(directory: &Path, breakpoints: &Value) -> Client {
    let none = json!([]);
    Client::launch_text(PRIM_FUNC, directory, breakpoints, &none, &json!({}))
}

#[test]
fn a_debugger_steps_through_a_prim_func() {
    let directory = tempfile::tempdir().unwrap();
    let mut client = in_prim_func(directory.path(), &json!([{"line": 15}]));
    client.stopped();
    let mut step = |command: &str| client.go_on(command).1;
    assert_eq!(step("stepIn"), [at("double", 7), at("main", 15)]);
    assert_eq!(step("next"), [at("double", 8), at("main", 15)]);
    assert_eq!(step("next"), [at("double", 10), at("main", 15)]);
    assert_eq!(step("next"), [at("double", 7), at("main", 15)]);
    assert_eq!(step("stepOut"), [at("main", 15)]);
    assert_eq!(step("next"), [at("main", 16)]);
    assert_eq!(client.evaluate("y.sum"), "6");
}

#[test]
fn a_debugger_steps_over_a_prim_func() {
    let directory = tempfile::tempdir().unwrap();
    let mut client = in_prim_func(directory.path(), &json!([{"line": 15}]));
    client.stopped();
    assert_eq!(client.go_on("next").1, [at("main", 16)]);
}

#[test]
fn breakpoints_in_prim_funcs_show_and_set_buffers() {
    let directory = tempfile::tempdir().unwrap();
    let breakpoints = json!([{"line": 10, "condition": "vi == 1"}, {"line": 16}]);
    let mut client = in_prim_func(directory.path(), &breakpoints);
    let (_, calls) = client.stopped();
    assert_eq!(calls, [at("double", 10), at("main", 15)]);
    let (reference, variables) = client.variables();
    assert_eq!(
        variables,
        ["A = f32[3]", "B = f32[3]", "i = i32(1)", "vi = i32(1)"]
    );
    assert_eq!(client.evaluate("B.sum"), "2");
    let wanted = json!({"variablesReference": reference, "name": "B", "value": "10"});
    client.request("setVariable", &wanted);
    client.go_on("continue");
    assert_eq!(client.evaluate("y.sum"), "14");
}

#[test]
fn breakpoints_belong_to_their_file() {
    let directory = tempfile::tempdir().unwrap();
    let (program, other) = (
        directory.path().join("m.py"),
        directory.path().join("other.py"),
    );
    // Line 14 of the other file is one of the program's too.
    std::fs::write(&other, PROGRAM).unwrap();
    std::fs::write(&program, PROGRAM).unwrap();
    let mut client = Client::start(directory.path());
    assert_eq!(
        client.set_breakpoints(&other, &json!([{"line": 14}])),
        [Ok(14)]
    );
    // A client may name a file in another way than at the launch.
    let launch = json!({"program": "m.py", "function": "main", "inputs": {"x": "ones"}});
    client.request("launch", &launch);
    let changed = client.event("breakpoint");
    assert_eq!(changed["breakpoint"]["verified"], false, "{changed}");
    assert_eq!(
        client.set_breakpoints(&program, &json!([{"line": 15}])),
        [Ok(15)]
    );
    client.set_breakpoints(&directory.path().join("nowhere.py"), &json!([]));
    let elsewhere = client.set_breakpoints(&other, &json!([{"line": 14}, {"line": 16}]));
    assert_eq!(
        elsewhere,
        [0, 1].map(|_| Err("this file is not debugged".to_owned()))
    );
    client.request("configurationDone", &json!({}));
    assert_eq!(client.stopped().1, [at("main", 15)]);
    client.request("continue", &json!({"threadId": 1}));
    client.event("terminated");
}

#[test]
fn each_breakpoint_is_answered_and_those_that_bind_are_verified() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("m.py");
    let text = PRIM_FUNC.replace("(x,), out_ty", "(x,),\n            out_ty");
    std::fs::write(&program, text).unwrap();
    let mut client = Client::start(directory.path());
    let asked = json!([
        {"line": 15}, {"line": 1}, {"line": 16}, {"column": 3}, {"line": 7}, {"line": 9}, {"line": 10},
        {"line": 12}, {"line": 400}, {"line": -1}, {"line": 17},
    ]);
    let nothing = || Err("no statement runs in this line".to_owned());
    let missing = || Err("`line` is missing".to_owned());
    assert_eq!(
        client.set_breakpoints(&program, &asked),
        [
            Ok(15),
            nothing(),
            Ok(15),
            missing(),
            Ok(7),
            nothing(),
            Ok(10),
            nothing(),
            nothing(),
            missing(),
            Ok(17),
        ]
    );
    let nowhere = client.set_breakpoints(Path::new("nowhere.py"), &json!([{"line": 1}]));
    assert!(nowhere[0].as_ref().unwrap_err().contains("nowhere.py"));
}

#[test]
fn an_endless_prim_func_is_paused_and_entered() {
    let directory = tempfile::tempdir().unwrap();
    let text = PRIM_FUNC.replace("for i in range(3)", "while T.bool(True)").replace(
        "            with T.sblock(\"B\"):\n                vi = T.axis.spatial(3, i)\n                B[vi] = A[vi]",
        "            B[0] = A[0]",
    );
    let none = json!([]);
    let entry = json!({"stopOnEntry": true});
    let mut client = Client::launch_text(&text, directory.path(), &none, &none, &entry);
    let (mut reason, mut calls) = client.stopped();
    // Each continues at least to the next instruction, and the last ones are in the loop.
    for _ in 0..12 {
        client.request("continue", &json!({"threadId": 1}));
        client.request("pause", &json!({"threadId": 1}));
        (reason, calls) = client.stopped();
    }
    assert_eq!((reason.as_str(), calls), ("pause", vec![at("main", 13)]));
    assert_eq!(client.go_on("stepIn").1, [at("double", 7), at("main", 13)]);
    assert_eq!(client.go_on("next").1, [at("double", 8), at("main", 13)]);
    client.request("continue", &json!({"threadId": 1}));
    client.request("pause", &json!({"threadId": 1}));
    assert_eq!(client.stopped().1.len(), 2);
    client.request("continue", &json!({"threadId": 1}));
    client.request("terminate", &json!({}));
    client.child.wait().unwrap();
}

/// The operator computes for many times as long as the pause may take.
#[test]
fn an_operator_that_computes_long_is_paused() {
    let directory = tempfile::tempdir().unwrap();
    let text = "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Tensor((1000000,), \"int64\")):\n    y = R.one_hot(x, R.prim_value(T.int8(1)), R.prim_value(T.int8(0)), 1000, axis=-1)\n    return y\n"
        .replace("relax as R\n", "relax as R, tir as T\n");
    let line = json!([{"line": 5}]);
    let none = json!({});
    let mut client = Client::launch_text(&text, directory.path(), &line, &json!([]), &none);
    assert_eq!(client.stopped().1, [at("main", 5)]);
    for _ in 0..2 {
        client.request("continue", &json!({"threadId": 1}));
        let begin = Instant::now();
        client.request("pause", &json!({"threadId": 1}));
        let (reason, calls) = client.stopped();
        let waited = begin.elapsed();
        assert_eq!((reason.as_str(), calls), ("pause", vec![at("main", 5)]));
        // A second is what a person may wait. This machine may do other things.
        assert!(waited < Duration::from_secs(3), "{waited:?}");
        assert_eq!(client.variables().1, ["x = i64[1000000]"]);
    }
    client.request("terminate", &json!({}));
    client.child.wait().unwrap();
}

#[test]
fn a_bad_message_is_answered_and_the_session_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let mut client = Client::start(directory.path());
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    for bad in [
        framed("{x}"),
        framed(&"[".repeat(100_000)),
        framed("[]"),
        framed("{\"seq\": -1, \"type\": \"request\", \"command\": \"threads\"}"),
        framed("{\"type\": \"request\", \"command\": \"threads\"}"),
        framed("{\"seq\": 7, \"type\": \"request\"}"),
        framed("{\"seq\": 7, \"type\": \"request\", \"command\": \"launch\", \"arguments\": 3}"),
        "Content-Length: -1\r\n\r\n".to_owned(),
        "no header\r\n\r\n".to_owned(),
    ] {
        client.input.write_all(bad.as_bytes()).unwrap();
        let answer = client.message();
        assert_eq!(
            (&answer["type"], &answer["success"]),
            (&json!("response"), &json!(false))
        );
        assert!(answer["message"].is_string(), "{answer}");
        client.request("threads", &json!({}));
    }
    let lower = "content-length: 43\r\n\r\n{\"seq\":99,\"type\":\"request\",\"command\":\"nap\"}";
    client.input.write_all(lower.as_bytes()).unwrap();
    assert_eq!(client.message()["request_seq"], 99);
}
