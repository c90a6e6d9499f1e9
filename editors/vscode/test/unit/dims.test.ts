// Values of dimensions: what may be typed, what is remembered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DimMemory, dimProblem, parseDim, type Store } from '../../src/dims';

function store(): Store & { values: Map<string, unknown> } {
  const values = new Map<string, unknown>();
  return {
    values,
    get: <T>(key: string) => values.get(key) as T | undefined,
    update: async (key, value) => void values.set(key, JSON.parse(JSON.stringify(value))),
  };
}

for (const typed of ['1', ' 16 ', '2147483647']) test(`“${typed}” is a dimension`, () => assert.equal(dimProblem(typed), undefined));
for (const typed of ['', '0', '-1', '1.5', '1e3', 'n', '2147483648', '٣']) {
  test(`“${typed}” is none, and says why`, () => assert.match(dimProblem(typed) ?? '', /\.$/));
}

test('a typed dimension is a number without its blanks', () => {
  assert.equal(parseDim(' 16 '), 16);
  assert.equal(parseDim('x'), undefined);
});

test('what was typed last comes back, per function and per file', async () => {
  const memory = new DimMemory(store());
  await memory.remember('file:///a.py', 'M.f', { n: 2 });
  await memory.remember('file:///a.py', 'M.g', { n: 3 });
  await memory.remember('file:///a.py', 'M.f', { n: 4 });
  assert.deepEqual(memory.recall('file:///a.py', 'M.f'), { n: 4 });
  assert.deepEqual(memory.recall('file:///a.py', 'M.g'), { n: 3 });
  assert.deepEqual(memory.recall('file:///b.py', 'M.f'), {});
});

test('a dimension that is gone for one edit is still known afterwards', async () => {
  const memory = new DimMemory(store());
  await memory.remember('file:///a.py', 'f', { n: 2, m: 8 });
  await memory.remember('file:///a.py', 'f', { n: 5 });
  assert.deepEqual(memory.recall('file:///a.py', 'f'), { n: 5, m: 8 });
});

test('the memory is bounded and forgets what ran longest ago', async () => {
  const kept = store();
  const memory = new DimMemory(kept);
  for (let index = 0; index < 250; index += 1) await memory.remember('file:///a.py', `f${index}`, { n: index + 1 });
  assert.equal((kept.values.get('relax.dims') as unknown[]).length, 200);
  assert.deepEqual(memory.recall('file:///a.py', 'f0'), {});
  assert.deepEqual(memory.recall('file:///a.py', 'f249'), { n: 250 });
});

test('what another version stored does no harm', () => {
  const kept = store();
  kept.values.set('relax.dims', 'nonsense');
  assert.deepEqual(new DimMemory(kept).recall('file:///a.py', 'f'), {});
});
