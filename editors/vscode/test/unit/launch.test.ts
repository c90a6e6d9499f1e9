// The launch configuration of the debugger.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed, launchOf } from '../../src/debug/launch';

const FORM = { dims: { n: 8 }, inputs: { x: 'ones' }, weights: ['w.npz'], seed: 3 };

test('a function is launched with the values of its last run', () => {
  const { type, program, dims, inputs, params, seed } = launchOf('/m.py', 'Module.main', FORM, true);
  assert.deepEqual({ type, program, dims, inputs, params, seed }, { type: 'relax', program: '/m.py', dims: { n: 8 }, inputs: { x: 'ones' }, params: ['w.npz'], seed: 3 });
});

test('without a breakpoint it stops at the first statement', () => {
  assert.equal(launchOf('/m.py', 'main', FORM, false).stopOnEntry, true);
  assert.equal(launchOf('/m.py', 'main', FORM, true).stopOnEntry, false);
});

test('the settings fill in what a configuration leaves out', () => {
  assert.deepEqual(completed({}, { dim: 4, tvm: undefined }), { defaultDim: 4 });
  assert.deepEqual(completed({ defaultDim: 2, tvm: '0.19' }, { dim: 4, tvm: '0.25' }), { defaultDim: 2, tvm: '0.19' });
  assert.deepEqual(completed({}, { dim: 4, tvm: '0.25' }), { defaultDim: 4, tvm: '0.25' });
});
