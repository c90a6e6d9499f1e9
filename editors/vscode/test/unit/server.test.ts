// Tests which binary is started.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findServer, type Places } from '../../src/server';

function places(files: string[], rest: Partial<Places> = {}): Places {
  return {
    setting: '',
    extensionFolder: '/ext',
    home: '/h',
    searchPath: '/usr/bin::/opt/bin',
    platform: 'linux',
    exists: (file) => files.includes(file),
    ...rest,
  };
}

const bundled = '/ext/server/relax-lsp';
const installed = '/opt/bin/relax-lsp';

test('the server that came along is used', () => {
  assert.deepEqual(findServer(places([bundled, installed])), { kind: 'found', file: bundled, from: 'extension' });
});

test('without one, the PATH is searched', () => {
  assert.deepEqual(findServer(places([installed])), { kind: 'found', file: installed, from: 'PATH' });
});

test('a setting wins over both', () => {
  const setting = '~/build/relax-lsp';
  assert.deepEqual(findServer(places([bundled, installed, '/h/build/relax-lsp'], { setting })), {
    kind: 'found',
    file: '/h/build/relax-lsp',
    from: 'setting',
  });
});

test('the selected Python environment comes before the server that came along', () => {
  const file = '/p/.venv/bin/relax-lsp';
  const environment = '/p/.venv/bin';
  assert.deepEqual(findServer(places([bundled, file], { environment })), { kind: 'found', file, from: 'Python environment' });
  assert.deepEqual(findServer(places([bundled], { environment })), { kind: 'found', file: bundled, from: 'extension' });
});

test('a bare name in the setting is a command', () => {
  assert.deepEqual(findServer(places(['/usr/bin/relax-lsp-next', bundled], { setting: 'relax-lsp-next' })), {
    kind: 'found',
    file: '/usr/bin/relax-lsp-next',
    from: 'setting',
  });
});

test('a wrong setting is reported, not passed over', () => {
  const found = findServer(places([bundled], { setting: '/gone/relax-lsp' }));
  assert.equal(found.kind, 'missing');
  assert.match(found.kind === 'missing' ? found.why : '', /relax\.server\.path says “\/gone\/relax-lsp”/);
});

test('a missing server is reported', () => {
  assert.equal(findServer(places([])).kind, 'missing');
});

test('on Windows the binary ends in .exe', () => {
  const file = 'C:\\ext\\server\\relax-lsp.exe';
  assert.deepEqual(findServer(places([file], { platform: 'win32', extensionFolder: 'C:\\ext', searchPath: '' })), {
    kind: 'found',
    file,
    from: 'extension',
  });
  const chosen = 'D:\\relax-lsp.exe';
  assert.equal(findServer(places([chosen], { platform: 'win32', setting: 'D:\\relax-lsp' })).kind, 'found');
});
