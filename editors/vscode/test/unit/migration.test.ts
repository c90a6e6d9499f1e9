// How the extension uses the server's answer about a migration.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftLines, migration, outcome, releasesOf } from '../../src/migration';

const place = { start: { line: 6, character: 16 }, end: { line: 6, character: 40 } };
const left = { uri: 'file:///w/old.py', range: place, message: 'TVM 0.27 does not have `T.allocate_const`' };

test('an answer says what changes and what stays', () => {
  const found = migration({ edit: { documentChanges: [{}, {}] }, left: [left, { uri: 1 }] })!;
  assert.equal(found.files, 2);
  assert.deepEqual(leftLines(found.left, () => 'old.py'), ['old.py:7:17: TVM 0.27 does not have `T.allocate_const`']);
  assert.equal(outcome(found, 'TVM 0.27'), 'Migrated 2 files to TVM 0.27; 1 place has no equivalent.');
});

test('the older form of an edit is counted too', () => {
  const found = migration({ edit: { changes: { 'file:///w/old.py': [] } }, left: [] })!;
  assert.deepEqual([found.files, outcome(found, 'TVM 0.27')], [1, 'Migrated 1 file to TVM 0.27.']);
});

test('a migration without an edit says so', () => {
  const found = migration({ edit: {}, left: [] })!;
  assert.equal(outcome(found, 'TVM 0.27'), 'Nothing to migrate to TVM 0.27.');
});

test('an answer of another form is none', () => {
  for (const answer of [null, undefined, 'x', {}, { edit: {} }, { left: [] }]) assert.equal(migration(answer), undefined);
});

test('a file is migrated to a release, not to what the project says', () => {
  const choices = [{ label: '', description: 'in force', value: 'auto' }, { label: 'TVM 0.27', description: 'in force', value: '0.27' }, { label: 'RFC', description: '', value: 'rfc' }];
  assert.deepEqual(releasesOf(choices), [{ label: 'TVM 0.27', description: '', value: '0.27' }]);
});
