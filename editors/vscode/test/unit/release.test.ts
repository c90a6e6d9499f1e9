// The text of the status item for a file's release.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileRelease, releaseChoices, shown } from '../../src/release';

test('the item shows the target and where it comes from', () => {
  const answer = { since: '0.25', until: '0.25', target: { release: '0.25', origin: 'the setting `relax.tvm`' } };
  assert.deepEqual(shown(fileRelease(answer)!), { text: 'TVM 0.25', detail: 'by the setting relax.tvm' });
});

test('without a target it shows what the file leaves', () => {
  assert.deepEqual(shown({ since: '0.24', until: '0.25' }), { text: 'TVM 0.24 to 0.25', detail: 'by what the file uses' });
  assert.equal(shown({ since: 'rfc', until: 'rfc' }).text, 'rfc');
});

test('an answer of another form is none', () => {
  for (const answer of [null, undefined, 'x', {}, { since: 1, until: '0.25' }]) assert.equal(fileRelease(answer), undefined);
  assert.deepEqual(fileRelease({ since: '0.24', until: '0.25', target: null }), { since: '0.24', until: '0.25' });
});

test('every release of the setting can be chosen, the newest first', () => {
  const { contributes } = JSON.parse(readFileSync(join(__dirname, '..', '..', '..', 'package.json'), 'utf8'));
  const setting = contributes.configuration.properties['relax.tvm'];
  const choices = releaseChoices(setting, '0.19');
  assert.equal(choices.length, setting.enum.length);
  assert.deepEqual(choices.map((it) => it.value).slice(0, 2), ['auto', '0.27']);
  assert.deepEqual(choices.filter((it) => it.description !== '').map((it) => it.value), ['0.19']);
});
