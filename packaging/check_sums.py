#!/usr/bin/env python3
"""Checks files against a list of checksums, as `sha256sum --check` does, which macOS and Windows lack:
`packaging/check_sums.py SHA256SUMS FILE...`. A file that the list does not name is refused."""

import hashlib
import pathlib
import sys


def main(listed: str, *files: str) -> None:
    sums = {}
    for line in pathlib.Path(listed).read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition(" ")
        sums[name.lstrip(" *")] = digest
    for path in map(pathlib.Path, files):
        if sums.get(path.name) != hashlib.sha256(path.read_bytes()).hexdigest():
            raise SystemExit(f"{path.name} is not what {listed} names")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
