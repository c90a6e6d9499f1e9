"""A client of language servers, for the benchmarks."""

import json
import os
import queue
import subprocess
import threading
import time
from pathlib import Path

# The maximum time for an answer, in seconds.
PATIENCE = 120.0


class Server:
    """A language server, connected by pipes."""

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
        """Queues the messages of the server, and None at their end."""
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            body = self.process.stdout.read(length)
            # A server that ends may leave a message unfinished.
            if length == 0 or len(body) < length:
                return self.incoming.put(None)
            self.incoming.put(json.loads(body))

    def receive(self, timeout):
        """Returns the next message. Answers requests with null."""
        message = self.incoming.get(timeout=max(timeout, 0))
        if message is None:
            raise EOFError("the server has gone")
        if "method" in message and "id" in message:
            items = message.get("params", {}).get("items") if message.get("params") else None
            result = [None] * len(items) if items is not None else None
            self.send({"id": message["id"], "result": result})
        return message

    def wait(self, fits):
        """Returns the first message that fits. Ends the server if there is none in time."""
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

    def open(self, uri, text, language="python"):
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri, version, start, end, text):
        """Replaces the text between two positions."""
        change = {"range": {"start": start, "end": end}, "text": text}
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def memory(self):
        """Returns the peak memory in MB, or None if the system does not tell."""
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
