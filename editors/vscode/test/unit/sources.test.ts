// The sources that the form offers for a parameter.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from '../../src/panel/sources';
import { FormMemory, type Store } from '../../src/runs/memory';
import { Runs } from '../../src/runs/runs';

const values = (type: string, objects: readonly string[], now?: string): string[] =>
  sources(type, objects, true, now).map(([value]) => value).filter((it) => it.startsWith('$'));

test('an object can be what an earlier run gave, and a tensor cannot', () => {
  assert.deepEqual(values('R.Object', ['Module.make']), ['$Module.make']);
  assert.deepEqual(values('R.Any', ['Module.make']), ['$Module.make']);
  assert.deepEqual(values('R.Tensor(("n",), dtype="float32")', ['Module.make']), []);
  assert.deepEqual(values('R.Shape(["n"])', ['Module.make']), []);
});

test('what is chosen stays a choice when it is gone', () => {
  assert.deepEqual(values('R.Object', [], '$Module.make'), ['$Module.make']);
  assert.deepEqual(values('R.Object', ['Module.make'], '$Module.make'), ['$Module.make']);
});

test('without files none is offered', () => {
  assert.ok(!sources('R.Object', [], false, undefined).some(([value]) => value === 'file'));
});

const memory = new Map<string, unknown>();
const store: Store = { get: <T>(key: string) => memory.get(key) as T | undefined, update: async (key, value) => void memory.set(key, value) };

test('the objects of a document are those of its last answer, until the server is gone', async () => {
  const answers = [['Module.make'], ['Module.make', 'Module.state'], undefined];
  const ask = async (): Promise<unknown> => ({ ok: true, function: 'f', dims: {}, seconds: 1, outputs: [], stdout: '', objects: answers.shift() });
  const runs = new Runs({ ask, defaults: () => ({ dim: 16, seed: 0 }), warn: () => undefined }, new FormMemory(store));
  runs.about({ uri: 'file:///a.py', function: 'f', line: 0, dims: [], params: [] });
  const seen: (readonly string[] | undefined)[] = [];
  for (let at = 0; at < 3; at += 1) {
    await runs.start('run');
    seen.push(runs.state()?.objects);
  }
  assert.deepEqual(seen, [['Module.make'], ['Module.make', 'Module.state'], []]);
});
