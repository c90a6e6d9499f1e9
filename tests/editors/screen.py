"""A virtual screen with a keyboard: Xvfb and xdotool. There is no window manager, so the keyboard is
given to a window by name."""

import os
import struct
import subprocess
import time
import zlib
from pathlib import Path


def wait(what, probe, seconds=180):
    """Asks `probe` until it answers with something true. The limit is for a machine that is busy with other work."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := probe():
            return found
        time.sleep(0.02)
    raise TimeoutError(f"waited for {what}")


class Screen:
    def __init__(self, folder, width=1280, height=800):
        self.buffer = Path(folder) / "Xvfb_screen0"
        read, write = os.pipe()
        size = f"{width}x{height}x24"
        # Without `-noreset` the server starts anew when its last client leaves, and drops those that connect meanwhile.
        options = ["-screen", "0", size, "-fbdir", str(folder), "-noreset", "-nolisten", "tcp", "-displayfd", str(write)]
        self.server = subprocess.Popen(["Xvfb", *options], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.env = {**os.environ, "DISPLAY": f":{number.readline().strip()}"}

    def close(self):
        self.server.terminate()
        self.server.wait()

    def _tool(self, *arguments):
        done = subprocess.run(["xdotool", *arguments], env=self.env, capture_output=True, text=True, check=False)
        return done.stdout.split()

    def windows(self, title):
        return self._tool("search", "--onlyvisible", "--name", title)

    def focus(self, title):
        """Gives the keyboard to a window. One that has just closed may still take it along."""

        def has_it():
            for window in self.windows(title)[:1]:
                if self._tool("getwindowfocus") == [window]:
                    return window
                self._tool("windowfocus", window)
            return None

        return wait(f"the window {title}", has_it)

    def fill(self, title):
        """Makes a window as large as the screen."""
        window = self.focus(title)
        width, height = self._size()
        self._tool("windowmove", window, "0", "0", "windowsize", window, str(width), str(height))

    def press(self, *keys):
        self._tool("key", *keys)

    def type(self, text):
        self._tool("type", "--delay", "5", text)

    def _header(self):
        """Of the picture as X Window Dump: 25 numbers, the name, the colours."""
        return struct.unpack(">25I", self.buffer.read_bytes()[:100])

    def _size(self):
        return self._header()[4:6]

    def pixels(self):
        """The lines of the screen, each as bytes of blue, green, red and nothing."""
        data = self.buffer.read_bytes()
        header = self._header()
        start, (width, height), line = header[0] + 12 * header[19], header[4:6], header[12]
        return [data[start + y * line : start + y * line + 4 * width] for y in range(height)]

    def picture(self, file):
        """What is on the screen, as PNG."""
        width, height = self._size()
        rows = bytearray()
        for line in self.pixels():
            row = bytearray(3 * width)
            for at in range(3):
                row[at::3] = line[2 - at :: 4]
            rows += b"\0" + row

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b"")
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_bytes(b"\x89PNG\r\n\x1a\n" + body)
