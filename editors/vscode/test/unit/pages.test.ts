// Addresses of the pages about diagnostics.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PAGE_SCHEME, codeOfPage, pageOf } from '../../src/pages';

test('a page is named by its code', () => {
  assert.equal(pageOf('shape-mismatch'), 'relax-explain:/shape-mismatch.md');
  assert.equal(codeOfPage('/shape-mismatch.md'), 'shape-mismatch');
});

test('only codes are sent to the server', () => {
  for (const path of ['/--help.md', '/../x.md', '/a b.md', '/.md']) assert.equal(codeOfPage(path), undefined, path);
});

test('the manifest shows pages as previews', () => {
  const { contributes } = JSON.parse(readFileSync(join(__dirname, '..', '..', '..', 'package.json'), 'utf8'));
  const shown = contributes.configurationDefaults['workbench.editorAssociations'];
  assert.deepEqual(shown, { [`${PAGE_SCHEME}:/**`]: 'vscode.markdown.preview.editor' });
});
