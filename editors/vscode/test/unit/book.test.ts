// The history of runs, and the differences between two of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output, RunResult } from '../../src/protocol';
import { shapeText } from '../../src/results';
import { type Run, RunBook, changes } from '../../src/runs/book';

const request = { uri: 'file:///a.py', function: 'f', line: 0, dims: {} };
const tensor = (name: string, more: Partial<Extract<Output, { kind: 'tensor' }>> = {}): Output => ({
  kind: 'tensor', name, shape: [2, 4], dtype: 'float32', min: 0, max: 1, mean: 0.5, nan: 0, inf: 0, first: [], ...more,
});
const run = (outputs: Output[]): Run => ({ id: 1, when: 0, traced: false, request, result: { ok: true, function: 'f', dims: {}, seconds: 1, outputs, stdout: '' } });

test('the newest run comes first, and the oldest goes when the server has forgotten it', () => {
  const book = new RunBook();
  const result: RunResult = { ok: false, cancelled: true, error: { message: '' } };
  for (let at = 0; at < 17; at += 1) book.add({ when: at, traced: false, request, result });
  assert.deepEqual([book.all.length, book.all[0]?.id, book.find(1)], [16, 17, undefined]);
  assert.equal(book.find(2)?.when, 1);
  book.clear();
  assert.equal(book.all.length, 0);
});

test('equal outputs have no differences', () => {
  assert.deepEqual(changes(run([tensor('out')]), run([tensor('out')])), []);
});

test('each difference is listed', () => {
  const after = tensor('out', { shape: [3, 4], dtype: 'float16', mean: 0.25, nan: 2 });
  assert.deepEqual(changes(run([tensor('out')]), run([after])), [
    { name: 'out', parts: ['shape (2, 4) → (3, 4)', 'dtype float32 → float16', 'mean 0.5 → 0.25', 'NaN 0 → 2'] },
  ]);
});

test('outputs come and go', () => {
  const found = changes(run([tensor('out')]), run([tensor('out.0'), { kind: 'prim', name: 'out.1', value: 1 }]));
  assert.deepEqual(found.map(({ name, parts }) => `${name}: ${parts}`), ['out.0: new', 'out.1: new', 'out: gone']);
});

test('a scalar that is another one has changed', () => {
  const prim = (value: number): Output => ({ kind: 'prim', name: 'out', value });
  assert.deepEqual(changes(run([prim(1)]), run([prim(2)])), [{ name: 'out', parts: ['changed'] }]);
  assert.deepEqual(changes(run([prim(1)]), run([prim(1)])), []);
});

test('shapes are tuples of Python', () => {
  assert.deepEqual([[], [3], [3, 4]].map(shapeText), ['()', '(3,)', '(3, 4)']);
});
