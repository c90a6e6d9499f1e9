#!/usr/bin/env bash
# Everything that has to pass, on a fresh machine: the Rust workspace, the VS Code extension, and a look at both in
# real editors.
#   ./test.sh            all of it
#   ./test.sh rust       the workspace only
#   ./test.sh extension  the extension only (builds the release server for the package)
#   ./test.sh web        the playground as files with the server as WebAssembly: builds it, and drives it in Chromium
#   ./test.sh editors    real editors in full: every story in VS Code in a browser, the playground, Neovim, Emacs, Vim
#                        and Kate, headless (installs them, which needs Debian's or Ubuntu's apt)
# Of the editors, `all` drives those that are there, and in VS Code one story; in CI it installs them first. What cannot
# be had is skipped with a message, and is not a failure.
# Needs a Rust toolchain (rust-toolchain of the workspace's `rust-version` or newer) and Node 20 or
# newer; whatever is absent is installed where the system's package manager or rustup can do it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

part=${1:-all}
case $part in all | rust | extension | web | editors) ;; *)
    echo "usage: $0 [all|rust|extension|web|editors]" >&2
    exit 2
    ;;
esac

step() { printf '\n== %s (%ds)\n' "$*" "$SECONDS"; }
fail() {
    echo "$*" >&2
    exit 2
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}

apt_install() {
    command -v apt-get >/dev/null || return 1
    as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends "$@"
}

need_rust() {
    [ -f "$HOME/.cargo/env" ] && . "$HOME/.cargo/env"
    if ! command -v cargo >/dev/null; then
        fail "A Rust toolchain is needed: install rustup (https://rustup.rs), then run this again."
    fi
    local component
    for component in fmt clippy; do
        cargo "$component" --version >/dev/null 2>&1 && continue
        command -v rustup >/dev/null || fail "cargo $component is missing from this toolchain."
        rustup component add "$([ "$component" = fmt ] && echo rustfmt || echo clippy)"
    done
    # ndarray, salsa and the rest are pure Rust, but linking needs a C toolchain's linker.
    command -v cc >/dev/null || apt_install gcc libc6-dev || fail "A C linker (cc) is needed."
}

need_node() {
    local major=0
    if command -v node >/dev/null; then major=$(node -p 'process.versions.node.split(".")[0]'); fi
    if [ "$major" -lt 20 ] || ! command -v npm >/dev/null; then
        apt_install nodejs npm || true
        if command -v node >/dev/null; then major=$(node -p 'process.versions.node.split(".")[0]'); fi
    fi
    if [ "$major" -lt 20 ] && command -v npm >/dev/null; then
        # The distribution's Node is too old for the tools: npm can fetch a newer one beside it.
        npm install --silent --no-save --prefix target/node node@22
        PATH="$PWD/target/node/node_modules/node/bin:$PATH"
        major=$(node -p 'process.versions.node.split(".")[0]')
    fi
    [ "$major" -ge 20 ] || fail "Node 20 or newer, with npm, is needed for the extension."
}

# TVM itself, for the tests that ask what it says; without it they are skipped, and say so.
want_tvm() {
    [ -z "${TVM_PYTHON:-}" ] && [ ! -x target/tvm/bin/python ] || return 0
    command -v python3 >/dev/null && mkdir -p target || return 0
    if ! { python3 -m venv target/tvm.new && timeout 600 target/tvm.new/bin/python -m pip install --quiet \
        --timeout 20 --retries 1 'apache-tvm==0.27.0.post1' numpy && mv target/tvm.new target/tvm; }; then
        rm -rf target/tvm.new
        echo "TVM cannot be installed here: the tests that ask it are skipped." >&2
    fi
}

