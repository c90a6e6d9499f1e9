// Installs the host of the workbench tests: code-server (VS Code served to a browser), the Node it wants,
// and playwright-core to drive it. Chromium comes from the system. Everything lands in one folder, once.
//   node install.mjs   installs into the folder that the tests use

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const VERSIONS = { codeServer: '4.139.1', node: '24.21.0', playwright: '1.65.1' };
/** Parts of the served VS Code that need the network and that nothing here uses. */
const SUPERFLUOUS = ['extensions/copilot', 'extensions/microsoft-authentication'];

/** Milliseconds for one of npm's installs; a registry that hangs is one that cannot be had. */
const PATIENCE = 600_000;

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function npm(folder, node, ...packages) {
  fs.mkdirSync(folder, { recursive: true });
  const manifest = path.join(folder, 'package.json');
  if (!fs.existsSync(manifest)) fs.writeFileSync(manifest, '{ "private": true }\n');
  const separator = process.platform === 'win32' ? ';' : ':';
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' };
  if (node !== undefined) env.PATH = `${path.dirname(node)}${separator}${env.PATH}`;
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'], timeout: PATIENCE });
}

function findNode(folder) {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const node = path.join(folder, 'node24', 'node_modules', name, 'bin', 'node');
  if (!fs.existsSync(node)) npm(path.join(folder, 'node24'), undefined, `${name}@${VERSIONS.node}`);
  return node;
}

function findBrowser() {
  const browser = [process.env.CHROMIUM, ...BROWSERS].find((file) => file !== undefined && fs.existsSync(file));
  if (browser !== undefined) return browser;
  const root = process.getuid?.() === 0;
  if (!root || !fs.existsSync('/usr/bin/apt-get')) {
    throw new Error('Chromium is needed: install it, or say where it is with CHROMIUM=/path/to/chromium.');
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return '/usr/bin/chromium';
}

/** Only a browser and what drives it, for pages that need no VS Code around them. */
export function installBrowser(folder) {
  // First the parts that npm cannot install.
  const browser = findBrowser();
  const tools = path.join(folder, 'tools');
  const driver = path.join(tools, 'node_modules', 'playwright-core', 'package.json');
  if (!fs.existsSync(driver)) npm(tools, undefined, `playwright-core@${VERSIONS.playwright}`);
  return { driver, browser };
}

/** The paths of the parts; missing ones are installed. The browser can come from elsewhere. */
export function install(folder, { headless = true } = {}) {
  const shown = headless ? installBrowser(folder) : {};
  const node = findNode(folder);
  const server = path.join(folder, 'cs', 'node_modules', 'code-server');
  const editor = path.join(server, 'lib', 'vscode');
  if (!fs.existsSync(path.join(server, 'out', 'node', 'entry.js'))) npm(path.join(folder, 'cs'), node, `code-server@${VERSIONS.codeServer}`);
  if (!fs.existsSync(path.join(editor, 'node_modules', 'minimist'))) {
    npm(editor, node);
    for (const part of SUPERFLUOUS) fs.rmSync(path.join(editor, part), { recursive: true, force: true });
  }
  const logger = path.join(editor, 'node_modules', '@vscode', 'spdlog');
  if (!fs.existsSync(path.join(logger, 'build'))) fs.copyFileSync(path.join(import.meta.dirname, 'logger.cjs'), path.join(logger, 'index.js'));
  const entry = path.join(server, 'out', 'node', 'entry.js');
  return { node, entry, ...shown };
}

if (process.argv[1] === import.meta.filename) {
  install(process.env.WORKBENCH_HOST ?? path.join(import.meta.dirname, '..', '..', '..', '..', 'target', 'workbench'));
}
