// Makes the playground as files that any host serves: the page, and the server as WebAssembly.
//   npm run playground:wasm [-- FOLDER]     to target/playground, or to FOLDER
// Needs Cargo with the target wasm32-unknown-unknown.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { crates } from './notices.mjs';
import { here, pages, plain } from './pages.mjs';

const root = path.join(here, '..', '..');
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, 'target');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'target', 'playground'));
const glue = path.join(target, 'module');
const PLATFORM = 'wasm32-unknown-unknown';
/** As for each thread of `relax-lsp`, of what programs nest in: the browser has a limit of its own besides. */
const STACK = 16 << 20;
/** A page that came by a link brings nothing along, and loads nothing from elsewhere. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

function cargo(...args) {
  execFileSync('cargo', args, { cwd: root, stdio: 'inherit' });
}

cargo('rustc', '--locked', '--profile', 'web', '--target', PLATFORM, '--bin', 'relax-lsp', '-p', 'relax-lsp', '--', '-C', `link-arg=-zstack-size=${STACK}`);
const built = path.join(target, PLATFORM, 'web', 'relax-lsp.wasm');
cargo('run', '--locked', '--release', '--quiet', '--manifest-path', 'packaging/wasm/Cargo.toml', '--target-dir', path.join(target, 'bind'), '--', built, glue);

const module = path.join(glue, 'server.js');
const files = await pages({ playground: 'playground/web.ts', server: 'playground/server.ts' }, { alias: { 'relax-lsp-module': module }, works: crates(PLATFORM) });
for (const name of ['index.html', 'frame.html']) {
  files.set(name, plain(name).replace('<meta charset="UTF-8">', `$&\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">`));
}
files.set('icon.svg', plain('icon.svg'));
files.set('server.wasm', fs.readFileSync(path.join(glue, 'server_bg.wasm')));
const explained = path.join(root, 'docs', 'diagnostics');
for (const name of fs.readdirSync(explained)) files.set(`explain/${path.parse(name).name}`, fs.readFileSync(path.join(explained, name)));

fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(path.join(folder, 'explain'), { recursive: true });
let [plainBytes, packedBytes] = [0, 0];
for (const [name, content] of files) {
  fs.writeFileSync(path.join(folder, name), content);
  plainBytes += content.length;
  packedBytes += gzipSync(content).length;
}
const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(`${files.size} files in ${folder}: ${mb(plainBytes)}, compressed ${mb(packedBytes)}`);
