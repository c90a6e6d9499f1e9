#!/usr/bin/env python3
"""Checks any number of files on many workers; prints one JSON object a line for each file that holds TVMScript.

    find dumps -name '*.py' | many_files.py --on processes --workers 8 --cache-dir cache > found.jsonl

`--on ray` and `--on dask` map over a cluster whose workers see the same files: the one that `RAY_ADDRESS` names or
`--scheduler`, else workers of this machine. What cannot be read is a line with `error`. Exit 1 where errors were found, 2
where something could not be read.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice


def check(files: list[str], options: list[str]) -> list[dict]:
    """What `relax-lsp check` finds in these files."""
    command = ["relax-lsp", "check", "--files-from", "-", "--format", "json", *options]
    done = subprocess.run(command, input="\n".join(files), capture_output=True, text=True, encoding="utf-8")
    found = json.loads(done.stdout) if done.stdout else []
    if done.returncode not in (0, 1):
        found += [{"error": line} for line in done.stderr.splitlines()]
    return found


def parts(files: Iterable[str], size: int) -> Iterator[list[str]]:
    files = (line.rstrip("\n") for line in files)
    while part := list(islice(files, size)):
        yield part


def on_processes(work: Callable, pieces: Iterator, options: argparse.Namespace) -> Iterator[list[dict]]:
    # Each part is a process of its own: threads are enough to wait for them.
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(options.workers) as pool:
        yield from pool.map(work, pieces)


def on_ray(work: Callable, pieces: Iterator, options: argparse.Namespace) -> Iterator[list[dict]]:
    import ray
    from ray.util import ActorPool

    ray.init(num_cpus=options.workers or None, log_to_driver=False)
    worker = ray.remote(type("Worker", (), {"check": lambda self, piece: work(piece)}))
    size = options.workers or int(ray.cluster_resources()["CPU"])
    pool = ActorPool([worker.remote() for _ in range(size)])
    yield from pool.map(lambda actor, piece: actor.check.remote(piece), pieces)


def on_dask(work: Callable, pieces: Iterator, options: argparse.Namespace) -> Iterator[list[dict]]:
    from distributed import Client, as_completed

    own = {"n_workers": options.workers, "threads_per_worker": 1, "dashboard_address": None}
    with Client(options.scheduler) if options.scheduler else Client(**own) as client:
        for done in as_completed(client.map(work, list(pieces)), with_results=True):
            yield done[1]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--on", choices=["processes", "ray", "dask"], default="processes")
    arguments.add_argument("--workers", type=int)
    arguments.add_argument("--scheduler", help="address of a Dask scheduler")
    arguments.add_argument("--part", type=int, default=200, help="files a call of relax-lsp")
    arguments.add_argument("--cache-dir", help="a folder that the workers share")
    arguments.add_argument("--tvm", help="the release of TVM that the files are written for")
    options = arguments.parse_args()
    passed_on = [f"--{name}={value}" for name, value in [("cache-dir", options.cache_dir), ("tvm", options.tvm)] if value]
    run = {"processes": on_processes, "ray": on_ray, "dask": on_dask}[options.on]
    status = 0
    for found in run(lambda files: check(files, passed_on), parts(sys.stdin, options.part), options):
        for file in found:
            print(json.dumps(file))
            severities = [it["severity"] for it in file.get("diagnostics", [])]
            status = max(status, 2 if "error" in file else "error" in severities)
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
