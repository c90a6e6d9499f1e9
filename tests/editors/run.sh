#!/usr/bin/env bash
# Drives the server that RELAX_LSP names (else the release build) from the editors that are installed, headless, each with its own client, and reads the
# configuration on the pages of docs/editors.
#   tests/editors/run.sh [pages|neovim|helix|emacs|vim|kate]...      `--install` first installs them with apt
# Pictures of Kate go to target/editors.
# Exit 77: none of them is there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
docs="$root/docs/editors"

if [ "${1:-}" = --install ]; then
    shift
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    xargs apt-get install -y -qq --no-install-recommends <"$here/packages.txt" >/dev/null
fi
editors=("$@")
[ ${#editors[@]} -gt 0 ] || editors=(pages neovim helix emacs vim kate)

export SERVER="${RELAX_LSP:-${CARGO_TARGET_DIR:-$root/target}/release/relax-lsp}"
if [ ! -x "$SERVER" ]; then
    (cd "$root" && cargo build --release --locked -p relax-lsp)
fi
# The lines on the pages name the server as a user does.
PATH="$(dirname "$SERVER"):$PATH"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 ran=0
for editor in "${editors[@]}"; do
    needs=
    case $editor in
    pages) drive=(python3 "$here/pages.py" check "$docs") ;;
    neovim) drive=(nvim --headless -u NONE -i NONE -n -S "$here/neovim.lua") ;;
    helix) drive=(hx --health python) ;;
    emacs) drive=(emacs -Q --batch -l "$here/emacs.el") ;;
    vim) drive=(vim.nox -Es -u "$here/vim.vim" -i NONE -n) needs=python3 ;;
    kate) drive=(dbus-run-session -- python3 "$here/kate.py") needs="python3 kate Xvfb xdotool" ;;
    *)
        echo "no such editor: $editor" >&2
        exit 2
        ;;
    esac
    for program in "${drive[0]}" $needs; do
        if ! command -v "$program" >/dev/null; then
            echo "skipped: $editor: $program is not installed"
            continue 2
        fi
    done
    if [ "$editor" = pages ] && ! python3 -c 'import tomllib' 2>/dev/null; then
        echo "skipped: pages of the editors: python3 is older than 3.11"
        continue
    fi
    cp "$root/editors/vscode/test/workbench/files/mlp.py" "$work/mlp.py"
    : >"$work/said"
    mkdir -p "$work/.config/helix" && cp "$root/packaging/editors/helix/languages.toml" "$work/.config/helix"
    [ "$editor" != vim ] || python3 "$here/pages.py" blocks "$docs/vim.md" vim >"$work/config.vim"
    ran=$((ran + 1))
    HOME="$work" LSPCONFIG="$root/packaging/editors/nvim-lspconfig/lsp/relax_lsp.lua" FILE="$work/mlp.py" CONFIG="$work/config.vim" SAID="$work/said" \
        PAGE="$docs/$editor.md" SHOTS="$root/target/editors" "${drive[@]}" </dev/null >"$work/printed" || failed=$((failed + 1))
    cat "$work/printed" "$work/said"
    # Helix marks a server that it finds, and exits with 0 in any case.
    [ "$editor" != helix ] || grep -q '✓ relax-lsp' "$work/printed" || failed=$((failed + 1))
done
if [ "$ran" = 0 ]; then
    echo "skipped: editors: none is installed (tests/editors/run.sh --install)" >&2
    exit 77
fi
exit "$failed"
