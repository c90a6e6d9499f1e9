#!/usr/bin/env python3
"""How long hovers in a small file take while a long one is open and both are typed in.

    python3 tests/benches/beside_a_long_file.py RELAX_LSP [LONG.py]

Without a file, a function of 30,000 bindings is made. Prints percentiles of milliseconds.
"""
import json
import subprocess
import sys
import time

SMALL = """from tvm.script import relax as R


@R.function
def f(x: R.Tensor(("n", 4), "float32")):
    y = R.add(x, x)
    return y
"""
ROUNDS = 100


def long_function():
    head = SMALL.split("    y =")[0]
    lines = [f"    y{at} = R.add(x, x)\n" for at in range(30_000)]
    return head + "".join(lines) + "    return x\n"


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = 0
        self.call("initialize", {"capabilities": {}})
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        length = int(self.process.stdout.readline().split(b":")[1])
        self.process.stdout.readline()
        return json.loads(self.process.stdout.read(length))

    def call(self, method, params):
        self.asked += 1
        self.send({"id": self.asked, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.asked and "method" not in message:
                return message

    def open(self, uri, text):
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def type(self, uri, version, line):
        at = {"line": line, "character": 0}
        end = {"line": line, "character": 1} if version % 2 else at
        change = {"range": {"start": at, "end": end}, "text": "" if version % 2 else "#"}
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})


def main():
    text = open(sys.argv[2], encoding="utf-8").read() if len(sys.argv) > 2 else long_function()
    server = Server(sys.argv[1])
    server.open("file:///small.py", SMALL)
    server.open("file:///long.py", text)
    hover = {"textDocument": {"uri": "file:///small.py"}, "position": {"line": 5, "character": 4}}
    # The long file is taken in when its own question is answered.
    server.call("textDocument/foldingRange", {"textDocument": {"uri": "file:///long.py"}})
    for where, line in [("small.py", 6), ("long.py", 10)]:
        times = []
        for version in range(2, ROUNDS + 2):
            server.type(f"file:///{where}", version, line)
            begin = time.perf_counter()
            server.call("textDocument/hover", hover)
            times.append((time.perf_counter() - begin) * 1000)
        times.sort()
        said = [f"p{share} {times[len(times) * share // 100]:.1f}" for share in (50, 90, 99)]
        print(f"typing in {where}: hover in small.py {', '.join(said)}, most {times[-1]:.1f} ms")
    server.process.kill()


main()
