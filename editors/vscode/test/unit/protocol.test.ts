// Reading what lenses carry and what the server answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readResult, readTarget, readTensor } from '../../src/protocol';

test('a lens names the dimensions to ask for', () => {
  const target = readTarget([{ uri: 'file:///a.py', function: 'Module.forward', line: 11, dims: ['n', 'm'] }]);
  assert.deepEqual(target, { uri: 'file:///a.py', function: 'Module.forward', line: 11, dims: ['n', 'm'], params: [] });
});

test('a lens says that it runs a PrimFunc', () => {
  const of = (kind: string): boolean | undefined => readTarget([{ uri: 'file:///a.py', function: 'f', kind }])?.primFunc;
  assert.deepEqual([of('primFunc'), of('function')], [true, undefined]);
});

test('a keybinding may give the values itself', () => {
  const target = readTarget([{ uri: 'file:///a.py', function: 'f', dims: { n: 16 }, seed: 7 }]);
  assert.deepEqual(target, { uri: 'file:///a.py', function: 'f', line: 0, dims: { n: 16 }, params: [], seed: 7 });
});

for (const args of [[], ['f'], [{ uri: 'file:///a.py' }], [null], [{ function: 'f' }]]) {
  test(`${JSON.stringify(args)} names no function`, () => assert.equal(readTarget(args), undefined));
}

test('every kind of output is read', () => {
  const result = readResult({
    ok: true,
    function: 'f',
    dims: { n: 2 },
    seconds: 0.5,
    stdout: 'hello\n',
    outputs: [
      { name: 'out.0', kind: 'tensor', shape: [2], dtype: 'float32', min: -1, max: 'inf', mean: null, nan: 1, inf: 1, first: [-1, 'inf'] },
      { name: 'out.1', kind: 'shape', values: [2, 3] },
      { name: 'out.2', kind: 'prim', value: true },
      { name: 'out.3', kind: 'string', value: 'a "b"' },
      { name: 'out.4', kind: 'object', what: 'closure g' },
      { name: 'out.5', kind: 'handle', of: 'g' },
      { name: 'out.6', kind: 'adt', constructor: 'Cons', fields: [{ kind: 'ref', value: { kind: 'prim', value: 1 } }, { kind: 'adt', constructor: 'Nil', fields: [] }] },
    ],
  });
  assert.deepEqual(result, {
    ok: true,
    function: 'f',
    dims: { n: 2 },
    seconds: 0.5,
    stdout: 'hello\n',
    outputs: [
      { kind: 'tensor', name: 'out.0', shape: [2], dtype: 'float32', nan: 1, inf: 1, first: [-1, 'inf'], min: -1, max: 'inf' },
      { kind: 'shape', name: 'out.1', values: [2, 3] },
      { kind: 'prim', name: 'out.2', value: true },
      { kind: 'other', name: 'out.3', text: '"a \\"b\\""' },
      { kind: 'other', name: 'out.4', text: 'closure g' },
      { kind: 'other', name: 'out.5', text: '{"kind":"handle","of":"g"}' },
      { kind: 'tree', name: 'out.6', head: 'Cons', fields: [{ kind: 'tree', head: 'ref', fields: [{ kind: 'prim', value: 1 }] }, { kind: 'tree', head: 'Nil', fields: [] }] },
    ],
  });
});

test('an error keeps its place', () => {
  const range = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };
  const result = readResult({ ok: false, cancelled: false, error: { message: 'shape', uri: 'file:///a.py', range } });
  assert.deepEqual(result, { ok: false, cancelled: false, error: { message: 'shape', uri: 'file:///a.py', range } });
});

test('a cancelled run may have no error at all', () => {
  assert.deepEqual(readResult({ ok: false, cancelled: true }), { ok: false, cancelled: true, error: { message: 'the run failed' } });
});

for (const answer of [undefined, null, 'done', [], { ok: 'yes' }]) {
  test(`${JSON.stringify(answer)} is not a result`, () => assert.equal(readResult(answer), undefined));
}

test('a lens names the parameters, and a keybinding their values', () => {
  const target = readTarget([{ uri: 'file:///a.py', function: 'f', params: [{ name: 'x', type: 'R.Tensor' }, {}], inputs: { x: 0.5, y: 'ones', z: {} } }]);
  assert.deepEqual(target?.params, [{ name: 'x', type: 'R.Tensor' }]);
  assert.deepEqual(target?.inputs, { x: '0.5', y: 'ones' });
});

test('a trace is read, as far as it is one', () => {
  const range = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };
  const value = { kind: 'shape', values: [2] };
  const trace = {
    bindings: [{ function: 'f', name: 'y', callee: 'relax.add', range, start: 0.25, seconds: 0.5, value, kept: 'binding.0' }, 'nonsense'],
    dropped: 2,
    profile: [{ callee: 'relax.add', calls: 1, seconds: 0.5 }],
    memory: { peak: 64 },
  };
  const result = readResult({ ok: false, error: { message: 'no' }, run: 7, folder: '/tmp/7', trace });
  assert.deepEqual(result, {
    ok: false,
    cancelled: false,
    error: { message: 'no' },
    run: 7,
    folder: '/tmp/7',
    trace: { bindings: [trace.bindings[0]], dropped: 2, profile: trace.profile, peak: 64 },
  });
});

test('a value without a shape is not a tensor', () => {
  assert.equal(readTensor({ dtype: 'float32' }), undefined);
  assert.deepEqual(readTensor({ shape: [2] })?.shape, [2]);
});
