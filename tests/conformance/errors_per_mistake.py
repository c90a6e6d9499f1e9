#!/usr/bin/env python3
"""How many errors one mistake gives, and how far the nearest is from the line that TVM names.

    errors_per_mistake.py --bin relax-lsp --tests TVM/tests/python/relax MUTANTS.jsonl.gz

Each record of MUTANTS is one edit {l, c, del, ins} of a program (lines `first` to `last` of `file`) with TVM's verdict.
An error counts if the file has it with the edit and not without.
"""
import argparse
import collections
import gzip
import json
import os
import subprocess
import tempfile

BATCH = 60


def errors(binary, paths):
    found = {}
    for at in range(0, len(paths), BATCH):
        run = subprocess.run([binary, "check", "--format", "json", *paths[at : at + BATCH]], capture_output=True)
        for file in json.loads(run.stdout):
            found[file["path"]] = [it for it in file["diagnostics"] if it["severity"] == "error"]
    return found


def edited(path, record):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    edit, head = record["edit"], lines[record["first"] - 1]
    at = record["first"] + edit["l"] - 2
    column = len(head) - len(head.lstrip()) + edit["c"]
    tail = "\n".join(lines[at:])
    lines[at:] = [tail[:column] + edit["ins"] + tail[column + edit["del"] :]]
    return "\n".join(lines)


def distance(error, line):
    return max(error["line"] - line, line - error.get("end_line", error["line"]), 0)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", default="target/release/relax-lsp")
    options.add_argument("--tests", required=True)
    options.add_argument("records")
    options = options.parse_args()
    with gzip.open(options.records, "rt") as file:
        records = [json.loads(line) for line in file]
    records = [it for it in records if "edit" in it and it.get("verdict") == "error"]
    count, distances = collections.defaultdict(collections.Counter), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        mutants = {}
        for number, record in enumerate(records):
            path = os.path.join(folder, f"{number}.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(edited(os.path.join(options.tests, record["file"]), record))
            mutants[path] = record
        sources = sorted({os.path.join(options.tests, it["file"]) for it in records})
        found = errors(options.bin, sources + list(mutants))
    for path, record in mutants.items():
        before = collections.Counter((it["code"], it["message"]) for it in found[os.path.join(options.tests, record["file"])])
        after = collections.Counter((it["code"], it["message"]) for it in found[path])
        new = (after - before).total()
        last = record["last"] - record["edit"].get("lines", 0)
        inside = [it for it in found[path] if record["first"] <= it["line"] <= last]
        for kind in (record["kind"], "all"):
            row = count[kind]
            row.update(rejected=1, caught=new > 0, one=new == 1)
            if record["phase"] == "parse" and "rel" in record["error"]:
                line = record["first"] + record["error"]["rel"] - 1
                near = min((distance(it, line) for it in inside), default=None)
                row.update(lined=1, on_line=near == 0)
                if kind == "all":
                    distances[near] += 1
    for kind, row in sorted(count.items(), key=lambda it: it[1]["rejected"]):
        share = lambda part, whole: f"{row[part]}/{row[whole]} ({100 * row[part] / max(1, row[whole]):.2f} %)"
        print(f"{kind:12} caught {share('caught', 'rejected'):22} one error {share('one', 'caught'):22} on the line {share('on_line', 'lined')}")
    print("distance in lines:", dict(distances.most_common(8)))


if __name__ == "__main__":
    main()
