// “What If…”: values are assumed of shape variables, and hints, lenses and mistakes answer at once.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../host.mjs';

const PLANNED = path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'tests', 'fixtures', 'passes', 'mlp', '021_KillAfterLastUse.py');

/** `y` has 16 rows, `x` has `n`. */
const ROWS = `from tvm.script import relax as R


@R.function
def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((16, 4), "float32")):
    z = R.add(x, y)
    return z
`;

export const whatIf = {
  title: 'What if a shape variable has a value',
  workbench: { settings: { 'workbench.colorTheme': 'Default Dark Modern' } },
  async steps(scene, step) {
    const { workbench } = scene;
    fs.writeFileSync(scene.file('rows.py'), ROWS);
    fs.copyFileSync(PLANNED, scene.file('planned.py'));
    const assume = async (typed) => {
      await workbench.command('Relax: What If');
      const question = workbench.input().filter({ hasText: 'Values of shape variables' });
      await question.locator('input').first().fill(typed);
      await workbench.page.keyboard.press('Enter');
      await workbench.input().waitFor({ state: 'hidden' });
    };
    await step('without assumptions no costs are shown', async () => {
      await workbench.open(scene.work, scene.file('rows.py'));
      await scene.lenses('Run', 1);
      assert.doesNotMatch(await workbench.allText(), /FLOP/);
      assert.equal(await workbench.squiggles(), 0);
    });
    await step('what fails at the assumed value is underlined', async () => {
      await assume('n=8');
      await until('a mistake', async () => (await workbench.squiggles()) > 0);
      await scene.picture('what-if-mistake');
    });
    await step('at another value it is well, and has its cost', async () => {
      await assume('n=16, batch=8');
      await until('no mistake', async () => (await workbench.squiggles()) === 0);
      await until('the cost of the binding', async () => /64 FLOP,/.test(await workbench.allText()));
      return (await scene.lenses('at n = 16', 1)).join(' | ');
    });
    await step('a function with a memory plan shows its peak', async () => {
      await workbench.openFile('planned.py');
      await workbench.command('Go to Symbol in Editor');
      await workbench.page.keyboard.insertText('forward');
      await workbench.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'forward' }).waitFor();
      await workbench.page.keyboard.press('Enter');
      const [lens] = await scene.lenses('planned', 1);
      assert.match(lens, /401\.62 KiB planned \(batch \* 592 \+ 406528\), 396 KiB at once at n = 16, batch = 8/);
      await scene.picture('what-if');
      return lens;
    });
    await step('an empty answer takes the assumption back', async () => {
      await assume('');
      await until('no costs', async () => (await workbench.lenses()).every((it) => !it.includes('FLOP')));
    });
  },
};
