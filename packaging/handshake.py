#!/usr/bin/env python3
"""Starts a language server, opens a file with a mistake, and ends the server: `packaging/handshake.py PROGRAM...`.

Fails unless the server reports the mistake and ends by itself.
"""

import json
import subprocess
import sys

PROGRAM = 'from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((2,), "float32")):\n    return R.add(x, nowhere)\n'


def message(body: dict) -> bytes:
    text = json.dumps({"jsonrpc": "2.0", **body}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


def main(command: list[str]) -> None:
    document = {"uri": "untitled:try.py", "languageId": "python", "version": 1, "text": PROGRAM}
    talk = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 2, "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": document["uri"]}}},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    ]
    server = subprocess.run(command, input=b"".join(map(message, talk)), capture_output=True, timeout=120)
    assert server.returncode == 0, server
    assert b"undefined-name" in server.stdout, server.stdout


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(sys.argv[1:])
