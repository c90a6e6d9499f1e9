// Drives the playground in a headless Chromium, as a user would, and prints what it saw.
//   npm run test:playground [-- --server FILE]    the page of `relax-lsp playground`
//   npm run test:playground -- --files [FOLDER]   what `npm run playground:wasm` has made
// Exit 77: there is no browser to be had; a message says so. Pictures go to target/workbench/shots.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { barriers } from '../workbench/axe.mjs';
import { faint } from '../workbench/contrast.mjs';
import { tryBrowser, until } from '../workbench/host.mjs';
import { installBrowser } from '../workbench/install.mjs';
import { command, files } from './hosts.mjs';
import { latency } from './latency.mjs';
import { start } from './page.mjs';

const root = path.join(import.meta.dirname, '..', '..', '..', '..');
const scratch = path.join(root, 'target', 'workbench');
const { values: options, positionals } = parseArgs({ options: { server: { type: 'string' }, files: { type: 'boolean' } }, allowPositionals: true });
const server = path.resolve(options.server ?? process.env.RELAX_LSP ?? path.join(process.env.CARGO_TARGET_DIR ?? path.join(root, 'target'), 'release', `relax-lsp${process.platform === 'win32' ? '.exe' : ''}`));
/** The contrast that WCAG requires for text. */
const CONTRAST = 4.5;

let parts;
try {
  parts = installBrowser(process.env.WORKBENCH_HOST ?? scratch);
  await tryBrowser(parts);
} catch (error) {
  console.error(`skipped: the playground: there is no browser: ${error.message.split('\n')[0]}`);
  process.exit(77);
}

const it = await start(parts, options.files ? await files(path.resolve(positionals[0] ?? path.join(root, 'target', 'playground'))) : await command(server));
const shots = path.join(scratch, 'shots');
fs.mkdirSync(shots, { recursive: true });

async function step(what, act) {
  const before = Date.now();
  const note = await act();
  console.log(`  ok   ${what} (${Date.now() - before} ms)${note === undefined ? '' : `: ${note}`}`);
}

const stage = (name) => it.page.locator('.stage', { hasText: name });
const lens = (title) => it.page.locator('.lens button', { hasText: title }).first();

