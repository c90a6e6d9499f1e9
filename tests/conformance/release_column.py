"""Adds a release to the record of names, `crates/relax/test_data/releases.txt`.

    release_column.py RELEASE BEFORE.json NOW.json RECORD

BEFORE and NOW are what `tvm_names.py` prints with the release before and with the new one. Each name that was added,
removed, or has other parameters gets a line in RECORD.
"""

import json
import sys


def line(name, release, before, now):
    if name not in now:
        return f"{name} {release} -"
    parameters = now[name]
    if parameters is None or before.get(name, "") is None:
        return f"{name} {release}"
    return f"{name} {release} ({', '.join(parameters)})"


def main(release, before, now, record):
    before, now = (json.load(open(path, encoding="utf-8")) for path in (before, now))
    before, now = (it.get("names", it) for it in (before, now))
    lines = open(record, encoding="utf-8").read().splitlines()
    for name in sorted(before.keys() | now.keys()):
        if before.get(name, "") == now.get(name, ""):
            continue
        same = (at for at, it in enumerate(lines) if it[0] == name[0] and it.split(" ")[0] <= name)
        last = max(same, default=len(lines) - 1)
        lines.insert(last + 1, line(name, release, before, now))
    with open(record, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


main(*sys.argv[1:])
