// An untrusted workspace: analysis works, nothing runs.

import assert from 'node:assert/strict';
import { until } from '../host.mjs';

const RESTRICTED = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };

export const trust = {
  title: 'An untrusted workspace',
  workbench: { trust: true, settings: RESTRICTED },
  async steps(scene, step) {
    const { workbench } = scene;
    await step('analysis works, by the server of the extension', async () => {
      scene.settings({ 'relax.server.path': scene.file('nothing-here') });
      await workbench.open(scene.work, scene.file('mlp.py'));
      await until('a hint', async () => /hidden: ?f32/.test(await workbench.text()), 60_000);
    });
    await step('nothing can be run', async () => {
      await until('word of it', async () => (await workbench.statusBar()).some((text) => /Restricted Mode/.test(text)));
      const lenses = await scene.lenses('Graph', 2);
      assert.deepEqual(lenses.filter((text) => /▶|Trace/.test(text)), []);
      assert.equal(await workbench.offers('Relax: Restart Server', 'Relax: '), true);
      assert.equal(await workbench.offers('Relax: Run Function', 'Relax: '), false);
      assert.equal(await workbench.offers('Relax: Trace Function', 'Relax: '), false);
      await scene.shot('untrusted');
    });
    await step('a graph is drawn, as nothing runs for it', async () => {
      await workbench.goTo(17);
      await workbench.command('Relax: Show Graph');
      await scene.graph.drawn('the bindings', (found) => found.includes('nn.relu active'));
    });
  },
};
