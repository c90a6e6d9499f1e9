//! Tests of `relax-lsp playground`: access control, and the served files. The page itself is tested in a browser, in
//! `editors/vscode/test/playground`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Playground {
    child: Child,
    /// `127.0.0.1:PORT`
    host: String,
    /// `/TOKEN/`, and the rest of the path.
    path: String,
}

impl Playground {
    fn start(arguments: &[&str]) -> Playground {
        let mut child = Command::new(tests::relax_lsp())
            .args(["playground", "--no-open"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("relax-lsp starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is a pipe");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it says where it is");
        let (_, address) = line.trim().split_once("http://").expect(&line);
        let (host, path) = address.split_once('/').expect(&line);
        Playground {
            child,
            host: host.to_owned(),
            path: format!("/{path}"),
        }
    }

    /// Returns the status and the rest of the response.
    fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        write!(stream, "GET {path} HTTP/1.1\r\n").unwrap();
        for (name, value) in headers {
            write!(stream, "{name}: {value}\r\n").unwrap();
        }
        write!(stream, "Connection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok());
        (status.expect(&answer), answer)
    }

    fn of_page(&self, name: &str) -> (u16, String) {
        self.get(&format!("{}{name}", self.path), &[("Host", &self.host)])
    }

    /// Sends the request with which a browser opens a WebSocket.
    fn connect(&self, origin: &str) -> u16 {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        write!(
            stream,
            "GET {}lsp HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.path, self.host
        )
        .unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).and_then(|it| it.parse().ok());
        status.expect(&line)
    }
}

impl Drop for Playground {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_is_in_the_binary_and_loads_nothing_from_elsewhere() {
    let playground = Playground::start(&[]);
    let (status, page) = playground.of_page("");
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("content-security-policy: default-src 'none'; script-src 'self'"));
    let quoted = page.split(['"', '\'']);
    let parts = quoted.filter(|it| it.contains('.') && !it.contains(char::is_whitespace));
    let parts: Vec<&str> = parts.collect();
    assert!(parts.contains(&"playground.js"), "{page}");
    for part in parts {
        assert_eq!(playground.of_page(part).0, 200, "{part}");
    }
}

#[test]
fn requests_without_the_token_are_refused() {
    let playground = Playground::start(&[]);
    let own = [("Host", playground.host.as_str())];
    for path in ["/", "/panel.js", "/0123456789abcdef0123456789abcdef/"] {
        assert_eq!(playground.get(path, &own).0, 403, "{path}");
    }
}

#[test]
fn other_host_names_for_this_machine_are_refused() {
    let playground = Playground::start(&[]);
    let foreign = [("Host", "rebound.example")];
    assert_eq!(playground.get(&playground.path, &foreign).0, 403);
}

#[test]
fn only_the_served_page_can_open_a_connection() {
    let playground = Playground::start(&[]);
    assert_eq!(playground.connect("http://elsewhere.example"), 403);
    assert_eq!(playground.connect("null"), 403);
    assert_eq!(
        playground.connect(&format!("http://{}", playground.host)),
        101
    );
}

#[test]
fn files_on_disk_are_not_served() {
    let playground = Playground::start(&[]);
    for name in [
        "Cargo.toml",
        "../Cargo.toml",
        "%2e%2e/Cargo.toml",
        "/etc/hosts",
        "..%2fCargo.toml",
    ] {
        assert_eq!(playground.of_page(name).0, 404, "{name}");
    }
}

#[test]
fn a_code_has_its_page() {
    let playground = Playground::start(&[]);
    let (status, page) = playground.of_page("explain/shape-mismatch");
    assert_eq!(status, 200);
    assert!(page.contains("# shape-mismatch"), "{page}");
    assert_eq!(playground.of_page("explain/no-such-code").0, 404);
}

#[test]
fn a_shared_link_opens_its_program_here() {
    let link = "http://127.0.0.1:1/another/#program=S04sUajMLy0CAA";
    let playground = Playground::start(&[link]);
    assert!(playground.path.ends_with("/#program=S04sUajMLy0CAA"));
}
