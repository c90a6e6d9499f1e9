// Tests which texts are valid dimensions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dimProblem, readDims, showDims } from '../../src/dims';

for (const typed of ['', ' ', 'n', '1.5', '-3', '0', '4e3', '2147483648']) {
  test(`“${typed}” is not a dimension`, () => assert.notEqual(dimProblem(typed), undefined));
}

test('a whole number is a dimension', () => assert.equal(dimProblem(' 16 '), undefined));

test('several are read as they are written, and shown so', () => {
  assert.deepEqual(readDims(' n = 2048,batch=8, '), { n: 2048, batch: 8 });
  assert.deepEqual(readDims(''), {});
  assert.equal(showDims({ n: 2048, batch: 8 }), 'n=2048, batch=8');
});

test('an invalid dimension is explained', () => {
  assert.equal(readDims('n'), 'Write name=value, not “n”.');
  assert.equal(readDims('n=4, m=x'), 'm: A dimension is a positive whole number.');
});