async function story() {
  await step('the page shows an example', async () => {
    await it.open();
    const paint = await it.page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    assert.match(await it.text(), /class Perceptron/);
    return `first paint after ${Math.round(paint)} ms`;
  });
  await step('StructInfo stands behind names', async () => {
    await it.page.locator('.hint', { hasText: 'f32[' }).first().waitFor();
    await it.page.locator('.is-tensorOperator').first().waitFor();
  });
  await step('a mistake is seen while it is typed', async () => {
    await it.noProblems();
    await it.replaceWord('16', '17', 0);
    const problem = await it.problem(/shape-mismatch/);
    await it.page.locator('.cm-lintRange-error').first().waitFor();
    return problem.split('\n').slice(0, 2).join(': ');
  });
  await step('its code leads to its page', async () => {
    await it.page.locator('#problems .code').first().click();
    await it.page.locator('.text h1', { hasText: 'shape-mismatch' }).waitFor();
  });
  await step('what was right again has no problem', async () => {
    await it.replaceWord('17', '16', 0);
    await it.noProblems();
  });
  await step('a quick fix mends a misspelt operator, by the keyboard', async () => {
    await it.replaceWord('relu', 'reluu');
    await it.problem(/reluu/);
    await it.page.locator('#problems .fix').first().waitFor();
    await it.page.keyboard.press('Control+.');
    await it.page.keyboard.press('Enter');
    await it.noProblems();
    assert.match(await it.text(), /R\.nn\.relu\(/);
  });
  await step('a hover tells the StructInfo', async () => {
    assert.match(await it.hover('scores', 0), /R\.Tensor\(\(batch, 4\)/);
    await it.page.mouse.move(2, 2);
  });
  await step('completion offers operators', async () => {
    await it.click('softmax');
    await it.page.keyboard.press('Control+Space');
    await it.page.locator('.cm-tooltip-autocomplete li', { hasText: 'softmax' }).first().waitFor();
    await it.page.keyboard.press('Escape');
  });
  await step('Run shows values and a heat map', async () => {
    await it.page.keyboard.press('Control+Enter');
    const panel = it.frame('Run');
    await panel.locator('#outcome', { hasText: 'Finished' }).waitFor();
    await panel.locator('.map > canvas').waitFor();
    await panel.locator('.histogram').first().waitFor();
    await it.page.locator('.lens', { hasText: 'f32[' }).first().waitFor();
    // A hover would cover the picture.
    await it.leaveHover();
    await it.page.screenshot({ path: path.join(shots, 'playground.png') });
    return (await panel.locator('#outcome').innerText()).trim();
  });
  await step('the form runs it again, with other dimensions', async () => {
    const panel = it.frame('Run');
    await panel.locator('input[name="batch"]').fill('7');
    await panel.locator('#run').click();
    await panel.locator('.outputs', { hasText: '[7, 4]' }).waitFor();
    assert.equal(await panel.locator('option[value="file"]').count(), 0, 'the page reads no files');
    assert.equal(await panel.getByRole('button', { name: /Save/ }).count(), 0, 'and writes none');
  });
  await step('Trace tells what each binding got', async () => {
    await lens('Trace').click();
    // A browser's clock may tick too slowly for bars.
    await it.frame('Run').locator('.flame').waitFor({ state: options.files ? 'attached' : 'visible' });
    await it.page.locator('.hint', { hasText: '…' }).first().waitFor();
  });
  await step('Graph draws the function, and a node leads to its line', async () => {
    await lens('Graph').click();
    const node = it.frame('Graph').locator('.node', { hasText: 'softmax' });
    await node.waitFor();
    await it.page.screenshot({ path: path.join(shots, 'playground-graph.png') });
    await node.click();
    await it.page.locator('.cm-activeLine', { hasText: 'softmax' }).waitFor();
  });
  await step('the graph follows an edit', async () => {
    await it.replaceWord('relu', 'gelu');
    await it.frame('Graph').locator('.node', { hasText: 'gelu' }).waitFor();
  });
  await step('the passes of a sample are listed, and one shows what it changed', async () => {
    await it.page.getByRole('tab', { name: 'Passes' }).click();
    await stage('019_StaticPlanBlockMemory').click();
    await it.page.locator('.changes .added', { hasText: 'R.memory.alloc_storage' }).first().waitFor();
    assert.match(await stage('019_StaticPlanBlockMemory').innerText(), /B planned/);
    await it.page.locator('.stages summary', { hasText: '1 unchanged' }).first().click();
    await stage('002_FoldConstant').click();
    await it.page.locator('.changes', { hasText: /^\d+ unchanged/ }).waitFor();
  });
  await step('one function of a pass can be looked at alone', async () => {
    await stage('003_FuseOps').click();
    const changes = it.page.locator('.changes');
    await changes.filter({ hasText: 'fused_matmul_add_relu: split' }).waitFor();
    await it.page.locator('.detail .bar button', { hasText: /^forward$/ }).click();
    await changes.filter({ hasNotText: 'fused_matmul_add_relu: split' }).filter({ hasText: 'forward: changed' }).waitFor();
  });
  await step('a run of all stages finds the pass with a bug', async () => {
    const runAll = it.page.getByRole('button', { name: 'Run all stages' });
    await runAll.click();
    await it.page.locator('.told', { hasText: ': equal' }).waitFor();
    await it.page.locator('#sample').selectOption('A pass with a bug');
    await it.page.locator('.told', { hasText: /^28 passes$/ }).waitFor();
    await runAll.click();
    await it.page.locator('.told', { hasText: '018_CallTIRRewrite is the first with other values' }).waitFor();
    await it.page.locator('.stage[aria-current="true"]', { hasText: '≠ other values' }).waitFor();
    await it.page.locator('.changes .added', { hasText: 'T.int64(127)' }).first().waitFor();
    await it.page.screenshot({ path: path.join(shots, 'playground-passes.png') });
    return it.page.locator('.told').innerText();
  });
  for (const theme of ['light', 'dark']) {
    await step(`text can be read in the ${theme} theme`, async () => {
      for (const tab of await it.page.getByRole('tab').all()) {
        await tab.click();
        for (const frame of it.page.frames()) assert.deepEqual([...(await faint(frame, CONTRAST)), ...(await barriers(frame))], []);
      }
      await it.page.locator('#theme').click();
    });
  }
  await step('a shared link brings the program back', async () => {
    const text = await it.text();
    await it.page.locator('#share').click();
    await it.page.locator('#say', { hasText: 'Link copied' }).waitFor();
    const link = await it.page.evaluate(() => navigator.clipboard.readText());
    await it.open(new URL(link).hash);
    assert.equal(await it.text(), text);
    return `${link.length} characters`;
  });
  await step('every example is shown; those without mistakes have no error', async () => {
    const titles = await it.page.locator('#example option:not([hidden])').allInnerTexts();
    for (const title of titles) {
      await it.page.locator('#example').selectOption(title);
      if (/mistakes/.test(title)) await until('three errors', async () => (await it.problems()).filter((text) => text.startsWith('error')).length === 3);
      else await it.noProblems();
    }
    return titles.join(', ');
  });
  await step('a program that came by a link can bring no elements along', async () => {
    const text = '"""d"""\nfrom tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((2,), "float32")):\n    y = R.call_packed("<img src=x><b>b</b>", x, sinfo_args=R.Tensor((2,), "float32"))\n    return y\n';
    await it.program(text);
    await it.hover('y');
    assert.equal(await it.page.locator('.cm-tooltip img, #problems img').count(), 0);
  });
  await step('a stage of the passes opens in the editor', async () => {
    await it.page.getByRole('tab', { name: 'Passes' }).click();
    await stage('000_LegalizeOps').click();
    await it.page.getByRole('button', { name: 'Open in the editor' }).click();
    await it.noProblems();
    assert.match(await it.text(), /T\.prim_func/);
  });
  if (options.files) await inBrowser();
  else
    await step('the end of the server is told, and the program stays', async () => {
      const text = await it.text();
      it.host.end();
      await it.page.locator('#gone').waitFor();
      assert.equal(await it.text(), text);
    });
}

/** The features that differ if the server is WebAssembly. */
async function inBrowser() {
  await step('a program that runs long keeps nothing waiting, and can be stopped', async () => {
    await it.program('from tvm.script import relax as R\n\n@R.function\ndef long(x: R.Tensor((4000, 4000), "float64")):\n    y = R.matmul(x, x)\n    return R.matmul(y, y)\n');
    await it.noProblems();
    await lens('Run').click();
    const cancel = it.frame('Run').locator('#cancel');
    await cancel.waitFor();
    await it.replaceWord('matmul', 'matmull');
    await it.problem(/matmull/);
    await cancel.click();
    await it.frame('Run').locator('#run').waitFor();
  });
  await step('diagnostics follow typing', async () => {
    const program = fs.readFileSync(path.join(root, 'tests', 'fixtures', 'models', 'lm2-nn.tvm-0.27.py'), 'utf8');
    const times = await latency(it.page, program, 200);
    const of = (part) => times[Math.floor(times.length * part)].toFixed(1);
    return `${times.length} edits of ${Math.round(program.length / 1024)} KB: p50 ${of(0.5)} ms, p99 ${of(0.99)} ms`;
  });
}

let failed = false;
try {
  await story();
} catch (error) {
  failed = true;
  console.log(`  FAIL ${error.message}`);
  await it.page?.screenshot({ path: path.join(shots, 'playground-failed.png') });
}
const said = it.log.filter((line) => !/WebSocket|ERR_CONNECTION/.test(line));
if (said.length > 0) console.log(`the page's console:\n${said.join('\n')}`);
await it.stop();
console.log(failed ? '1 failed' : 'all passed');
process.exit(failed ? 1 : 0);
