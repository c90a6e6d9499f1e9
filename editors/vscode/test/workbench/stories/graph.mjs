// The graph of a function beside its source.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { until } from '../host.mjs';

/** More bindings than are drawn at once. */
function long(count) {
  const lines = Array.from({ length: count }, (_, at) => `    v${at} = R.add(${at === 0 ? 'x' : `v${at - 1}`}, x)`);
  return ['from tvm.script import relax as R', '', '', '@R.function', 'def main(x: R.Tensor((4,), "float32")):', ...lines, `    return v${count - 1}`, ''].join('\n');
}

export const graph = {
  title: 'The graph of a function',
  // Lines are as long as they are written, so that all of them is on screen beside the graph.
  workbench: { settings: { 'editor.inlayHints.enabled': 'off', 'workbench.colorTheme': 'Default Dark Modern' } },
  async steps(scene, step) {
    const { workbench, graph: page } = scene;
    // Before the workbench looks at its files.
    fs.writeFileSync(scene.file('long.py'), long(2000));
    await step('a lens draws the dataflow, with shapes', async () => {
      await workbench.open(scene.work, scene.file('mlp.py'));
      await scene.lenses('Graph', 3);
      await workbench.clickLens('Graph');
      const nodes = await page.drawn('the bindings', (found) => found.length === 6);
      assert.deepEqual(nodes, ['x f32[batch, 16]', 'matmul hidden w1(16, 32)', 'nn.relu active', 'matmul logits w2(32, 10)', 'nn.softmax probs', 'return']);
      assert.deepEqual((await page.labels()).slice(0, 2), ['(batch, 16)', '(batch, 32)']);
      await scene.picture('graph');
    });
    await step('a click on a node leads to its line', async () => {
      await page.click('nn.relu');
      await until('the cursor there', () => workbench.cursorIsAt(17));
    });
    await step('the binding at the cursor is marked', async () => {
      await until('the mark', async () => /^active = nn\.relu/.test(await page.marked()));
      // Back from the graph, which may have the focus.
      await workbench.click('probs');
      await until('the mark', async () => /^probs = nn\.softmax, R\.Tensor\(\(batch, 10\).*, axis=-1$/.test(await page.marked()));
    });
    await step('a weight is a part of the operator that reads it', async () => {
      await workbench.click('w2');
      await until('the mark', async () => /^logits = matmul, .*, x2 = w2: R\.Tensor\(\(32, 10\)/.test(await page.marked()));
    });
    await step('a list of the values, with operands and types, leads to each', async () => {
      await page.page.getByText('List of values').click();
      assert.deepEqual(await page.page.locator('#list li').allTextContents(), ['x: f32[batch, 16]', 'hidden = matmul(x, w1(16, 32)): f32[batch, 32]', 'active = nn.relu(hidden): f32[batch, 32]', 'logits = matmul(active, w2(32, 10)): f32[batch, 10]', 'probs = nn.softmax(logits): f32[batch, 10]', 'return(probs): f32[batch, 10]']);
      await page.page.locator('#list button', { hasText: /^active =/ }).press('Enter');
      await until('the focus there', () => page.node('nn.relu').evaluate((node) => node === document.activeElement));
      await page.page.getByText('List of values').click();
    });
    await step('the keyboard follows operands and leads to the source', async () => {
      await page.node('nn.softmax').focus();
      await workbench.page.keyboard.press('ArrowUp');
      await until('the operand', () => page.node('logits').evaluate((node) => node === document.activeElement));
      await workbench.page.keyboard.press('Enter');
      await until('the cursor there', () => workbench.cursorIsAt(18));
    });
    await step('it is zoomed by keyboard and by button', async () => {
      const before = await page.scale();
      await page.button('Zoom in').click();
      assert.ok((await page.scale()) > before);
      await page.node('return').focus();
      await workbench.page.keyboard.press('0');
      assert.ok((await page.scale()) <= 1);
    });
    await step('values are coloured by a number, an amount or a dtype', async () => {
      await page.colour('bytes');
      await until('the heaviest', async () => /^nn\.softmax|^matmul/.test((await page.hottest()) ?? ''));
      await page.colour('dtype');
      await until('one hue', async () => (await page.page.locator('.node.hue0').count()) >= 5);
      await page.colour('op kind');
      await until('no hue', async () => (await page.page.locator('.node.hue0').count()) === 0);
    });
    await step('it is saved as SVG and as PNG', async () => {
      for (const [type, begins] of [['SVG', '<svg'], ['PNG', '\u0089PNG']]) {
        await page.export(type);
        const input = workbench.input().locator('input').first();
        const name = `Module.forward.${type.toLowerCase()}`;
        await until('a name for the file', async () => (await input.inputValue()).endsWith(`/${name}`));
        await input.press('Enter');
        await until('the file', () => fs.existsSync(scene.file(name)));
        assert.ok(fs.readFileSync(scene.file(name), 'latin1').startsWith(begins));
      }
      const saved = fs.readFileSync(scene.file('Module.forward.svg'), 'utf8');
      assert.match(saved, /w1\(16, 32\)/);
      assert.doesNotMatch(saved, /var\(|color-mix|class=/, 'it needs no style sheet');
    });
    await step('an edit is drawn', async () => {
      await workbench.replaceWord('relu', 'gelu');
      await page.drawn('the new operator', (found) => found.includes('nn.gelu active'));
    });
    await step('branches and inner functions are boxes', async () => {
      await workbench.openFile('branch.py');
      await scene.lenses('Graph', 1);
      await workbench.goTo(16);
      await workbench.command('Relax: Show Graph');
      await page.drawn('the branch', (found) => found.includes('if y'));
      assert.deepEqual(await page.page.locator('.group > text').allTextContents(), ['def twice', 'then', 'else']);
      await scene.picture('graph-branches');
    });
    await step('of a long function what surrounds the cursor is drawn, and said', async () => {
      await workbench.openFile('long.py');
      await scene.lenses('Graph', 1);
      await workbench.goTo(1006);
      await workbench.command('Relax: Show Graph');
      await page.drawn('the part around v1000', (found) => found.length > 400 && found.some((text) => /\bv1000\b/.test(text)));
      assert.match(await page.note(), /^400 of 2,002 values/);
      await scene.picture('graph-long');
    });
    await step('the part follows the cursor', async () => {
      await workbench.goTo(206);
      await page.drawn('the part around v200', (found) => found.some((text) => /\bv200\b/.test(text)));
      await until('the mark', async () => /^v200 = add/.test(await page.marked()));
    });
    await step('it is copied as DOT', async () => {
      await page.export('Copy DOT');
      await until('word of it', async () => (await workbench.statusBar()).some((text) => /Copied as DOT/.test(text)));
    });
  },
};
