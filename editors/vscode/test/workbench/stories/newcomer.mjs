// From an empty window to a heat map, timed.

import assert from 'node:assert/strict';
import { until } from '../host.mjs';

export const newcomer = {
  title: 'A newcomer opens the example, breaks it, mends it, runs it',
  async steps(scene, step) {
    const { workbench, panel } = scene;
    await workbench.open(scene.work, scene.file('plain.py'));
    let spent = 0;
    const timed = async (what, act) => (spent += await step(what, act));

    await step('who runs before there is a model is offered one', async () => {
      await workbench.command('Welcome: Open Walkthrough');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Start with Relax' }).click();
      const page = workbench.page.locator('.gettingStartedContainer');
      await page.getByText('Run it', { exact: true }).click();
      await page.getByRole('button', { name: 'Run Function' }).click();
      const text = await scene.notification(/Open a Python file with TVMScript first/);
      assert.ok(text.includes('Open Example'));
      await workbench.clearNotifications();
    });
    await timed('the walkthrough opens the example', async () => {
      await workbench.command('Welcome: Open Walkthrough');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Start with Relax' }).click();
      const page = workbench.page.locator('.gettingStartedContainer');
      await page.getByText('Break it, and mend it').waitFor();
      await scene.shot('walkthrough');
      await page.getByRole('button', { name: 'Open Example' }).click();
      await until('its text', async () => /class Perceptron/.test(await workbench.text()));
    });
    await timed('bindings show their StructInfo', () =>
      until('a hint', async () => (await workbench.text()).split('\n').find((line) => /hidden: ?f32\[batch, 16\]/.test(line))?.trim(), 60_000),
    );
    await timed('a misspelt operator is underlined', async () => {
      await workbench.replaceWord('relu', 'rellu');
      await until('a squiggle', () => workbench.squiggles());
      await scene.picture('mistake');
    });
    await timed('the light bulb mends it', async () => {
      await workbench.click('rellu');
      await workbench.quickFix(/relu/);
      await until('no squiggle', async () => (await workbench.squiggles()) === 0);
      assert.match(await workbench.text(), /R\.nn\.relu\(hidden\)/);
    });
    await timed('one click runs it', async () => {
      await scene.lenses('Run', 1);
      await workbench.clickLens('Run');
      return (await panel.outcome(/✓ Finished in .* · batch = 4/)).split('\n')[0];
    });
    await timed('the heat map has the numbers', async () => {
      await until('its colours', async () => (await panel.colours()) > 8);
      await scene.picture('run');
      const values = await panel.values();
      assert.deepEqual([values.length, ...values.map((row) => row.length)], [4, 4, 4, 4, 4]);
      for (const row of values) assert.ok(Math.abs(row.reduce((sum, value) => sum + value) - 1) < 1e-4, 'a softmax sums to 1');
    });
    console.log(`       in ${(spent / 1000).toFixed(1)} s`);

    await step('a command of the walkthrough finds the example again', async () => {
      await workbench.command('Welcome: Open Walkthrough');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Start with Relax' }).click();
      const page = workbench.page.locator('.gettingStartedContainer');
      await page.getByText('Look inside', { exact: true }).click();
      await page.getByRole('button', { name: 'Show Graph' }).click();
      await scene.graph.drawn('the bindings', (found) => found.includes('nn.softmax probabilities'));
    });
  },
};
