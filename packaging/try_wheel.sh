#!/usr/bin/env bash
# Installs a wheel as a user would, in an empty home, and uses it: check, run, the language server.
#   packaging/try_wheel.sh target/wheels/relax_lsp-*.whl
set -euo pipefail

wheel=$(realpath "${1:?usage: $0 WHEEL}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=${PYTHON:-python3}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
cd "$home"
fail() {
    echo "$*" >&2
    exit 1
}

"$python" -m venv venv
bin=venv/bin
[ -d "$bin" ] || bin=venv/Scripts
start=$(date +%s%N)
"$bin/python" -m pip install --quiet --no-index --disable-pip-version-check "$wheel"
PATH="$home/$bin:$PATH" HOME="$home"
export PATH HOME

code=0
relax-lsp check "$root/examples/mistakes.py" >found.txt || code=$?
[ "$code" = 1 ] || fail "check of a file with mistakes exits with $code"
grep -q 'shape-mismatch' found.txt || fail "check finds no shape-mismatch"
echo "from pip install to the first diagnostics: $((($(date +%s%N) - start) / 1000000)) ms"

relax-lsp run "$root/examples/mlp.py::Perceptron.forward" --dim batch=2 >value.txt
grep -q 'float32' value.txt || fail "run prints no tensor"
python -m relax_lsp --version
[ "$(python -m relax_lsp --version)" = "$(relax-lsp --version)" ] || fail "python -m relax_lsp is another program"

python "$root/packaging/handshake.py" relax-lsp
echo "the wheel works: $(basename "$wheel"), $(($(stat -c %s "$wheel" 2>/dev/null || stat -f %z "$wheel") / 1024)) KB"
