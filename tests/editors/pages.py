"""The configuration on the pages of docs/editors: whether it can be read, and pieces of it for the tests.

    pages.py check DOCS           every JSON and TOML block parses
    pages.py blocks PAGE LANGUAGE those blocks of a page, one after the other
"""

import json
import re
import sys
import tomllib
from pathlib import Path

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
READERS = {"json": json.loads, "toml": tomllib.loads}


def check(folder: str) -> int:
    failed = 0
    for page in sorted(Path(folder).glob("*.md")):
        for language, text in FENCE.findall(page.read_text(encoding="utf-8")):
            if language not in READERS:
                continue
            try:
                READERS[language](text)
                print(f"  ok   {page.name}: {language}")
            except ValueError as error:
                failed += 1
                print(f"  FAIL {page.name}: {language}: {error}")
    return failed


def fenced(page: str, language: str) -> list[str]:
    found = FENCE.findall(Path(page).read_text(encoding="utf-8"))
    return [text for kind, text in found if kind == language]


def blocks(page: str, language: str) -> int:
    wanted = fenced(page, language)
    print("\n".join(wanted))
    return 0 if wanted else 1


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    sys.exit({"check": check, "blocks": blocks}[what](*arguments))
