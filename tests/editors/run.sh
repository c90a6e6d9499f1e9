#!/usr/bin/env bash
# Drives the release server from the editors that are installed, headless, each with its own client, and reads the
# configuration on the pages of docs/editors.
#   tests/editors/run.sh [pages|neovim|emacs|vim]...      `--install` first installs them with apt
# Exit 77: none of them is there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
docs="$root/docs/editors"

if [ "${1:-}" = --install ]; then
    shift
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends python3 neovim emacs-nox elpa-eglot vim-nox vim-ale >/dev/null
fi
editors=("$@")
[ ${#editors[@]} -gt 0 ] || editors=(pages neovim emacs vim)

export SERVER="${CARGO_TARGET_DIR:-$root/target}/release/relax-lsp"
if [ ! -x "$SERVER" ]; then
    (cd "$root" && cargo build --release --locked -p relax-lsp)
fi
# The lines on the pages name the server as a user does.
PATH="$(dirname "$SERVER"):$PATH"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 ran=0
for editor in "${editors[@]}"; do
    case $editor in
    pages) program=python3 arguments=("$here/pages.py" check "$docs") ;;
    neovim) program=nvim arguments=(--headless -u NONE -i NONE -n -S "$here/neovim.lua") ;;
    emacs) program=emacs arguments=(-Q --batch -l "$here/emacs.el") ;;
    vim) program=vim.nox arguments=(-Es -u "$here/vim.vim" -i NONE -n) ;;
    *)
        echo "no such editor: $editor" >&2
        exit 2
        ;;
    esac
    if ! command -v "$program" >/dev/null; then
        echo "skipped: $editor, because $program is not installed"
        continue
    fi
    if [ "$editor" = pages ] && ! python3 -c 'import tomllib' 2>/dev/null; then
        echo "skipped: pages, because python3 is older than 3.11"
        continue
    fi
    cp "$root/editors/vscode/test/workbench/files/mlp.py" "$work/mlp.py"
    : >"$work/said"
    [ "$editor" != vim ] || python3 "$here/pages.py" blocks "$docs/vim.md" vim >"$work/config.vim"
    ran=$((ran + 1))
    HOME="$work" FILE="$work/mlp.py" CONFIG="$work/config.vim" SAID="$work/said" \
        "$program" "${arguments[@]}" </dev/null || failed=$((failed + 1))
    cat "$work/said"
done
if [ "$ran" = 0 ]; then
    echo "skipped: no editor is installed (tests/editors/run.sh --install)" >&2
    exit 77
fi
exit "$failed"
