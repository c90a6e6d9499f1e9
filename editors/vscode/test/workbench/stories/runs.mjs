// Runs through the panel: values, slices, inputs, history, errors, cancelling.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { until } from '../host.mjs';

export const runs = {
  title: 'Runs in the panel',
  async steps(scene, step) {
    const { workbench, panel } = scene;
    await step('one click on the lens runs the function', async () => {
      await workbench.open(scene.work, scene.file('cube.py'));
      await scene.lenses('Run', 1);
      await workbench.clickLens('Run');
      await panel.outcome(/✓ Finished in .* · n = 4/);
      await until('the outcome over the function', async () => (await workbench.lenses()).some((text) => text.includes('✓ f32[4, 2, 3]')));
    });
    await step('a dimension that is none is refused where it is typed', async () => {
      await panel.dim('n').fill('two');
      await panel.page.getByText('positive whole number').waitFor();
    });
    await step('the form chooses dimensions and inputs', async () => {
      await panel.dim('n').fill('2');
      await panel.page.getByText('Inputs (1)').click();
      await panel.page.getByLabel('value of x').selectOption('arange');
      await panel.press('▶ Run');
      await panel.outcome(/n = 2/);
      // x is 0 to 11, and the function doubles it.
      assert.deepEqual((await panel.outputs()).map((cells) => cells.slice(0, 5)), [['out changed', 'f32[2, 2, 3]', '0', '11', '22']]);
    });
    await step('the heat map shows the last two axes, with values at the pointer', async () => {
      assert.deepEqual(await panel.values(), [[0, 2, 4], [6, 8, 10]]);
      assert.equal(await panel.hoverCell(1, 2, 2, 3), '[0, 1, 2] = 10');
    });
    await step('other axes and another index can be chosen', async () => {
      await panel.page.locator('#axis-0').fill('1');
      await panel.page.locator('#axis-0').press('Enter');
      await until('the second slice', async () => (await panel.values())[0][0] === 12);
      await panel.page.locator('#rows').selectOption('0');
      await until('axis 0 downwards', async () => JSON.stringify(await panel.values()) === '[[0,2,4],[12,14,16]]');
      await scene.shot('slice');
    });
    await step('the keyboard reads the cells', async () => {
      await panel.canvas().focus();
      await workbench.page.keyboard.press('End');
      await until('the value for a screen reader', async () => (await panel.page.locator('#say').innerText()) === '[0, 0, 2] = 4');
    });
    await step('the difference from the run before is a heat map too', async () => {
      await panel.page.getByLabel('value of x').selectOption('constant');
      await panel.page.getByLabel('constant for x').fill('0.5');
      await panel.press('▶ Run');
      await until('all ones', async () => (await panel.outputs())[0]?.[2] === '1');
      await panel.page.getByText(/Difference from run 2/).click();
      await until('ones minus twice 0, 1, 2', async () => JSON.stringify((await panel.values())[0]) === '[1,-1,-3]');
      await until('three runs in the history', async () => (await panel.runs()) === 3);
      await scene.shot('history');
    });
    await step('an output is copied as NumPy', async () => {
      await panel.press('Copy as NumPy');
      await until('word of it', async () => (await workbench.statusBar()).some((text) => /Copied as NumPy/.test(text)));
    });
    await step('an output is saved as .npy', async () => {
      await panel.press('Save .npy…');
      const input = workbench.input().locator('input').first();
      await until('the place beside the source', async () => (await input.inputValue()).endsWith('/out.npy'));
      await input.press('Enter');
      await until('the file', () => fs.existsSync(scene.file('out.npy')));
      assert.equal(fs.readFileSync(scene.file('out.npy')).toString('latin1', 1, 6), 'NUMPY');
    });
    await step('a file is an input', async () => {
      await panel.page.getByLabel('value of x').selectOption('file');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'out.npy' }).click();
      await panel.page.getByRole('button', { name: 'out.npy' }).waitFor();
      await panel.press('▶ Run');
      // It held ones.
      await until('all twos', async () => (await panel.outputs())[0]?.slice(2, 5).join() === '2,2,2');
    });
    await step('the seed makes random inputs others, and the same again', async () => {
      const seed = panel.page.getByLabel('Seed');
      const least = async () => (await panel.outputs())[0]?.[2];
      await panel.page.getByLabel('value of x').selectOption('random');
      const told = [];
      for (const value of ['0', '7', '0']) {
        await seed.fill(value);
        const runs = await panel.runs();
        await panel.press('▶ Run');
        await until('another run', async () => (await panel.runs()) === runs + 1);
        told.push(await least());
      }
      assert.notEqual(told[0], told[1]);
      assert.equal(told[0], told[2]);
      return told.join(', ');
    });
    await step('saving runs again', async () => {
      await panel.page.getByLabel('value of x').selectOption('constant');
      await panel.page.getByLabel('constant for x').fill('0.5');
      await panel.page.getByLabel('Run again on save').check();
      await workbench.replaceWord('add', 'multiply');
      await workbench.page.keyboard.press('Control+S');
      await until('a quarter', async () => (await panel.outputs())[0]?.[2] === '0.25');
      assert.match(fs.readFileSync(scene.file('cube.py'), 'utf8'), /R\.multiply\(x, x\)/);
    });
    await step('an error of the program leads to its line', async () => {
      await workbench.openFile('mlp.py');
      await scene.lenses('▶', 3);
      await workbench.goTo(33);
      await workbench.command('Relax: Run Function');
      const text = await panel.outcome(/✗/);
      await scene.shot('error');
      await panel.press('Go to line 35');
      await until('the cursor at the match_cast', () => workbench.cursorIsAt(35));
      return text.split('\n')[0];
    });
    await step('a long run is cancelled', async () => {
      await workbench.goTo(23);
      await workbench.command('Relax: Run Function');
      // The form before it has an `n` as well. What is typed while this first run ends is what runs next.
      await panel.page.getByRole('heading', { name: 'Module.busy' }).waitFor();
      await panel.dim('n').fill('6000');
      await panel.press('▶ Run');
      await panel.button('Cancel').waitFor();
      await scene.shot('progress');
      await panel.press('Cancel');
      await panel.button('▶ Run').waitFor();
      await until('it in the history', async () => (await panel.page.locator('.history tbody tr').first().innerText()).includes('cancelled'));
    });
  },
};
