// A pass in Python, without TVMScript, in a project that pins a release of TVM.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { until } from '../host.mjs';

const PASS = `from tvm import relax
from tvm.relax.expr_functor import PyExprMutator, mutator


@mutator
class Rewriter(PyExprMutator):
    def visit_constant_(self, op):
        return relax.Constant(op.data)
`;

export const pythonNames = {
  title: 'A pass for another release of TVM',
  async steps(scene, step) {
    const { workbench } = scene;
    await step('names that the pinned release lacks are marked', async () => {
      fs.writeFileSync(scene.file('pyproject.toml'), '[project]\nname = "passes"\nversion = "1"\ndependencies = ["apache-tvm==0.27.0"]\n');
      fs.writeFileSync(scene.file('rewrite.py'), PASS);
      await workbench.open(scene.work, scene.file('rewrite.py'));
      await until('two squiggles', async () => (await workbench.squiggles()) === 2, 60_000);
      await scene.shot('python-names');
    });
    await step('a name of the release has none', async () => {
      await workbench.replaceWord('Constant', 'Call');
      await until('one squiggle', async () => (await workbench.squiggles()) === 1);
      assert.match(await workbench.text(), /relax\.Call\(op\.data\)/);
    });
  },
};
