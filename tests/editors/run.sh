#!/usr/bin/env bash
# Drives the release server from the editors that are installed, headless, each with its own client.
#   tests/editors/run.sh [neovim|emacs]...      `--install` first installs them with apt
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

if [ "${1:-}" = --install ]; then
    shift
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends neovim emacs-nox elpa-eglot
fi
editors=("$@")
[ ${#editors[@]} -gt 0 ] || editors=(neovim emacs)

export SERVER="${CARGO_TARGET_DIR:-$root/target}/release/relax-lsp"
if [ ! -x "$SERVER" ]; then
    (cd "$root" && cargo build --release --locked -p relax-lsp)
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 ran=0
for editor in "${editors[@]}"; do
    case $editor in
    neovim) program=nvim arguments=(--headless -u NONE -i NONE -n -S "$here/neovim.lua") ;;
    emacs) program=emacs arguments=(-Q --batch -l "$here/emacs.el") ;;
    *)
        echo "no such editor: $editor" >&2
        exit 2
        ;;
    esac
    if ! command -v "$program" >/dev/null; then
        echo "$editor is not installed: passed over"
        continue
    fi
    cp "$root/editors/vscode/test/workbench/files/mlp.py" "$work/mlp.py"
    ran=$((ran + 1))
    HOME="$work" FILE="$work/mlp.py" "$program" "${arguments[@]}" || failed=$((failed + 1))
done
if [ "$ran" = 0 ]; then
    echo "no editor was found: tests/editors/run.sh --install" >&2
    exit 2
fi
exit "$failed"
