"""Kate's LSP Client against the server: what a user of Kate sees, set up by what stands on docs/editors/kate.md.

    FILE=mlp.py SERVER=target/release/relax-lsp PAGE=kate.md SHOTS=folder dbus-run-session -- python3 kate.py

Keys go to a virtual screen. Their effect is read from what Kate and the server say to each other, and from the file
when it is saved. Pictures of the screen are for people: fonts and colours differ from machine to machine.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

from pages import fenced
from screen import Screen, wait

HERE = Path(__file__).parent
FILE = Path(os.environ["FILE"])
HOME = Path(os.environ["HOME"])

failed = 0


def step(screen, what, act):
    """Runs one step and says whether it passed."""
    global failed
    try:
        note = act()
        said = ": " + " ".join(note.split()) if note else ""
        print(f"  ok   {what}{said}", flush=True)
        return True
    except (AssertionError, TimeoutError, subprocess.TimeoutExpired) as problem:
        failed += 1
        screen.picture(SHOTS / f"kate-fail-{failed}.png")
        print(f"  FAIL {what}: {problem}", flush=True)
        return False


class Wire:
    """What the editor and the server have said to each other."""

    def __init__(self, path):
        self.path = path
        path.touch()

    def all(self):
        # The last line may still be written.
        return [json.loads(line) for line in self.path.read_text(encoding="utf-8").split("\n")[:-1]]

    def said(self, speaker, start=0):
        return [it["message"] for it in self.all()[start:] if it.get("from") == speaker]

    def answer(self, method, start=0):
        """The server's answer to the last request of a method from message `start` on."""
        asked = [it["id"] for it in self.said("editor", start) if it.get("method") == method]
        for it in self.said("server", start):
            if asked and it.get("id") == asked[-1] and "method" not in it:
                return it

    def diagnostics(self):
        """Those that were published last; none before the first."""
        published = [it["params"] for it in self.said("server") if it.get("method") == "textDocument/publishDiagnostics"]
        return published[-1]["diagnostics"] if published else None


