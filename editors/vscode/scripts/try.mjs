// Builds the extension with its server and opens an editor that has it, with the example, in a browser.
//   node editors/vscode/scripts/try.mjs            VS Code served by code-server, which is installed into target/
//   node editors/vscode/scripts/try.mjs --code     the VS Code that is installed here, in a profile of its own
// Nothing of an editor that is in use is touched. Ctrl-C ends it and removes what it made.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, serve } from '../test/workbench/host.mjs';
import { install } from '../test/workbench/install.mjs';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.join(here, '..', '..');
const run = (folder, command, ...options) => execFileSync(command, options, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });

run(root, 'cargo', 'build', '--release', '--locked', '-p', 'relax-lsp');
if (!fs.existsSync(path.join(here, 'node_modules', '.package-lock.json'))) run(here, 'npm', 'ci');
run(here, 'npm', 'run', '--silent', 'package');
const { name, version } = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const vsix = path.join(here, `${name}-${version}.vsix`);

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'relax-example-'));
const example = path.join(work, 'example.py');
fs.copyFileSync(path.join(here, 'media', 'example.py'), example);

if (process.argv.includes('--code')) {
  const places = ['--user-data-dir', path.join(work, '.user'), '--extensions-dir', path.join(work, '.extensions')];
  run(work, 'code', ...places, '--install-extension', vsix);
  run(work, 'code', ...places, '--wait', '--new-window', '--disable-workspace-trust', work, '--goto', `${example}:1`);
  fs.rmSync(work, { recursive: true, force: true });
} else {
  const parts = install(process.env.WORKBENCH_HOST ?? path.join(root, 'target', 'workbench'), { headless: false });
  const served = await serve(parts, { vsix, settings: { 'workbench.startupEditor': 'none' } });
  const url = address(served.url, work, example);
  console.log(`\nOpen ${url}\nCtrl-C ends it.`);
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open';
  if (process.env.DISPLAY || process.env.WAYLAND_DISPLAY || opener !== 'xdg-open') spawn(opener, [url], { stdio: 'ignore' }).on('error', () => undefined);
  const end = () => {
    try {
      process.kill(-served.server.pid, 'SIGTERM');
    } catch {
      // It has ended already.
    }
    for (const folder of [served.folder, work]) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    process.exit(0);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  served.server.on('exit', end);
}
