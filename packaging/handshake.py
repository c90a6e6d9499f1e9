#!/usr/bin/env python3
"""Starts a language server, opens a file with a mistake, and ends the server: `packaging/handshake.py PROGRAM...`.

Fails unless the server reports the mistake and ends by itself.
"""

import json
import subprocess
import sys
import threading
from typing import BinaryIO

PROGRAM = 'from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((2,), "float32")):\n    return R.add(x, nowhere)\n'


def message(body: dict) -> bytes:
    text = json.dumps({"jsonrpc": "2.0", **body}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


def answer(output: BinaryIO, id: int) -> dict:
    """Reads messages up to the answer of a request, and returns it."""
    while True:
        lines = iter(output.readline, b"\r\n")
        headers = dict(line.split(b":") for line in lines)
        body = json.loads(output.read(int(headers[b"Content-Length"])))
        if body.get("id") == id and "method" not in body:
            return body


def main(command: list[str]) -> None:
    document = {"uri": "untitled:try.py", "languageId": "python", "version": 1, "text": PROGRAM}
    opened = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 2, "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": document["uri"]}}},
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        deadline = threading.Timer(120, server.kill)
        deadline.daemon = True
        deadline.start()
        server.stdin.write(b"".join(map(message, opened)))
        server.stdin.flush()
        found = json.dumps(answer(server.stdout, 2))
        server.stdin.write(message({"id": 3, "method": "shutdown"}) + message({"method": "exit"}))
        server.stdin.close()
        code = server.wait()
        deadline.cancel()
    assert "undefined-name" in found, found
    assert code == 0, code


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(sys.argv[1:])
