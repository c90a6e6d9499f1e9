#!/usr/bin/env bash
# Builds the extension as Zed does, as a component of WebAssembly.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
rustup target add wasm32-wasip2 >/dev/null 2>&1 || {
    echo "skipped: rustup cannot install wasm32-wasip2" >&2
    exit 77
}
cargo build --locked --release --target wasm32-wasip2
