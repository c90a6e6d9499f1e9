// Packages the extension into a .vsix.
//   npm run package                 for this platform, with the release server inside
//   npm run package -- --server F   with the server F inside
//   npm run package -- --target linux-arm64 --server F   for another platform, whose server cannot be started here
//   npm run package -- --bare       for every platform, without a server
// The version of the server inside is printed; a server that does not start is refused.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { crates, modules, notices } from './notices.mjs';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.join(here, '..', '..');
const { values } = parseArgs({ options: { server: { type: 'string' }, bare: { type: 'boolean' }, target: { type: 'string' }, out: { type: 'string' } } });

const bundled = path.join(here, 'server');
fs.rmSync(bundled, { recursive: true, force: true });

/** Platforms as Visual Studio Code names them. */
const TARGETS = ['linux-x64', 'linux-arm64', 'alpine-x64', 'alpine-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];
const own = `${process.platform}-${process.arch}`;
const target = values.target ?? (TARGETS.includes(own) ? own : undefined);
if (values.target !== undefined && (!TARGETS.includes(values.target) || values.server === undefined)) {
  console.error(`--target takes one of ${TARGETS.join(', ')}, with --server.`);
  process.exit(2);
}
const exe = (target ?? own).startsWith('win32') ? '.exe' : '';
if (!values.bare) {
  const built = process.env.CARGO_TARGET_DIR ?? path.join(root, 'target');
  const server = path.resolve(values.server ?? path.join(built, 'release', `relax-lsp${exe}`));
  if (!fs.existsSync(server)) {
    console.error(`${server} is not there: cargo build --release -p relax-lsp, or --bare for a package without a server.`);
    process.exit(2);
  }
  if (target === own) console.log(`server: ${execFileSync(server, ['--version'], { encoding: 'utf8' }).trim()}`);
  fs.mkdirSync(bundled);
  fs.copyFileSync(server, path.join(bundled, `relax-lsp${exe}`));
  fs.chmodSync(path.join(bundled, `relax-lsp${exe}`), 0o755);
}
fs.copyFileSync(path.join(root, 'LICENSE'), path.join(here, 'LICENSE'));
const others = values.bare ? modules() : [...modules(), ...crates()];
fs.writeFileSync(path.join(here, 'THIRD_PARTY_NOTICES.txt'), notices(others));

const { name, version } = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const vsix = path.resolve(values.out ?? path.join(here, `${name}-${version}.vsix`));
const vsce = path.join(here, 'node_modules', '@vscode', 'vsce', 'vsce');
const forPlatform = values.bare || target === undefined ? [] : ['--target', target];
const options = ['package', ...forPlatform, '--no-dependencies', '--allow-missing-repository', '--out', vsix];
execFileSync(process.execPath, [vsce, ...options], { cwd: here, stdio: 'inherit' });
