#!/usr/bin/env python3
"""Prints what the changelog says about a version: `packaging/release_notes.py 0.1.0`.

What is unreleased is about a version that has no section yet.
"""

import pathlib
import re
import sys


def notes(changelog: str, version: str) -> str:
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    for wanted in (version, "Unreleased"):
        for section in sections:
            title, _, body = section.partition("\n")
            if wanted in (word.strip("[]:,") for word in title.split()):
                return body.strip()
    raise SystemExit(f"CHANGELOG.md has no section about {version}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    root = pathlib.Path(__file__).resolve().parent.parent
    print(notes((root / "CHANGELOG.md").read_text(encoding="utf-8"), sys.argv[1].removeprefix("v")))
