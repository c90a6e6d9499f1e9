// Opens a report of `relax-lsp report` and a page of `relax-lsp graph` in a headless Chromium, from the file and without a
// network, in both themes.
//   npm run test:report [-- --server FILE]
// Exit 77: there is no browser to be had; a message says so. Pictures go to target/workbench/shots.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { barriers } from '../workbench/axe.mjs';
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
const graphs = path.join(folder, 'graph.html');
fs.writeFileSync(graphs, execFileSync(server, ['graph', path.join(root, 'tests', 'fixtures', 'models', 'lm2-nn.tvm-0.27.py'), '--format', 'html']));
const shots = path.join(scratch, 'shots');
fs.mkdirSync(shots, { recursive: true });

/** Opens a file, and returns what ends the visit. */
async function visit(file, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true, ...options });
  const page = await context.newPage();
  const [complaints, asked] = [[], []];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  const leave = async () => {
    assert.deepEqual(complaints, []);
    assert.deepEqual(asked.filter((it) => it !== 'about:srcdoc'), [pathToFileURL(file).href], 'it is one file');
    await context.close();
  };
  return { page, leave };
}

async function read(colorScheme) {
  const { page, leave } = await visit(report, { colorScheme });
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
  for (const title of ['Memory plan after', 'Time of a run after']) await page.locator('h2', { hasText: title }).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels wider than the window`);
  // The ground of a page that paints none is the browser's.
  await page.evaluate((ground) => document.documentElement.style.setProperty('--vscode-editor-background', ground), GROUNDS[colorScheme]);
  assert.deepEqual([...(await faint(page, CONTRAST)), ...(await barriers(page))], []);
  await page.screenshot({ path: path.join(shots, `report-${colorScheme}.png`) });
  await leave();
  console.log(`  ok   a report in the ${colorScheme} theme`);
}

/** The edges that run behind a node which they do not touch, by the points of their lines. */
function behind(canvas) {
  const rectangles = [...canvas.querySelectorAll('.node')].map((node) => {
    const { e: x, f: y } = node.transform.baseVal.consolidate().matrix;
    const { width, height } = node.querySelector('rect').getBBox();
    return { x, y, width, height };
  });
  return [...canvas.querySelectorAll('.edge')].flatMap((edge) => {
    const line = edge.querySelector('path');
    const length = line.getTotalLength();
    const ends = [edge.dataset.from, edge.dataset.to];
    const points = Array.from({ length: Math.ceil(length / 2) }, (_, at) => line.getPointAtLength(at * 2));
    const over = rectangles.flatMap(({ x, y, width, height }, at) => (!ends.includes(String(at)) && points.some((it) => it.x > x + 1 && it.x < x + width - 1 && it.y > y + 1 && it.y < y + height - 1) ? [at] : []));
    return over.map((at) => `${ends.join(' → ')} behind ${at}`);
  });
}

async function draw(colorScheme) {
  const { page, leave } = await visit(graphs, { colorScheme, acceptDownloads: true });
  const frame = page.frameLocator('.graph iframe');
  const nodes = frame.locator('.node');
  await nodes.first().waitFor();
  const canvas = frame.locator('#canvas');
  const scale = async () => Number(/scale\(([\d.]+)\)/.exec(await canvas.locator('> g').getAttribute('transform'))[1]);
  assert.ok((await scale()) * 10.5 >= 9, 'all text can be read');
  assert.ok((await canvas.locator('.edge').count()) > 20);
  assert.deepEqual(await canvas.evaluate(behind), []);
  assert.ok((await frame.locator('.weight', { hasText: 'qkv_weight(768, 256)ᵀ' }).count()) > 0, 'weights are inside of nodes');
  await page.screenshot({ path: path.join(shots, `graph-page-${colorScheme}.png`) });
  assert.deepEqual([...(await barriers(page)), ...(await barriers(frame))], []);
  const before = await nodes.count();
  await frame.getByRole('button', { name: 'Fit' }).click();
  assert.ok((await nodes.count()) < before && (await scale()) * 12 >= 9, 'boxes close, and titles can be read');
  await page.screenshot({ path: path.join(shots, `graph-page-fitted-${colorScheme}.png`) });
  await frame.getByText('List of values').click();
  await frame.getByRole('button', { name: /^matmul1 =/ }).click();
  assert.match(await frame.locator('.node.marked').getAttribute('aria-label'), /^matmul1 = matmul/);
  await frame.getByText('Export').click();
  const [saved] = await Promise.all([page.waitForEvent('download'), frame.getByRole('button', { name: 'PNG' }).click()]);
  assert.equal(saved.suggestedFilename(), 'Module.forward.png');
  await leave();
  console.log(`  ok   a graph in the ${colorScheme} theme`);
}

async function readWithoutScripts() {
  const { page, leave } = await visit(graphs, { javaScriptEnabled: false });
  await page.locator('summary').click();
  await page.getByText('matmul = matmul(rms_norm, qkv_weight(768, 256)ᵀ): f32[1, n, 768]', { exact: true }).waitFor();
  await leave();
  console.log('  ok   a graph without scripts');
}

const browser = await launch(parts);
try {
  await read('light');
  await read('dark');
  await draw('light');
  await draw('dark');
  await readWithoutScripts();
} finally {
  await browser.close();
  fs.rmSync(folder, { recursive: true });
}
