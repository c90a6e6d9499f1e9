// The packaged extension: what is inside, and how large it is. Run after `npm run package`.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import yauzl from 'yauzl';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const vsix = path.join(here, `${manifest.name}-${manifest.version}.vsix`);
const exe = process.platform === 'win32' ? '.exe' : '';

/** Name → size and Unix mode. */
function entries(file) {
  return new Promise((resolve, reject) => {
    yauzl.open(file, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      const found = new Map();
      zip.on('entry', (entry) => {
        found.set(entry.fileName, { size: entry.uncompressedSize, mode: entry.externalFileAttributes >>> 16 });
        zip.readEntry();
      });
      zip.on('end', () => resolve(found));
      zip.on('error', reject);
      zip.readEntry();
    });
  });
}

const inside = await entries(vsix);

test('the package holds the extension and nothing else', () => {
  assert.deepEqual([...inside.keys()].sort(), [
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/changelog.md',
    'extension/dist/extension.js',
    'extension/package.json',
    'extension/readme.md',
    `extension/server/relax-lsp${exe}`,
    'extension/snippets/tvmscript.json',
    'extension/syntaxes/tvmscript.injection.json',
  ]);
});

test('the server inside can be started', { skip: process.platform === 'win32' && 'Windows has no mode' }, () => {
  assert.equal(inside.get('extension/server/relax-lsp').mode & 0o111, 0o111);
});

test('the extension itself stays small', () => {
  const { size } = inside.get('extension/dist/extension.js');
  console.log(`dist/extension.js ${(size / 1024).toFixed(0)} KB, package ${(fs.statSync(vsix).size / 1024 / 1024).toFixed(1)} MB`);
  assert.ok(size < 700 * 1024, `${size} bytes`);
  assert.ok(fs.statSync(vsix).size < 30 * 1024 * 1024);
});

test('everything the manifest points to is there', () => {
  const { main, contributes } = manifest;
  const named = [main, ...contributes.grammars.map((it) => it.path), ...contributes.snippets.map((it) => it.path)];
  for (const file of named) assert.ok(inside.has(path.posix.join('extension', file)), file);
});

test('every command of the manifest is known to the code', () => {
  const bundle = fs.readFileSync(path.join(here, 'dist', 'extension.js'), 'utf8');
  for (const { command } of manifest.contributes.commands) assert.ok(bundle.includes(`"${command}"`), command);
});
