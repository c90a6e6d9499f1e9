// The panel's page and what it says of cells.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from '../../src/panel/html';
import type { Slice } from '../../src/protocol';
import { describe } from '../../webview/cells';
import { colourOf, inkOn, scaleOf } from '../../webview/colours';

const sources = { title: 'Relax Run', script: 'https://host/panel.js', style: 'https://host/panel.css', origin: 'https://host' };

test('the page loads its own script and style, and nothing else', () => {
  const html = page(sources);
  const nonce = /script-src 'nonce-([^']+)'/.exec(html)?.[1];
  assert.ok(nonce !== undefined && nonce.length >= 22);
  assert.ok(html.includes(`<script nonce="${nonce}" src="https://host/panel.js">`));
  assert.match(html, /content="default-src 'none'; style-src https:\/\/host; img-src data:; script-src 'nonce-/);
  assert.doesNotMatch(html, /unsafe/);
});

test('each page has a nonce of its own', () => assert.notEqual(page(sources), page(sources)));

const slice: Slice = { rows: 1, columns: 2, at: [3, 0, 0], part: [0, 0, 2, 2], pool: [1, 1], values: [[1, 'nan'], [0.25, -2]] };

test('a cell is named by all its indices', () => {
  assert.equal(describe(slice, 1, 0), '[3, 1, 0] = 0.25');
  assert.equal(describe(slice, 0, 1), '[3, 0, 1] = nan');
});

test('a pooled cell says which elements it stands for', () => {
  const pooled: Slice = { ...slice, part: [10, 0, 5, 4], pool: [4, 4], values: [[1], [2]] };
  assert.equal(describe(pooled, 1, 0), '[3, 14:15, 0:4] largest magnitude 2');
});

test('values of both signs have zero in the middle', () => {
  assert.deepEqual(scaleOf(-1, 3), { from: -3, to: 3, diverging: true });
  assert.deepEqual(colourOf(0, scaleOf(-1, 3)), [247, 247, 247]);
});

test('values of one sign go from dark to bright', () => {
  const scale = scaleOf(0, 1);
  assert.equal(scale.diverging, false);
  assert.deepEqual([colourOf(0, scale), colourOf(1, scale)], [[68, 1, 84], [253, 231, 37]]);
  assert.deepEqual([inkOn(colourOf(0, scale)), inkOn(colourOf(1, scale))], ['white', 'black']);
});

test('one value has a colour too', () => assert.equal(colourOf(5, scaleOf(5, 5)).length, 3));