# Clients of others, for the tests that drive the hooks and the MCP server by them; without them those are skipped.
want_clients() {
    local place=$PWD/target/clients
    [ -n "${PRE_COMMIT:-}" ] && [ -n "${MCP_PYTHON:-}" ] && return 0
    if [ ! -x "$place/bin/pre-commit" ]; then
        command -v python3 >/dev/null && mkdir -p target && python3 -m venv "$place" && timeout 300 "$place/bin/python" -m pip \
            install --quiet --timeout 20 --retries 1 pre-commit mcp || rm -rf "$place"
    fi
    if [ -x "$place/bin/pre-commit" ]; then
        export PRE_COMMIT="$place/bin/pre-commit" MCP_PYTHON="$place/bin/python"
    else
        echo "pre-commit and mcp cannot be installed here: the tests that drive them are skipped." >&2
    fi
}

rust() {
    need_rust
    step "format"
    cargo fmt --all --check
    step "lints"
    cargo clippy --workspace --all-targets --locked -- -D warnings
    step "server, for WebAssembly"
    if rustup target add wasm32-unknown-unknown >/dev/null 2>&1; then
        cargo check --locked --target wasm32-unknown-unknown -p relax-lsp
    else
        echo "skipped: rustup cannot install the target" >&2
    fi
    step "server, as released"
    cargo build --release --locked -p relax-lsp
    step "TVM, to be asked"
    want_tvm
    step "pre-commit and the MCP client"
    want_clients
    step "tests of the workspace"
    cargo test --workspace --locked
}

extension() {
    need_rust
    need_node
    step "server, as released"
    cargo build --release --locked -p relax-lsp
    cd editors/vscode
    step "extension: dependencies"
    npm ci
    step "extension: types"
    npm run --silent typecheck
    step "playground: what is committed is what the sources make"
    npm run --silent playground -- --check
    step "extension: unit tests"
    npm test --silent
    npm run --silent test:debugger
    step "extension: package"
    npm run --silent package
    npm run --silent test:package
    cd - >/dev/null
}

# The server is optimised for its size, as a whole: that takes some minutes.
web() {
    need_rust
    need_node
    rustup target add wasm32-unknown-unknown >/dev/null || fail "The target wasm32-unknown-unknown is needed."
    apt_install chromium >/dev/null || echo "apt cannot install Chromium: one that is there is driven"
    cd editors/vscode
    npm ci
    step "playground as WebAssembly"
    npm run --silent playground:wasm
    passed_over npm run --silent test:playground -- --files
    cd - >/dev/null
}

read -r -d '' -a EDITORS <tests/editors/packages.txt || true
readonly EDITORS

editors() {
    need_rust
    need_node
    step "editors: Debian's packages"
    apt_install chromium "${EDITORS[@]}" >/dev/null ||
        echo "apt cannot install them: only the editors that are there are driven"
    step "server, as released"
    cargo build --release --locked -p relax-lsp
    step "Neovim, Emacs, Vim, Kate"
    tests/editors/run.sh
    cd editors/vscode
    npm ci
    step "playground"
    npm run --silent test:playground
    step "report"
    npm run --silent test:report
    step "VS Code: package"
    npm run --silent package
    step "VS Code: workbench"
    npm run --silent test:workbench
    cd - >/dev/null
}

# After the other parts, which have built the server and the package.
editors_in_short() {
    step "editors, in short"
    if [ -n "${CI:-}" ]; then
        DEBIAN_FRONTEND=noninteractive apt_install chromium "${EDITORS[@]}" >/dev/null 2>&1 ||
            echo "skipped: editors that are not here, because apt cannot install them"
    fi
    passed_over tests/editors/run.sh
    passed_over npm --prefix editors/vscode run --silent test:playground
    passed_over npm --prefix editors/vscode run --silent test:report
    if [ -n "${CI:-}" ] || [ -d "${WORKBENCH_HOST:-target/workbench}/cs" ]; then
        passed_over npm --prefix editors/vscode run --silent test:workbench -- --only newcomer
    else
        echo "skipped: VS Code, whose host ./test.sh editors installs"
    fi
}

# 77 says that there is nothing to drive, and the program has said why.
passed_over() {
    local status=0
    "$@" || status=$?
    [ "$status" = 77 ] || return "$status"
}

case $part in all | rust) rust ;; esac
case $part in all | extension) extension ;; esac
case $part in all) editors_in_short ;; esac
case $part in web) web ;; esac
case $part in editors) editors ;; esac
step "all passed"
