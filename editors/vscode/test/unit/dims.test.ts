// What may be typed for a dimension.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dimProblem } from '../../src/dims';

for (const typed of ['', ' ', 'n', '1.5', '-3', '0', '4e3', '2147483648']) {
  test(`“${typed}” is no dimension`, () => assert.notEqual(dimProblem(typed), undefined));
}

test('a whole number is a dimension', () => assert.equal(dimProblem(' 16 '), undefined));
