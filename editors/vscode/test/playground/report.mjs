// Opens a report of `relax-lsp report` in a headless Chromium, from the file and without a network, in both themes.
//   npm run test:report [-- --server FILE]
// Exit 77: there is no browser to be had; a message says so. Pictures go to target/workbench/shots.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { faint } from '../workbench/contrast.mjs';
import { launch, tryBrowser } from '../workbench/host.mjs';
import { installBrowser } from '../workbench/install.mjs';

const root = path.join(import.meta.dirname, '..', '..', '..', '..');
const scratch = path.join(root, 'target', 'workbench');
const { values: options } = parseArgs({ options: { server: { type: 'string' } } });
const server = path.resolve(options.server ?? process.env.RELAX_LSP ?? path.join(process.env.CARGO_TARGET_DIR ?? path.join(root, 'target'), 'release', `relax-lsp${process.platform === 'win32' ? '.exe' : ''}`));
/** The contrast that WCAG requires for text. */
const CONTRAST = 4.5;
const GROUNDS = { light: '#ffffff', dark: '#121212' };

let parts;
try {
  parts = installBrowser(process.env.WORKBENCH_HOST ?? scratch);
  await tryBrowser(parts);
} catch (error) {
  console.error(`skipped: the report: there is no browser: ${error.message.split('\n')[0]}`);
  process.exit(77);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'report-'));
const report = path.join(folder, 'report.html');
execFileSync(server, ['report', path.join(root, 'tests', 'fixtures', 'passes', 'convnet'), '--run', '-o', report]);
const shots = path.join(scratch, 'shots');
fs.mkdirSync(shots, { recursive: true });

async function read(colorScheme) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme, offline: true });
  const page = await context.newPage();
  const [complaints, asked] = [[], []];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(report).href);
  assert.match(await page.locator('pre').first().innerText(), /28 stages, each well-formed/);
  assert.match(await page.locator('body').innerText(), /equal: \d+ values compared/);
  // A pass leads to what it changed.
  await page.locator('table a', { hasText: '003_FuseOps' }).click();
  const heading = page.locator('h2', { hasText: '003_FuseOps' });
  assert.ok(await heading.evaluate((it) => it.getBoundingClientRect().top < innerHeight), 'the link leads to the pass');
  const closed = page.locator('details:not([open]) > summary').first();
  await closed.focus();
  await page.keyboard.press('Enter');
  assert.ok((await page.locator('details[open]').count()) > 0, 'the keyboard opens what is folded');
  for (const title of ['Memory plan after', 'Time of a run after', 'Graph after']) await page.locator('h2', { hasText: title }).waitFor();
  assert.ok(await page.locator('.graph svg').first().isVisible());
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels wider than the window`);
  // The ground of a page that paints none is the browser's.
  await page.evaluate((ground) => document.documentElement.style.setProperty('--vscode-editor-background', ground), GROUNDS[colorScheme]);
  assert.deepEqual(await faint(page, CONTRAST), []);
  await page.screenshot({ path: path.join(shots, `report-${colorScheme}.png`) });
  assert.deepEqual(complaints, []);
  assert.deepEqual(asked, [pathToFileURL(report).href], 'it is one file');
  await context.close();
  console.log(`  ok   a report in the ${colorScheme} theme`);
}

const browser = await launch(parts);
try {
  await read('light');
  await read('dark');
} finally {
  await browser.close();
  fs.rmSync(folder, { recursive: true });
}
