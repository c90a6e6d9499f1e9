// The panel and the graph in dark, light and high-contrast themes: everything can be read, and reached by keyboard.

import assert from 'node:assert/strict';
import { barriers } from '../axe.mjs';
import { faint } from '../contrast.mjs';
import { until } from '../host.mjs';

/** By the class that a page has in them; in the last one, that of the third too. */
const THEMES = {
  'vscode-dark': 'Default Dark Modern',
  'vscode-light': 'Default Light Modern',
  'vscode-high-contrast': 'Default High Contrast',
  'vscode-high-contrast-light': 'Default High Contrast Light',
};
/** The contrast that WCAG level AA requires for text. */
const ENOUGH = 4.5;

export const themes = {
  title: 'Themes and the keyboard',
  workbench: { settings: { 'editor.inlayHints.enabled': 'off' }, height: 1000 },
  async steps(scene, step) {
    const { workbench, panel, graph } = scene;
    const inEach = async (name, page, also) => {
      const found = [];
      for (const [kind, theme] of Object.entries(THEMES)) {
        scene.settings({ 'workbench.colorTheme': theme });
        await until(theme, async () => (await page.locator('body').getAttribute('class')).split(' ').filter((it) => it in THEMES).toSorted().at(-1) === kind);
        await also?.();
        await scene.shot(`${name}-${kind}`);
        found.push(...(await faint(page, ENOUGH)).map((it) => `${theme}: ${it}`));
      }
      assert.deepEqual([...found, ...(await barriers(page))], []);
    };
    await step('a trace can be read in every theme', async () => {
      await workbench.open(scene.work, scene.file('nan.py'));
      await scene.lenses('Run', 1);
      await workbench.clickLens('Trace');
      await panel.outcome(/✓ Finished/);
      await panel.page.locator('.histogram').last().waitFor();
      await inEach('theme-trace', panel.page, () => until('the colour of NaN', () => panel.firstCellHas('--vscode-errorForeground')));
    });
    await step('all controls of the panel are reached by Tab, from the top down, and have names', async () => {
      await panel.button('▶ Run').focus();
      const order = await panel.tabOrder();
      const names = order.map(({ name }) => name);
      assert.ok(names.every((name) => name !== ''), JSON.stringify(order));
      for (const wanted of ['Trace', 'Seed', 'Run again on save', 'out', 'Copy as NumPy', 'Save .npy…', 'roots']) assert.ok(names.some((name) => name.startsWith(wanted)), `${wanted} among ${names.join(', ')}`);
      const tops = order.map(({ top }) => top);
      assert.deepEqual(tops.slice(2), tops.slice(2).toSorted((a, b) => a - b));
      return `${order.length} stops`;
    });
    await step('a graph can be read in every theme', async () => {
      await workbench.clickLens('Graph');
      await graph.drawn('the bindings', (found) => found.length === 6);
      await inEach('theme-graph', graph.page);
    });
  },
};
