// The last values typed for each function.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Form } from '../../src/panel/messages';
import { FormMemory, type Store } from '../../src/runs/memory';

class Shelf implements Store {
  readonly #kept = new Map<string, unknown>();
  get<T>(key: string): T | undefined {
    return this.#kept.get(key) as T | undefined;
  }
  async update(key: string, value: unknown): Promise<void> {
    this.#kept.set(key, structuredClone(value));
  }
}

const form = (dims: Record<string, number>): Form => ({ dims, inputs: { x: 'ones' }, weights: [], seed: 3, rerunOnSave: true, turn: 1 });

test('a function has its own values', async () => {
  const memory = new FormMemory(new Shelf());
  await memory.remember('file:///a.py', 'f', form({ n: 2 }));
  assert.deepEqual(memory.recall('file:///a.py', 'f'), form({ n: 2 }));
  assert.deepEqual(memory.recall('file:///a.py', 'g'), {});
  assert.deepEqual(memory.recall('file:///b.py', 'f'), {});
});

test('a dimension that is gone for an edit comes back with its value', async () => {
  const memory = new FormMemory(new Shelf());
  await memory.remember('file:///a.py', 'f', form({ n: 2, m: 3 }));
  await memory.remember('file:///a.py', 'f', form({ m: 4 }));
  assert.deepEqual(memory.recall('file:///a.py', 'f').dims, { n: 2, m: 4 });
});

test('what ran longest ago is forgotten first', async () => {
  const memory = new FormMemory(new Shelf());
  for (let at = 0; at <= 200; at += 1) await memory.remember('file:///a.py', `f${at}`, form({ n: at }));
  assert.deepEqual(memory.recall('file:///a.py', 'f0'), {});
  assert.equal(memory.recall('file:///a.py', 'f1').dims?.n, 1);
});

test('data that another version stored does not cause an error', () => {
  const shelf = new Shelf();
  void shelf.update('relax.forms', 'nonsense');
  assert.deepEqual(new FormMemory(shelf).recall('file:///a.py', 'f'), {});
});
