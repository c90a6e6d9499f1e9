// Tensors as NumPy source.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numpyText } from '../../src/runs/numpy';

test('rows stand below each other', () => {
  assert.equal(numpyText([1, 2, 3, 4], [2, 2], 'int32'), 'np.array([[1, 2],\n          [3, 4]], dtype=np.int32)');
});

test('floats have the digits of their own precision', () => {
  const tenth = Math.fround(0.1);
  assert.equal(numpyText([tenth, -2, 0.5], [3], 'float32'), 'np.array([0.1, -2.0, 0.5], dtype=np.float32)');
  assert.equal(numpyText([tenth], [1], 'float64'), 'np.array([0.10000000149011612], dtype=np.float64)');
  const hard = Math.fround(1 / 3);
  assert.equal(Math.fround(Number(/\[(.*)\]/.exec(numpyText([hard], [1], 'float32'))?.[1])), hard);
});

test('values that are not numbers have a name', () => {
  assert.equal(numpyText(['nan', 'inf', '-inf'], [3], 'float32'), 'np.array([np.nan, np.inf, -np.inf], dtype=np.float32)');
  assert.equal(numpyText([true, false], [2], 'bool'), 'np.array([True, False], dtype=np.bool_)');
});

test('a scalar has no brackets, an empty tensor keeps its shape', () => {
  assert.equal(numpyText([7], [], 'int64'), 'np.array(7, dtype=np.int64)');
  assert.equal(numpyText([], [0, 3], 'float32'), 'np.empty((0, 3), dtype=np.float32)');
});

test('a long row is broken', () => {
  const text = numpyText(Array.from({ length: 17 }, (_, at) => at), [17], 'int8');
  assert.deepEqual(text.split('\n'), ['np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,', '          16], dtype=np.int8)']);
});
