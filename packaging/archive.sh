#!/usr/bin/env bash
# Packs a built program as an archive, and into a package of the VS Code extension.
#   packaging/archive.sh x86_64-unknown-linux-gnu linux-x64 dist
set -euo pipefail

target=${1:?usage: $0 TARGET VSCODE_TARGET FOLDER} vscode=$2
mkdir -p "$3"
out=$(cd "$3" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exe=""
case $target in *windows*) exe=.exe ;; esac
program=$PWD/${CARGO_TARGET_DIR:-target}/$target/${PROFILE:-dist}/relax-lsp$exe
[ -f "$program" ] || {
    echo "$program is not there: build it first" >&2
    exit 2
}

folder=relax-lsp-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/$folder"
cp "$program" LICENSE README.md CHANGELOG.md "$work/$folder"
node editors/vscode/scripts/notices.mjs "$work/$folder/THIRD_PARTY_NOTICES.txt" "$target"
tar -czf "$out/$folder.tar.gz" -C "$work" "$folder"

cd editors/vscode
npm ci --silent --no-audit --no-fund
npm run --silent package -- --target "$vscode" --server "$program" --out "$out/relax-$vscode.vsix"
[ "$vscode" != linux-x64 ] || VSIX=$out/relax-$vscode.vsix npm run --silent test:package
