// Debugs a program beside another file with VS Code's own client for tests of debug adapters.
//   npm run test:debugger [-- --server FILE]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DebugClient } from '@vscode/debugadapter-testsupport';

const root = path.join(import.meta.dirname, '..', '..', '..');
const { values: options } = parseArgs({ options: { server: { type: 'string' } } });
const server = path.resolve(options.server ?? process.env.RELAX_LSP ?? path.join(process.env.CARGO_TARGET_DIR ?? path.join(root, 'target'), 'release', `relax-lsp${process.platform === 'win32' ? '.exe' : ''}`));

/** A program whose second binding calls a PrimFunc that never ends. */
const ENDLESS = `from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def k(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        while T.bool(True):
            B[0] = A[1]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        z = R.add(x, x)
        y = R.call_tir(cls.k, (z,), out_sinfo=R.Tensor((4,), "float32"))
        return y
`;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'debugger-'));
const [main, other] = ['main.py', 'other.py'].map((name) => path.join(folder, name));
for (const file of [main, other]) fs.writeFileSync(file, ENDLESS);

const adapter = spawn(server, ['dap'], { stdio: ['pipe', 'pipe', 'inherit'] });
const client = new DebugClient('', '', 'relax');
client.connect(adapter.stdout, adapter.stdin);

async function setBreakpoints(file, ...lines) {
  const asked = { source: { path: file }, breakpoints: lines.map((line) => ({ line })) };
  const { body } = await client.setBreakpointsRequest(asked);
  return body.breakpoints.map((it) => it.verified && it.line);
}

async function configure() {
  await client.waitForEvent('initialized');
  assert.deepEqual(await setBreakpoints(main, 14, 2, 13), [14, false, 13]);
  assert.deepEqual(await setBreakpoints(other, 14), [false]);
  assert.deepEqual(await setBreakpoints(other), []);
  await client.configurationDoneRequest();
}

await Promise.all([
  configure(),
  client.initializeRequest().then(() => client.launchRequest({ program: main, function: 'Module.main' })),
  client.assertStoppedLocation('breakpoint', { path: main, line: 13 }),
]);
await Promise.all([
  client.continueRequest({ threadId: 1 }),
  client.assertStoppedLocation('breakpoint', { path: main, line: 14 }),
]);
for (let time = 0; time < 4; time++) {
  await client.continueRequest({ threadId: 1 });
  await Promise.all([
    client.pauseRequest({ threadId: 1 }),
    client.assertStoppedLocation('pause', { path: main, line: 14 }),
  ]);
}
const ended = new Promise((resolve) => adapter.on('exit', resolve));
await client.disconnectRequest({});
assert.equal(await ended, 0);
fs.rmSync(folder, { recursive: true });
console.log('two files debugged');
process.exit(0);
