// An untrusted workspace: analysis works, nothing runs.

import assert from 'node:assert/strict';
import { until } from '../host.mjs';

const RESTRICTED = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };

export const trust = {
  title: 'An untrusted workspace',
  workbench: { trust: true, settings: RESTRICTED },
  async steps(scene, step) {
    const { workbench } = scene;
    await step('analysis works', async () => {
      await workbench.open(scene.work, scene.file('mlp.py'));
      await until('a hint', async () => /hidden: ?R\.Tensor/.test(await workbench.text()), 60_000);
    });
    await step('nothing can be run', async () => {
      assert.ok((await workbench.statusBar()).some((text) => /Restricted Mode/.test(text)));
      assert.deepEqual((await workbench.lenses()).filter((text) => text.includes('▶')), []);
      await scene.shot('untrusted');
    });
    await step('a graph is drawn, as nothing runs for it', async () => {
      await workbench.goTo(17);
      await workbench.command('Relax: Show Graph');
      await scene.graph.drawn('the bindings', (found) => found.includes('nn.relu active'));
    });
  },
};
