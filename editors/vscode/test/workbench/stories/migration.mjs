// A file moves to another release of TVM.

import fs from 'node:fs';
import { until } from '../host.mjs';

const OLD = `from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.call_dps_packed("scale", (x,), out_sinfo=R.Tensor((4,), "float32"))
    return y
`;

export const migration = {
  title: 'A file moves to another release',
  async steps(scene, step) {
    const { workbench } = scene;
    fs.writeFileSync(scene.file('old.py'), OLD);
    await step('the command changes the text, and says so', async () => {
      await workbench.open(scene.work, scene.file('old.py'));
      await scene.lenses('Run', 1);
      await workbench.command('Relax: Migrate File to TVM');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'TVM 0.27' }).first().click();
      await until('the new spelling', async () => /out_ty=R\.Tensor/.test(await workbench.text()));
      await until('word of it', async () => (await workbench.notifications()).some((text) => text.includes('Migrated 1 file to TVM 0.27')));
    });
    await step('it is undone in one step', async () => {
      await workbench.click('main');
      await workbench.page.keyboard.press('Control+Z');
      await until('the old spelling', async () => /out_sinfo=R\.Tensor/.test(await workbench.text()));
    });
  },
};
