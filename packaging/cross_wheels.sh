#!/usr/bin/env bash
# Builds the wheels of platforms other than this one, with zig as the C compiler and linker, and tries what it built where
# qemu or wine can run it.
#   packaging/cross_wheels.sh [TARGET]...      PROFILE=release builds faster than the default, `dist`
# Needs maturin, cargo-zigbuild and ziglang from PyPI; Windows in addition the x86-64 mingw-w64 linker.
# Exit 77: none could be built here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${OUT:-target/wheels}
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(aarch64-unknown-linux-gnu aarch64-unknown-linux-musl x86_64-unknown-linux-musl x86_64-pc-windows-gnu)

# The program that runs a platform's programs here; nothing for this machine's own.
runner() {
    local qemu
    qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
    case $1 in
    aarch64-*linux-musl) echo "$qemu" ;;
    aarch64-*linux-gnu) [ -n "$qemu" ] && [ -d /usr/aarch64-linux-gnu ] && echo "$qemu -L /usr/aarch64-linux-gnu" ;;
    *windows*) command -v wine ;;
    esac
}

# Mistakes are found, functions run (kernels are compiled for the platform), and the language server answers.
try() {
    local wheel=$1 program code=0
    shift
    local work
    work=$(mktemp -d)
    python3 -m zipfile -e "$wheel" "$work"
    program=$(find "$work" -name 'relax-lsp' -o -name 'relax-lsp.exe' | grep scripts)
    chmod +x "$program"
    case ${1:-} in
    *wine*) x86_64-w64-mingw32-gcc -shared -o "${program%/*}/bcryptprimitives.dll" packaging/wine/bcryptprimitives.c -ladvapi32 ;;
    esac
    "$@" "$program" --version
    "$@" "$program" check examples/mistakes.py >"$work/found" || code=$?
    [ "$code" = 1 ] && grep -q shape-mismatch "$work/found"
    "$@" "$program" run examples/kernel.py --dim n=16 >"$work/value"
    "$@" "$program" run examples/mlp.py::Perceptron.forward --dim batch=2 >>"$work/value"
    grep -q float32 "$work/value"
    python3 packaging/handshake.py "$@" "$program"
    rm -rf "$work"
}

built=0
for target in "${targets[@]}"; do
    options=(--locked --profile "${PROFILE:-dist}" --target "$target" --out "$out")
    case $target in
    *linux-gnu) options+=(--zig --compatibility manylinux2014) ;;
    *linux-musl) options+=(--zig --compatibility musllinux_1_2) ;;
    *windows-gnu) command -v x86_64-w64-mingw32-gcc >/dev/null || { echo "skipped: $target, without x86_64-w64-mingw32-gcc" && continue; } ;;
    esac
    rustup target add "$target" >/dev/null 2>&1 || { echo "skipped: $target, which rustup cannot install" && continue; }
    start=$SECONDS
    maturin build "${options[@]}"
    built=$((built + 1))
    case $target in
    *windows*) wheel=$(ls -t "$out"/*-win_*.whl | head -1) ;;
    *) wheel=$(ls -t "$out"/*"${options[-1]%%_*}"*"${target%%-*}".whl | head -1) ;;
    esac
    echo "$wheel: $(($(stat -c %s "$wheel") / 1024)) KB in $((SECONDS - start)) s"
    read -ra run < <(runner "$target" || true) || true
    if [ ${#run[@]} = 0 ] && [[ $target != "$(uname -m)"-* ]]; then
        echo "not tried: nothing here runs programs of $target"
        continue
    fi
    try "$wheel" "${run[@]}"
    echo "it works${run[*]:+ under ${run[*]}}"
done
[ "$built" -gt 0 ] || exit 77
