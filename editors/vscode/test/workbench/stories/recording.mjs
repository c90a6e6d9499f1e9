// A program that was recorded: what its lines made, and the way to the module.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../host.mjs';

const EXAMPLE = path.join(import.meta.dirname, '../../../../../examples/digits');

export const recording = {
  title: 'A program that was recorded',
  async steps(scene, step) {
    const { workbench } = scene;
    await step('a program that imports a model can be recorded', async () => {
      fs.cpSync(EXAMPLE, scene.file('digits'), { recursive: true });
      await workbench.open(scene.work, scene.file('digits/build.py'));
      await scene.lenses('Record', 1);
      const line = await until('its type', async () => (await workbench.text()).split('\n').find((it) => /from_exported_program\(exported\).*f32\[1, 10\]/.test(it)));
      await scene.shot('recording-program');
      return line.trim();
    });
    await step('each line of the model says what it made, behind its code', async () => {
      await workbench.openFile('model.py');
      const text = await until('types', async () => {
        const found = await workbench.text();
        return /max_pool2d\(x, 2\) ?f32\[1, 32, 4, 4\]/.test(found) && found;
      });
      assert.match(text, /self\.conv\(x\)\)\) ?f32\[1, 16, 8, 8\], f32\[1, 32, 8, 8\] ×2/);
      await scene.shot('recording-model');
    });
    await step('a changed line says nothing, the others still do', async () => {
      await workbench.replaceWord('max_pool2d', 'avg_pool2d');
      await until('no type there', async () => /avg_pool2d\(x, 2\)$/m.test(await workbench.text()));
      assert.match(await workbench.text(), /first\(image\)\) ?f32\[1, 32, 8, 8\]/);
    });
  },
};
