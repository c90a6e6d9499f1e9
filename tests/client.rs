//! A small LSP client that talks to the real binary over standard input and output.
//!
//! It waits for events, never for a fixed time. A wait that takes longer than [`PATIENCE`] fails the test. Dropping the
//! client fails the test if a message of the server was not read.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Far longer than any wait in these tests takes on a loaded machine.
const PATIENCE: Duration = Duration::from_mins(1);

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    incoming: Receiver<(Instant, Value)>,
    /// Starts reading the server's output.
    listen: Option<Sender<()>>,
    /// Messages that have arrived, but were not yet waited for.
    waiting: VecDeque<Value>,
    /// When the last message that was waited for arrived.
    arrived: Instant,
    next_id: i64,
    strict: bool,
}

impl Client {
    /// Starts the server, without a handshake.
    pub fn start() -> Client {
        let mut client = Client::deaf();
        client.listen();
        client
    }

    /// The same, but the client does not read yet, so the server's output fills the pipe.
    pub fn deaf() -> Client {
        let mut child = Command::new(crate::relax_lsp())
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let (sender, incoming) = channel();
        let (listen, begin) = channel();
        std::thread::spawn(move || {
            // If it is dropped unused, the messages are never read.
            if begin.recv().is_err() {
                return;
            }
            while let Some(message) = read_message(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Client {
            child,
            stdin,
            incoming,
            listen: Some(listen),
            waiting: VecDeque::new(),
            arrived: Instant::now(),
            next_id: 0,
            strict: true,
        }
    }

    /// Starts reading the server's messages.
    pub fn listen(&mut self) {
        if let Some(listen) = self.listen.take() {
            listen.send(()).expect("the reader waits");
        }
    }

    /// The process id of the server.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Starts the server and does the handshake with these client capabilities.
    pub fn initialized(capabilities: Value) -> Client {
        let mut client = Client::start();
        client.call("initialize", json!({"capabilities": capabilities}));
        client.notify("initialized", json!({}));
        client
    }

    pub fn plain() -> Client {
        Client::initialized(json!({}))
    }

    pub fn send(&mut self, message: &Value) {
        self.send_raw(&frame(&message.to_string()));
    }

    pub fn send_raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin
            .write_all(bytes)
            .and_then(|()| stdin.flush())
            .expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns its id.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Waits for the whole response to a request.
    pub fn response(&mut self, id: i64) -> Value {
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    /// Sends a request and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let mut response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].take()
    }

    /// Sends a request and waits for its error.
    pub fn refused(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let mut response = self.response(id);
        assert!(response.get("result").is_none(), "{method}: {response}");
        response["error"].take()
    }

    /// Whether an unread message matches.
    pub fn has(&self, fits: impl Fn(&Value) -> bool) -> bool {
        self.waiting.iter().any(fits)
    }

    /// Waits for a notification and returns its parameters.
    pub fn notification(&mut self, method: &str) -> Value {
        self.wait(|message| message["method"] == method && message.get("id").is_none())["params"]
            .take()
    }

    /// Waits for a request of the server, answers it, and returns its parameters.
    pub fn serve(&mut self, method: &str, result: Value) -> Value {
        let mut request =
            self.wait(|message| message["method"] == method && message.get("id").is_some());
        self.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
        request["params"].take()
    }

    /// Waits for the first message that matches, including unread ones.
    pub fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.waiting.iter().position(&fits) {
            return self.waiting.remove(at).expect("just found");
        }
        loop {
            let message = self.incoming.recv_timeout(PATIENCE);
            let (arrived, message) = message.unwrap_or_else(|_| {
                panic!("the message never came; others did: {:#?}", self.waiting)
            });
            if fits(&message) {
                self.arrived = arrived;
                return message;
            }
            self.waiting.push_back(message);
        }
    }

    pub fn open(&mut self, uri: &str, version: i32, text: &str) {
        self.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": uri, "languageId": "python", "version": version, "text": text}}),
        );
    }

    pub fn change(&mut self, uri: &str, version: i32, changes: Value) {
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}),
        );
    }

    pub fn close(&mut self, uri: &str) {
        self.notify(
            "textDocument/didClose",
            json!({"textDocument": {"uri": uri}}),
        );
    }

    /// Waits for the diagnostics of this version of a document.
    pub fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        message["params"]["diagnostics"]
            .as_array()
            .expect("diagnostics are an array")
            .clone()
    }

    /// Returns the versions of the unread diagnostics, and marks them as read.
    pub fn published_versions(&mut self, uri: &str) -> Vec<Value> {
        let of = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        };
        let versions = self.waiting.iter().filter(|message| of(message));
        let versions = versions
            .map(|message| message["params"]["version"].clone())
            .collect();
        self.waiting.retain(|message| !of(message));
        versions
    }

    /// Returns when the last byte of the last awaited message arrived, before this client parsed it. Meaningless if the
    /// message arrived before the test waited for it.
    pub fn arrived(&self) -> Instant {
        self.arrived
    }

    /// Returns the peak memory of the server, if the system provides it.
    pub fn peak_memory_kb(&self) -> Option<u64> {
        self.status_kb("VmHWM:")
    }

    /// Returns the current memory of the server, if the system provides it.
    pub fn memory_kb(&self) -> Option<u64> {
        self.status_kb("VmRSS:")
    }

    /// Resets [`Self::peak_memory_kb`], if the system allows it.
    pub fn forget_peak_memory(&self) {
        let _ = std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5");
    }

    /// Returns the CPU time of the server's threads, if the system provides it.
    pub fn computed(&self) -> Option<Duration> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let of_thread = |thread: std::fs::DirEntry| {
            let figures = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            let nanoseconds = figures.split_whitespace().next()?.parse().ok()?;
            Some(Duration::from_nanos(nanoseconds))
        };
        Some(threads.flatten().filter_map(of_thread).sum())
    }

    fn status_kb(&self, row: &str) -> Option<u64> {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).ok()?;
        let line = status.lines().find(|line| line.starts_with(row))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Closes the server's input, like a client that crashed.
    pub fn vanish(&mut self) -> ExitStatus {
        self.strict = false;
        self.stdin = None;
        self.ended()
    }

    /// Waits for the server to exit by itself.
    pub fn left(&mut self) -> ExitStatus {
        self.strict = false;
        self.ended()
    }

    pub fn exit(&mut self) -> ExitStatus {
        self.notify("exit", Value::Null);
        self.ended()
    }

    /// Waits for the server to exit. It closes its output first.
    fn ended(&mut self) -> ExitStatus {
        loop {
            match self.incoming.recv_timeout(PATIENCE) {
                Ok((_, message)) => self.waiting.push_back(message),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("the server does not end: {error}"),
            }
        }
        self.child.wait().expect("the server has an exit status")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.child.kill();
            let _ = self.child.wait();
            return;
        }
        if self.stdin.is_some() && self.child.try_wait().is_ok_and(|status| status.is_none()) {
            self.call("shutdown", Value::Null);
            let status = self.exit();
            assert!(status.success(), "after shutdown and exit: {status}");
        }
        if self.strict {
            assert!(
                self.waiting.is_empty(),
                "messages that the test did not read: {:#?}",
                self.waiting
            );
        }
    }
}

pub fn frame(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Reads the next message, and returns it with its arrival time; `None` at the end of the output.
fn read_message(from: &mut impl BufRead) -> Option<(Instant, Value)> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.parse::<usize>().ok();
        }
    }
    let mut body = vec![0; length.expect("a message has a length")];
    from.read_exact(&mut body).ok()?;
    let arrived = Instant::now();
    let message = serde_json::from_slice(&body).expect("a message is JSON");
    Some((arrived, message))
}
