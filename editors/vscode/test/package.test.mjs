// The packaged extension: what is inside, and how large it is. Run after `npm run package`, or with VSIX=FILE for a
// package that is released.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import yauzl from 'yauzl';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const released = process.env.VSIX;
const vsix = released ?? path.join(here, `${manifest.name}-${manifest.version}.vsix`);
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
    'extension/THIRD_PARTY_NOTICES.txt',
    'extension/changelog.md',
    'extension/dist/extension.js',
    'extension/dist/graph.css',
    'extension/dist/graph.js',
    'extension/dist/panel.css',
    'extension/dist/panel.js',
    'extension/media/example.py',
    'extension/media/walkthrough/beside.md',
    'extension/media/walkthrough/mend.md',
    'extension/media/walkthrough/open.md',
    'extension/media/walkthrough/read.md',
    'extension/media/walkthrough/run.md',
    'extension/media/walkthrough/trace.md',
    'extension/package.json',
    'extension/readme.md',
    `extension/server/relax-lsp${exe}`,
    'extension/snippets/tvmscript.json',
    'extension/syntaxes/tvm-relay.json',
    'extension/syntaxes/tvm-relay.language.json',
    'extension/syntaxes/tvmscript.injection.json',
  ]);
});

test('the licences of what others wrote come along, of the server and of the extension', () => {
  const notices = fs.readFileSync(path.join(here, 'THIRD_PARTY_NOTICES.txt'), 'utf8');
  for (const work of ['vscode-languageclient', 'tower-lsp-server', 'cranelift-jit']) {
    assert.match(notices, new RegExp(`^${work} \\d`, 'm'));
  }
});

test('the server inside can be started', { skip: process.platform === 'win32' && 'Windows has no mode' }, () => {
  assert.equal(inside.get('extension/server/relax-lsp').mode & 0o111, 0o111);
});

const readme = fs.readFileSync(path.join(here, 'README.md'), 'utf8');
/** The rows below a heading of the README, as cells. */
function table(heading) {
  const section = readme.split(`## ${heading}\n`)[1].split('\n## ')[0];
  const rows = section.split('\n').filter((line) => line.startsWith('|')).slice(2);
  return rows.map((row) => row.split('|').slice(1, -1).map((cell) => cell.trim()));
}

test('the extension is as small as its README says', () => {
  const limits = table('Size');
  assert.equal(limits.length, 6);
  for (const [part, most] of limits) {
    const file = /`(.*)`/.exec(part)?.[1];
    if (file === undefined && released === undefined) {
      console.log(`skipped: size of the package: its server is compiled for tests`);
      continue;
    }
    const size = file === undefined ? fs.statSync(vsix).size : inside.get(`extension/${file}`).size;
    const [amount, unit] = most.split(' ');
    console.log(`${part}: ${(size / 1024).toFixed(0)} KB, at most ${most}`);
    assert.ok(size <= Number(amount) * { KB: 1 << 10, MB: 1 << 20 }[unit], `${part}: ${size} bytes`);
  }
});

test('the README says why each dependency is there', () => {
  const named = table('Dependencies').flatMap(([packages]) => [...packages.matchAll(/`([^`]+)`/g)].map((match) => match[1]));
  assert.deepEqual(named.sort(), Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).sort());
});

test('the README names every command', () => {
  const named = table('Commands').map(([title]) => title);
  assert.deepEqual(named.sort(), manifest.contributes.commands.map(({ category, title }) => `${category}: ${title}`).sort());
});

test('everything the manifest points to is there', () => {
  const { main, contributes } = manifest;
  const steps = contributes.walkthroughs.flatMap((it) => it.steps);
  const named = [main, ...contributes.grammars.map((it) => it.path), ...contributes.snippets.map((it) => it.path), ...steps.map((it) => it.media.markdown)];
  for (const file of named) assert.ok(inside.has(path.posix.join('extension', file)), file);
});

test('the walkthrough offers commands that exist', () => {
  const known = new Set(manifest.contributes.commands.map((it) => it.command));
  const texts = manifest.contributes.walkthroughs.flatMap((it) => it.steps.map((step) => step.description));
  const offered = texts.flatMap((text) => [...text.matchAll(/\(command:([\w.]+)\)/g)].map((match) => match[1]));
  assert.ok(offered.length >= 5);
  for (const command of offered) assert.ok(known.has(command), command);
});

test('every command of the manifest is known to the code', () => {
  const bundle = fs.readFileSync(path.join(here, 'dist', 'extension.js'), 'utf8');
  for (const { command } of manifest.contributes.commands) assert.ok(bundle.includes(`"${command}"`), command);
});
