"""Stands between an editor and its language server, and writes down what they say.

    record.py LOG SERVER [ARGUMENT]...

One line of JSON a message, {"from": "editor" | "server", "message": ...}; at the end {"exit": the server's status}.
"""

import json
import signal
import subprocess
import sys
import threading


def messages(stream):
    """The bodies of the messages on a stream, as they arrive."""
    while header := stream.readline():
        if header.lower().startswith(b"content-length:"):
            length = int(header.split(b":")[1])
        elif header == b"\r\n":
            yield stream.read(length)


def pass_on(speaker, source, target, log):
    for body in messages(source):
        log(f'{{"from": "{speaker}", "message": {json.dumps(json.loads(body))}}}')
        target.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        target.flush()
    target.close()


def main(path, *command):
    # Editors that have said `exit` may not wait for what comes of it.
    signal.signal(signal.SIGTERM, lambda *_: None)
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lock = threading.Lock()
    with open(path, "a", encoding="utf-8") as file:

        def log(line):
            with lock:
                file.write(line + "\n")
                file.flush()

        asked = threading.Thread(target=pass_on, args=("editor", sys.stdin.buffer, server.stdin, log), daemon=True)
        asked.start()
        pass_on("server", server.stdout, sys.stdout.buffer, log)
        log(f'{{"exit": {server.wait()}}}')


if __name__ == "__main__":
    main(*sys.argv[1:])
