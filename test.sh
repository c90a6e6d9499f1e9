#!/usr/bin/env bash
# Everything that has to pass, on a fresh machine: the Rust workspace, the VS Code extension, and a look at both in
# real editors.
#   ./test.sh            all of it
#   ./test.sh rust       the workspace only
#   ./test.sh extension  the extension only (builds the server for the package)
#   ./test.sh web        the playground as files with the server as WebAssembly: builds it, and drives it in Chromium
#   ./test.sh editors    real editors in full: every story in VS Code in a browser, the playground, Neovim, Emacs, Vim
#                        and Kate, headless (installs them, which needs Debian's or Ubuntu's apt)
# Of the editors, `all` drives those that are there, and in VS Code one story; in CI it installs them first. What cannot
# be had is skipped, which the end of the output says, and is not a failure. Server and tests are compiled once, with the
# profile `ci`.
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

# Says now and at the end that something was not tested, and why.
skip() {
    echo "skipped: $1: $2" >&2
    printf '%s\t%s\n' "$1" "$2" >>"$RELAX_SKIPPED"
}

# Runs a program that exits with 77, and lines `skipped: what: why`, where there is nothing to test.
may_skip() {
    local status=0 said
    said=$(mktemp)
    "$@" 2>&1 | tee "$said" || status=${PIPESTATUS[0]}
    sed -n 's/^[ #]*skipped: \([^:]*\): \(.*\)/\1\t\2/p' "$said" >>"$RELAX_SKIPPED"
    rm -f "$said"
    [ "$status" = 77 ] || return "$status"
}

say_what_was_skipped() {
    local count
    count=$(sort -u "$RELAX_SKIPPED" | wc -l)
    [ "$count" -gt 0 ] || return 0
    printf '\n== skipped, in all or in part: %d\n' "$count"
    sort -u "$RELAX_SKIPPED" | cut -f 2 | sort | uniq -c | sort -rn
    sort -u "$RELAX_SKIPPED" | awk -F '\t' '{ print "   " $1 }'
}

# TVM itself, for the tests that ask what it says.
want_tvm() {
    [ -z "${TVM_PYTHON:-}" ] && [ ! -x "$target/tvm/bin/python" ] || return 0
    command -v python3 >/dev/null && mkdir -p "$target" || return 0
    if ! { python3 -m venv "$target/tvm.new" && timeout 600 "$target/tvm.new/bin/python" -m pip install --quiet \
        --timeout 20 --retries 1 'apache-tvm==0.27.0.post1' 'apache-tvm-ffi==0.1.15.post2' numpy onnx onnxruntime && mv "$target/tvm.new" "$target/tvm"; }; then
        rm -rf "$target/tvm.new"
        echo "TVM cannot be installed here" >&2
    fi
}

# Clients of others, for the tests that drive the hooks and the MCP server by them.
want_clients() {
    [ -x "$target/clients/bin/pre-commit" ] && return 0
    command -v python3 >/dev/null && mkdir -p "$target" && python3 -m venv "$target/clients" &&
        timeout 300 "$target/clients/bin/python" -m pip install --quiet --timeout 20 --retries 1 pre-commit mcp ||
        rm -rf "$target/clients"
}

read -r -d '' -a EDITORS <tests/editors/packages.txt || true
readonly EDITORS

# What the parts take from registries, side by side with the compiler: packages of Python, npm and the system.
fetch_the_rest() {
    if [ "$part" = all ] || [ "$part" = rust ]; then
        want_tvm
        want_clients
    fi
    if [ "$part" = all ] || [ "$part" = extension ]; then
        npm --prefix editors/vscode ci --silent
    fi
    if [ "$part" = all ] && [ -n "${CI:-}" ]; then
        DEBIAN_FRONTEND=noninteractive apt_install chromium "${EDITORS[@]}" >/dev/null 2>&1 ||
            echo "apt cannot install editors here" >&2
        node editors/vscode/test/workbench/install.mjs || true
    fi
}

# Compiles everything once, for tests and editors alike, and lints what it compiles.
ci_cargo() {
    local command=$1 compiler
    shift
    CLIPPY_DRIVER=$(rustc --print sysroot)/bin/clippy-driver$exe
    export CLIPPY_DRIVER
    # Windows starts no scripts.
    compiler=$([ -n "$exe" ] && echo "$CLIPPY_DRIVER" || echo "$PWD/.ci/rustc")
    RUSTC_WORKSPACE_WRAPPER=$compiler CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ \
        cargo "$command" --profile ci --workspace --locked "$@"
}

