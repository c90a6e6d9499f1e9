// Which lines of a stage and of its source belong together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, readListing, sourceOf } from '../../src/stageLinks';

const at = (line: number, first: number, last: number) => ({ line, range: { start: { line: first, character: 0 }, end: { line: last, character: 9 } } });
const links = [at(0, 5, 20), at(1, 7, 8), at(2, 9, 9), at(3, 7, 8)];

test('a line of the stage leads to the lines of its source', () => {
  assert.deepEqual(sourceOf(links, 1), [7, 8]);
  assert.deepEqual(sourceOf(links, 9), []);
});

test('a line of the source leads to what was made of it, not of all around it', () => {
  assert.deepEqual(linesOf(links, 8), [1, 3]);
  assert.deepEqual(linesOf(links, 12), [0]);
  assert.deepEqual(linesOf(links, 30), []);
});

test('an answer without a text says so', () => assert.deepEqual(readListing(null), { text: '# The server has no answer.\n', links: [] }));
