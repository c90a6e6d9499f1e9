// TVMScript in a cell of a notebook, whose names other cells bind.

import assert from 'node:assert/strict';
import { until } from '../host.mjs';

export const notebook = {
  title: 'A model in a notebook',
  async steps(scene, step) {
    const { workbench } = scene;
    const cells = workbench.page.locator('.notebookOverlay .cell.code');
    const mistakes = () => cells.locator(':is(.squiggly-error, .squiggly-warning)').count();
    await step('a mistake in a cell is underlined, and nothing else', async () => {
      await workbench.open(scene.work, scene.file('plain.py'));
      await workbench.openFile('model.ipynb');
      await until('a squiggle', mistakes, 60_000);
      assert.equal(await mistakes(), 1);
      await scene.shot('notebook');
    });
    await step('corrected, it goes', async () => {
      await cells.nth(1).locator('.view-line', { hasText: 'rellu' }).click();
      await workbench.page.keyboard.press('Home');
      await workbench.page.keyboard.press('Shift+End');
      await workbench.page.keyboard.insertText('y = R.nn.relu(x)');
      await until('none', async () => (await mistakes()) === 0);
    });
  },
};