build() {
    step "format"
    cargo fmt --all --check
    step "lints and build"
    ci_cargo build --all-targets
    # From now on, everything asks this program.
    export RELAX_LSP=$target/ci/relax-lsp$exe
}

rust_tests() {
    if [ -x "$target/tvm/bin/python" ]; then export TVM_PYTHON=${TVM_PYTHON:-$target/tvm/bin/python}; fi
    if [ -x "$target/clients/bin/pre-commit" ]; then
        export PRE_COMMIT=${PRE_COMMIT:-$target/clients/bin/pre-commit}
        export MCP_PYTHON=${MCP_PYTHON:-$target/clients/bin/python}
    fi
    step "tests of the workspace"
    ci_cargo test --lib --bins --tests
}

web_check() {
    step "server, for WebAssembly"
    if rustup target add wasm32-unknown-unknown >/dev/null 2>&1; then
        cargo check --profile ci --locked --target wasm32-unknown-unknown -p relax-lsp
    else
        skip "server for WebAssembly" "rustup cannot install the target"
    fi
}

extension() {
    cd editors/vscode
    step "extension: types"
    npm run --silent typecheck
    step "playground: what is committed is what the sources make"
    npm run --silent playground -- --check
    step "extension: unit tests"
    npm test --silent
    npm run --silent test:debugger
    step "extension: package"
    npm run --silent package -- --server "$RELAX_LSP"
    may_skip npm run --silent test:package
    cd - >/dev/null
}

# The server is optimised for its size, as a whole: that takes some minutes.
web() {
    rustup target add wasm32-unknown-unknown >/dev/null || fail "The target wasm32-unknown-unknown is needed."
    apt_install chromium >/dev/null || echo "apt cannot install Chromium: one that is there is driven"
    cd editors/vscode
    npm ci
    step "playground as WebAssembly"
    npm run --silent playground:wasm
    may_skip npm run --silent test:playground -- --files
    cd - >/dev/null
}

editors() {
    step "editors: Debian's packages"
    apt_install chromium "${EDITORS[@]}" >/dev/null ||
        echo "apt cannot install them: only the editors that are there are driven"
    step "Neovim, Emacs, Vim, Kate"
    may_skip tests/editors/run.sh
    cd editors/vscode
    npm ci
    step "playground"
    npm run --silent test:playground
    step "report"
    npm run --silent test:report
    step "VS Code: package"
    npm run --silent package -- --server "$RELAX_LSP"
    step "VS Code: workbench"
    npm run --silent test:workbench
    cd - >/dev/null
}

# After the extension, which has made the package.
editors_in_short() {
    step "editors, in short"
    may_skip tests/editors/run.sh
    may_skip npm --prefix editors/vscode run --silent test:playground
    may_skip npm --prefix editors/vscode run --silent test:report
    if [ -n "${CI:-}" ] || [ -d "${WORKBENCH_HOST:-$target/workbench}/cs" ]; then
        may_skip npm --prefix editors/vscode run --silent test:workbench -- --only newcomer
    else
        skip "VS Code" "./test.sh editors installs its host"
    fi
}

beside_the_tests() {
    web_check
    extension
    editors_in_short
}

# Runs a function with what it prints in a file, side by side with this shell.
side_by_side() {
    (
        set -euo pipefail
        "$@"
    ) >"$logs/$1" 2>&1 &
    beside=$!
}

# Waits for it, prints what it has printed, and ends as it did.
join() {
    local status=0
    wait "$beside" || status=$?
    cat "$logs/$1"
    return "$status"
}

target=$(cd "$(dirname "${CARGO_TARGET_DIR:-target}")" && pwd)/$(basename "${CARGO_TARGET_DIR:-target}")
exe=$(case $(uname -s) in MINGW* | MSYS* | CYGWIN*) echo .exe ;; esac)
logs=$(mktemp -d)
export RELAX_SKIPPED=$logs/skipped
: >"$RELAX_SKIPPED"
trap 'rm -rf "$logs"' EXIT

need_rust
case $part in rust) ;; *) need_node ;; esac
side_by_side fetch_the_rest
case $part in all | rust | extension | editors) build ;; esac
join fetch_the_rest
case $part in
all)
    side_by_side beside_the_tests
    rust_tests
    join beside_the_tests
    ;;
rust)
    rust_tests
    web_check
    ;;
extension) extension ;;
web) web ;;
editors) editors ;;
esac
say_what_was_skipped
step "all passed"
