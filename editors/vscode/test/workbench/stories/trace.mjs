// Traces and stages: what happens inside a function.

import assert from 'node:assert/strict';
import { until } from '../host.mjs';

export const trace = {
  title: 'Looking inside a function',
  workbench: { settings: { 'workbench.colorTheme': 'Default Dark Modern' } },
  async steps(scene, step) {
    const { workbench, panel } = scene;
    /** By the variable that is bound on the line. */
    const notes = async () => Object.fromEntries((await workbench.notes()).map((it) => [/^\w+/.exec(it.line)?.[0], it]));
    await step('a trace stands beside the lines', async () => {
      await workbench.open(scene.work, scene.file('nan.py'));
      await scene.lenses('Run', 1);
      await workbench.clickLens('Trace');
      await panel.outcome(/✓ Finished/);
      const found = await until('notes', async () => {
        const all = await notes();
        return all.shifted !== undefined && all;
      });
      assert.match(found.shifted.note, /^f32\[4\] · .*s · -2 … 1$/);
      return found.shifted.note;
    });
    await step('the binding that made a NaN is red, the one after it is not', async () => {
      const found = await notes();
      assert.match(found.roots.note, /^⚠ first NaN · f32\[4\] · .* · 2 NaN$/);
      assert.match(found.scaled.note, /^f32\[4\] · .* · 2 NaN$/);
      assert.notEqual(found.roots.color, found.scaled.color);
      assert.equal(found.scaled.color, found.shifted.color);
    });
    await step('hints of StructInfo give way to the notes', async () => {
      await until('no hint on those lines', async () => !/(shifted|roots|scaled): /.test(await workbench.text()));
    });
    await step('the panel lists the bindings and draws the profile', async () => {
      const names = (await panel.bindings()).map(([line, name, callee]) => [line, name, callee]);
      assert.deepEqual(names[2], ['12', 'roots', 'relax.sqrt']);
      await until('seven bars', async () => (await panel.page.locator('.flame g').count()) >= 7);
      await scene.picture('trace');
    });
    await step('a bar of the flame chart leads to its binding, by keyboard too', async () => {
      const bar = panel.page.locator('.flame').getByRole('button', { name: /^roots/ });
      await bar.focus();
      await workbench.page.keyboard.press('Enter');
      await until('the tensor', async () => /^roots/.test(await panel.tensor()));
      await until('the cursor there', () => workbench.cursorIsAt(12));
    });
    await step('the bars stand in the order of execution, too', async () => {
      await panel.page.locator('#time-by').selectOption('order');
      const bars = panel.page.locator('.flame g');
      await until('the bindings alone', async () => (await bars.count()) === 4);
      const lefts = await bars.evaluateAll((all) => all.map((bar) => bar.querySelector('rect').getBoundingClientRect().left));
      assert.deepEqual(lefts, [...lefts].sort((a, b) => a - b));
      await panel.page.locator('#time-by').selectOption('operator');
    });
    await step('a click on a note opens its tensor', async () => {
      const { x, y } = (await notes()).shifted;
      await workbench.page.mouse.click(x, y);
      await until('the tensor', async () => /^shifted/.test(await panel.tensor()));
      assert.deepEqual(await panel.values(), [[-2, -1, 0, 1]]);
    });
    await step('an edit takes the notes away', async () => {
      // Back from the panel.
      await workbench.click('relax');
      await workbench.goTo(3);
      await workbench.page.keyboard.type('\n');
      await until('no note', async () => (await workbench.notes()).length === 0);
    });
    await step('a lowered stage opens beside the source and follows it', async () => {
      await workbench.goTo(12);
      await workbench.command('Relax: Show Lowered Stage');
      const tab = workbench.page.locator('.tab', { hasText: 'bytecode' });
      const choice = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Bytecode' });
      await until('the stage', async () => {
        if (await choice.isVisible()) await choice.click();
        return tab.isVisible();
      });
      await until('instructions', async () => /relax\.sqrt/.test(await workbench.allText()));
      await workbench.replaceWord('sqrt', 'exp');
      await until('other instructions', async () => /relax\.exp/.test(await workbench.allText()));
      await scene.shot('stage');
    });
  },
};