class Kate:
    """One that has a home of its own."""

    def __init__(self, name, screen, settings):
        self.screen, self.title = screen, FILE.name
        home = HOME / name
        binaries, runtime = home / "bin", home / "runtime"
        binaries.mkdir(parents=True)
        runtime.mkdir(mode=0o700)
        self.wire, self.ran = Wire(home / "wire.jsonl"), home / "ran"
        server = os.environ["SERVER"]
        recorder = [sys.executable, str(HERE / "record.py"), str(self.wire.path), server]
        program = binaries / "relax-lsp"
        program.write_text(
            "#!/bin/sh\n"
            f'if [ "${{1:-}}" = run ]; then {shlex.quote(server)} "$@" | tee {shlex.quote(str(self.ran))}; exit; fi\n'
            f'exec {shlex.join(recorder)} "$@"\n',
            encoding="utf-8",
        )
        program.chmod(0o755)
        for path, text in settings.items():
            file = home / ".config" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        path = f"{binaries}:{os.environ['PATH']}"
        env = {**screen.env, "PATH": path, "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime), "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(["kate", "--new", str(FILE)], env=env, stderr=subprocess.DEVNULL)

    def allow(self):
        """Answers whether the server may be started, and waits until it has read the file."""
        question = "LSP server start requested"
        wait("Kate's question", lambda: self.screen.windows(question))
        self.screen.focus(question)
        self.screen.press("Return")
        answer = wait("the server's answer", lambda: self.wire.answer("initialize"))
        wait("the file at the server", lambda: self.wire.diagnostics() is not None)
        wait("one window", lambda: not self.screen.windows(question))
        self.screen.fill(self.title)
        return " ".join(answer["result"]["serverInfo"].values())

    def leave(self):
        self.press("ctrl+q")
        assert self.process.wait(30) == 0, self.process.returncode
        # Kate's `shutdown` has no id, so the server's status is what the protocol gives to an exit without.
        wait("the server's end", lambda: any("exit" in it for it in self.wire.all()))

    def press(self, *keys):
        self.screen.focus(self.title)
        self.screen.press(*keys)

    def type(self, text):
        self.screen.focus(self.title)
        self.screen.type(text)

    def go_to(self, text, offset=0):
        """Puts the cursor at the text, by Kate's own command line."""
        before, _, _ = self.wire_text().partition(text)
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n") - 1 + offset
        self.press("F7")
        self.screen.type(f"goto {line}")
        self.screen.press("Return", "Escape", "Home", "Home", *["Right"] * column)

    def wire_text(self):
        """The text as the server has been told it."""
        lines = None
        for it in self.wire.said("editor"):
            if it.get("method") == "textDocument/didOpen":
                lines = it["params"]["textDocument"]["text"]
            elif it.get("method") == "textDocument/didChange":
                for change in it["params"]["contentChanges"]:
                    lines = edited(lines, change)
        return lines

    def becomes(self, text):
        return wait(text, lambda: text in self.wire_text())

    def command(self, name):
        """By the bar that finds every entry of every menu."""
        self.press("ctrl+alt+i")
        self.screen.type(name)
        self.screen.press("Return")

    def save(self):
        self.press("ctrl+s")
        wait("the file", lambda: FILE.read_text(encoding="utf-8") == self.wire_text())
        return FILE.read_text(encoding="utf-8")


def edited(text, change):
    if "range" not in change:
        return change["text"]

    def offset(place):
        lines = text.split("\n")
        return sum(len(line) + 1 for line in lines[: place["line"]]) + place["character"]

    return text[: offset(change["range"]["start"])] + change["text"] + text[offset(change["range"]["end"]) :]


def story(screen, kate):
    wire = kate.wire

    def diagnostic():
        assert wire.diagnostics() == [], wire.diagnostics()
        kate.go_to("nn.relu(", len("nn.rel"))
        kate.type("l")
        (found,) = wait("a diagnostic", wire.diagnostics)
        screen.picture(SHOTS / "kate.png")
        kate.go_to("nn.rellu(", len("nn.rell"))
        kate.press("BackSpace")
        wait("none", lambda: wire.diagnostics() == [])
        return found["message"]

    def hover():
        kate.go_to("(active, w2", 1)
        before = len(wire.all())
        kate.command("Symbol Info")
        answer = wait("a hover", lambda: wire.answer("textDocument/hover", before))
        text = json.dumps(answer["result"])
        assert "batch, 32" in text, text
        screen.picture(SHOTS / "kate-hover.png")
        return answer["result"]["contents"]["value"].split("\n")[1]

    def definition():
        kate.go_to("(active, w2", 1)
        kate.command("Go to Definition")
        wait("an answer", lambda: wire.answer("textDocument/definition"))
        # What is typed lands where the cursor is.
        kate.type("seen_")
        kate.becomes("seen_active = R.nn.relu")
        kate.press(*["BackSpace"] * len("seen_"))
        kate.becomes("    active = R.nn.relu")

    def rename():
        kate.go_to("hidden = ")
        kate.press("F2")
        screen.focus("Rename")
        screen.type("inner")
        screen.press("Return")
        kate.becomes("relu(inner)")
        text = kate.save()
        assert "inner = R.matmul(x, w1)" in text, text

    def fix():
        kate.go_to("nn.relu(", len("nn.rel"))
        kate.type("l")
        (found,) = wait("a diagnostic", wire.diagnostics)
        before = len(wire.all())
        kate.press("ctrl+period")
        kate.becomes("nn.relu(inner)")
        # Kate asks about the diagnostics that it shows at the cursor.
        asked = [it["params"]["context"] for it in wire.said("editor", before) if it.get("method") == "textDocument/codeAction"]
        shown = [it["message"] for context in asked for it in context["diagnostics"]]
        assert found["message"] in shown, asked

    def formatting():
        kate.go_to("relu(inner)", len("relu("))
        kate.type(" ")
        kate.becomes("relu( inner)")
        kate.press("ctrl+t")
        screen.press("f")
        kate.becomes("relu(inner)")
        kate.save()

    def run():
        kate.press("ctrl+End")
        kate.type("# Module.busy --dim n=4")
        kate.press(*["shift+Left"] * len("Module.busy --dim n=4"))
        kate.press("F7")
        screen.type("relax-run")
        screen.press("Return")
        # The tool saves the file first.
        wait("outputs", lambda: kate.ran.exists() and "f32[4, 4]" in kate.ran.read_text(encoding="utf-8"))
        screen.picture(SHOTS / "kate-run.png")
        return kate.ran.read_text(encoding="utf-8").splitlines()[1]

    if not step(screen, "the server starts once it is allowed to", kate.allow):
        return
    step(screen, "a mistake becomes a diagnostic, and goes with its correction", diagnostic)
    step(screen, "symbol info shows the StructInfo", hover)
    step(screen, "definition goes to the binding", definition)
    step(screen, "rename changes every use", rename)
    step(screen, "a quick fix mends a misspelt operator", fix)
    step(screen, "formatting puts spaces right", formatting)
    step(screen, "an external tool runs what is selected", run)
    step(screen, "the server leaves with Kate", kate.leave)


SHOTS = Path(os.environ["SHOTS"])
version = subprocess.run(["kate", "--version"], env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, capture_output=True, text=True, check=True)
print(version.stdout.strip().capitalize(), flush=True)
frame = HOME / "screen"
frame.mkdir()
screen = Screen(frame)
running = []
try:
    server, project = fenced(os.environ["PAGE"], "json")
    (tool,) = fenced(os.environ["PAGE"], "ini")
    of_the_user = {
        "kate/lspclient/settings.json": server,
        "kate/externaltools/Run%20Relax.ini": tool,
        # Kate looks for tools from its second start on.
        "kate-externaltoolspluginrc": "[Global]\nfirststart=false\n",
    }
    running.append(Kate("user", screen, of_the_user))
    story(screen, running[-1])
    (FILE.parent / ".kateproject").write_text(project, encoding="utf-8")
    running.append(Kate("project", screen, {}))
    step(screen, "a project can say so, too", running[-1].allow)
    step(screen, "and the server leaves", running[-1].leave)
finally:
    for kate in running:
        kate.process.kill()
    screen.close()
sys.exit(1 if failed else 0)
