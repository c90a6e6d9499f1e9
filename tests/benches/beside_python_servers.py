#!/usr/bin/env python3
"""Times relax-lsp beside Python language servers on the same text, in one run: what one waits for while typing.

    python3 tests/benches/beside_python_servers.py [--server PATH] FILE...

Installs nothing. Pyright (npm) and ty (PyPI) take part where `pyright-langserver` and `ty` are on the path; relax-lsp
is the release build of this checkout, or what `--server` names. They answer different questions: the Python servers know
nothing of StructInfo, and relax-lsp nothing of Python's types. What they share is the text and the person who waits.
"""

import argparse
import json
import os
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROUNDS = 30
# A server that has not answered by then is reported as that.
PATIENCE = 120.0

ROOT = Path(__file__).resolve().parents[2]


class Server:
    """One server on a pipe."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.next_id = 0
        self.incoming = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        uri = Path(folder).as_uri()
        self.call(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": "bench"}],
                "capabilities": {"textDocument": {"publishDiagnostics": {"versionSupport": True}}},
            },
        )
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def read(self):
        """Takes in what the server says; at its end, nothing."""
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length == 0:
                return self.incoming.put(None)
            self.incoming.put(json.loads(self.process.stdout.read(length)))

    def receive(self, timeout):
        """The next message; requests are answered with nothing."""
        message = self.incoming.get(timeout=max(timeout, 0))
        if message is None:
            raise EOFError("the server has gone")
        if "method" in message and "id" in message:
            items = message.get("params", {}).get("items") if message.get("params") else None
            result = [None] * len(items) if items is not None else None
            self.send({"id": message["id"], "result": result})
        return message

    def wait(self, fits):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                message = self.receive(end - time.monotonic())
            except queue.Empty:
                break
            if fits(message):
                return message
        self.process.kill()
        raise TimeoutError("no answer")

    def call(self, method, params):
        self.next_id += 1
        own = self.next_id
        self.send({"id": own, "method": method, "params": params})
        return self.wait(lambda message: message.get("id") == own and "method" not in message)

    def diagnostics(self, uri, version):
        def fits(message):
            params = message.get("params") or {}
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params.get("uri") == uri
                and params.get("version") == version
            )

        return self.wait(fits)

    def memory(self):
        """Megabytes held at most, where the system tells."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return None
        peak = [line for line in status.splitlines() if line.startswith("VmHWM:")]
        return int(peak[0].split()[1]) / 1024 if peak else None

    def end(self):
        self.call("shutdown", None)
        self.notify("exit", None)
        self.process.wait()


def binding(text):
    """The middle one of the lines that bind something."""
    lines = text.split("\n")
    bindings = [
        number
        for number, line in enumerate(lines)
        if line.startswith("        ") and ": R." in line and " = R." in line
    ]
    number = bindings[len(bindings) // 2]
    return number, lines[number]


def measure(command, text):
    """Figures by what was waited for, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_text(text)
        uri = path.as_uri()
        server = Server(command, folder)
        number, line = binding(text)
        version = 1
        figures = {}

        def timed(what, wait):
            start = time.perf_counter()
            wait()
            figures.setdefault(what, []).append((time.perf_counter() - start) * 1000)

        def change():
            nonlocal version
            version += 1
            typed = version % 2 == 0
            start = {"line": number, "character": len(line)}
            end = {"line": number, "character": len(line) + (0 if typed else 1)}
            change = {"range": {"start": start, "end": end}, "text": "x" if typed else ""}
            document = {"uri": uri, "version": version}
            server.notify(
                "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
            )

        def opened():
            document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
            server.notify("textDocument/didOpen", {"textDocument": document})
            server.diagnostics(uri, 1)

        def keystroke():
            change()
            server.diagnostics(uri, version)

        def ask(method, column):
            position = {"line": number, "character": column}
            server.call(method, {"textDocument": {"uri": uri}, "position": position})

        timed("open to diagnostics", opened)
        for _ in range(ROUNDS):
            timed("keystroke to diagnostics", keystroke)
            timed("hover after it", lambda: ask("textDocument/hover", len(line) - len(line.lstrip()) + 1))
            timed("completion after it", lambda: ask("textDocument/completion", line.index(" = R.") + 5))
        memory = server.memory()
        server.end()
        return figures, memory


def servers(own):
    """What takes part, by name."""
    found = {"relax-lsp": [str(own), "lsp"]}
    if pyright := shutil.which("pyright-langserver"):
        found["pyright"] = [pyright, "--stdio"]
    if ty := shutil.which("ty"):
        found["ty"] = [ty, "server"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", type=Path, default=ROOT / "target/release/relax-lsp")
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    if not arguments.server.exists():
        sys.exit(f"{arguments.server} is not there: cargo build --release -p relax-lsp")
    for file in arguments.files:
        text = file.read_text()
        print(f"{file.name} ({len(text) // 1024} KB)")
        for name, command in servers(arguments.server.resolve()).items():
            try:
                figures, memory = measure(command, text)
            except (EOFError, TimeoutError, BrokenPipeError) as error:
                print(f"  {name:10} {type(error).__name__}: {error}")
                continue
            for what, times in figures.items():
                usual, worst = statistics.median(times), max(times)
                print(f"  {name:10} {what:26} p50 {usual:10.2f} ms   max {worst:10.2f} ms")
            if memory is not None:
                print(f"  {name:10} {'memory':26}     {memory:10.0f} MB")


if __name__ == "__main__":
    main()
