// The API tests of test/inhost, inside the extension host of the same workbench. The extension is loaded from its
// folder, as one under development is.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '../host.mjs';

const extension = path.join(import.meta.dirname, '..', '..', '..');
const told = path.join(os.tmpdir(), `relax-inhost-${process.pid}.json`);

export const api = {
  title: 'The API inside the extension host',
  // Without the test driver a built workbench does not run tests.
  workbench: { vsix: undefined, options: ['--vscode-option', 'enable-smoke-test-driver'], env: { RELAX_INHOST: told } },
  async steps(scene, step) {
    const { workbench } = scene;
    const remote = (file) => `vscode-remote://${new URL(workbench.url).host}${file}`;
    const payload = [['extensionDevelopmentPath', remote(extension)], ['extensionTestsPath', remote(path.join(extension, 'test', 'inhost', 'api.cjs'))]];
    await workbench.page.goto(`${workbench.url}/?${new URLSearchParams({ folder: scene.work, payload: JSON.stringify(payload) })}`);
    await until('the tests to end', () => fs.existsSync(told), 180_000);
    const results = JSON.parse(fs.readFileSync(told, 'utf8'));
    fs.rmSync(told);
    for (const { name, took, problem } of results.sort((a, b) => Number(a.problem !== undefined) - Number(b.problem !== undefined))) {
      await step(name, () => {
        assert.equal(problem, undefined, problem);
        return `${took} ms there`;
      });
    }
  },
};
