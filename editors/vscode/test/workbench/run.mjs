// Drives the packaged extension in a real VS Code workbench, as a user would, and prints what it saw.
//   npm run test:workbench [-- --vsix FILE] [-- --only REGEXP]
// Pictures go to target/workbench/shots; the host is installed into target/workbench, or taken from the
// folder in WORKBENCH_HOST.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { start, until } from './host.mjs';
import { install } from './install.mjs';

const here = import.meta.dirname;
const extension = path.join(here, '..', '..');
const scratch = path.join(extension, '..', '..', 'target', 'workbench');
const shots = path.join(scratch, 'shots');
const { values: options } = parseArgs({ options: { vsix: { type: 'string' }, only: { type: 'string', default: '' } } });
const { name, version } = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
const vsix = path.resolve(options.vsix ?? path.join(extension, `${name}-${version}.vsix`));
if (!fs.existsSync(vsix)) {
  console.error(`${vsix} is not there: npm run package`);
  process.exit(2);
}

const host = install(process.env.WORKBENCH_HOST ?? scratch);
/** A copy of the example files, so that nothing a test types reaches the repository. */
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'relax-files-'));
fs.cpSync(path.join(here, 'files'), work, { recursive: true });
const mlp = path.join(work, 'mlp.py');

let failed = 0;

async function story(title, wanted, steps) {
  if (!new RegExp(options.only).test(title)) return;
  console.log(title);
  const workbench = await start(host, { vsix, ...wanted });
  const step = async (what, act) => {
    const before = Date.now();
    try {
      const note = await act();
      console.log(`  ok   ${what} (${Date.now() - before} ms)${note === undefined ? '' : `: ${note}`}`);
    } catch (error) {
      failed += 1;
      console.log(`  FAIL ${what}: ${error.message}`);
      await workbench.shot(path.join(shots, `fail-${failed}.png`)).catch(() => undefined);
      throw error;
    }
  };
  try {
    await steps(workbench, step);
  } catch {
    fs.mkdirSync(shots, { recursive: true });
    fs.writeFileSync(path.join(shots, `fail-${failed}.log`), workbench.logs());
    fs.writeFileSync(path.join(shots, `fail-${failed}.txt`), await workbench.text().catch(() => ''));
  } finally {
    await workbench.stop();
  }
}

const shot = (workbench, what) => workbench.shot(path.join(shots, `${what}.png`));
const notification = (workbench, pattern, milliseconds) =>
  until(`a notification like ${pattern}`, async () => (await workbench.notifications()).find((text) => pattern.test(text)), milliseconds);

async function answerDim(workbench, value) {
  const input = workbench.input().locator('input').first();
  await input.fill(value);
  await workbench.page.keyboard.press('Enter');
}

/** The workspace's settings from now on. */
function settings(values) {
  const folder = path.join(work, '.vscode');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(values, undefined, 2));
}

/** The command lines of the servers that this workbench's extension has started. */
function servers(workbench) {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(workbench.folder) && /server\/relax-lsp\b/.test(line));
}

/** What VS Code says about the extension's activation, from its own list of running extensions. */
async function activationOf(workbench) {
  await workbench.command('Developer: Show Running Extensions');
  const row = workbench.page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: 'Relax (TVMScript)' });
  const time = await until('the extension among those running', async () => /Activation: \d+ ?ms/.exec(await row.innerText())?.[0], 60_000);
  await workbench.page.keyboard.press('Escape');
  await row.waitFor({ state: 'detached' });
  return time;
}

await story('A newcomer opens, reads, breaks, mends and runs a model', {}, async (workbench, step) => {
  await step('Python without TVMScript does not start the server', async () => {
    await workbench.open(work, path.join(work, 'plain.py'));
    const activation = await activationOf(workbench);
    assert.deepEqual(servers(workbench), []);
    return activation;
  });
  await step('typing an import of TVMScript starts it', async () => {
    await workbench.goTo(3);
    await workbench.page.keyboard.type('from tvm.script import relax as R\n');
    await until('a server', () => servers(workbench).length === 1);
  });
  await step('in a file with TVMScript lenses stand over the functions', async () => {
    await workbench.openFile('mlp.py');
    const lenses = await until('three lenses', async () => {
      const found = (await workbench.lenses()).filter((text) => text.includes('Run'));
      return found.length === 3 && found;
    }, 60_000);
    return lenses.join(' | ');
  });
  await step('bindings show their StructInfo', async () => {
    return until('a hint', async () => (await workbench.text()).split('\n').find((line) => /hidden: ?R\.Tensor\(\(batch, 32\)/.test(line))?.trim());
  });
  await step('a hover shows the StructInfo of a use', async () => {
    const text = await workbench.hover('active', 1);
    assert.match(text, /batch, 32/);
    await shot(workbench, 'hover');
    return text.split('\n')[0];
  });
  await step('a shape that does not fit is underlined and explained', async () => {
    await workbench.replaceWord('w1', 'w2', 1);
    await until('a squiggle', () => workbench.squiggles());
    const text = await workbench.hover('x', 1);
    assert.match(text, /16/);
    assert.match(text, /32/);
    await workbench.picture(path.join(shots, 'mistake.png'));
    return text.split('\n')[0];
  });
  await step('and no longer when it is mended', async () => {
    await workbench.replaceWord('w2', 'w1', 1);
    await until('no squiggle', async () => (await workbench.squiggles()) === 0);
  });
  await step('the lens asks for the dimension and refuses what is none', async () => {
    await workbench.clickLens('Run', 0);
    await workbench.input().waitFor();
    await workbench.input().locator('input').first().fill('two');
    await until('a word about it', async () => /positive whole number/.test(await workbench.input().innerText()));
    await shot(workbench, 'dimension');
  });
  await step('the run shows shape, dtype and values', async () => {
    await answerDim(workbench, '2');
    const line = await notification(workbench, /forward → float32\[2, 10\] in /);
    const output = await until('the results', async () => {
      const text = await workbench.output();
      return /float32\[2, 10\]/.test(text) && /finished in/.test(text) && text;
    });
    assert.match(output, /min .*max .*mean/);
    await until('the outcome over the function', async () => (await workbench.lenses()).some((text) => text.includes('✓ (2, 10) float32')));
    await workbench.picture(path.join(shots, 'results.png'));
    return line.split('\n')[0];
  });
  await step('the next run offers the value of the last', async () => {
    await workbench.clearNotifications();
    await workbench.clickLens('Run', 0);
    const input = workbench.input().locator('input').first();
    await input.waitFor();
    assert.equal(await input.inputValue(), '2');
    await workbench.page.keyboard.press('Escape');
  });
});

await story('Runs that do not end well', {}, async (workbench, step) => {
  const lens = (index) => until(`lens ${index}`, async () => (await workbench.lenses()).filter((text) => text.includes('▶')).length > index, 60_000);
  await step('a long run shows progress and can be cancelled', async () => {
    await workbench.open(work, mlp);
    await lens(1);
    await workbench.clickLens('▶', 1);
    await workbench.input().waitFor();
    await answerDim(workbench, '6000');
    await notification(workbench, /busy/);
    await shot(workbench, 'progress');
    await workbench.pressInNotification('busy', 'Cancel');
    await until('its end in the status bar', async () => (await workbench.statusBar()).some((text) => /busy: cancelled/.test(text)));
  });
  await step('an error of the program leads to its line', async () => {
    await workbench.goTo(1);
    await lens(2);
    await workbench.clickLens('▶', 2);
    await workbench.input().waitFor();
    await answerDim(workbench, '2');
    const message = await notification(workbench, /narrow: /);
    await shot(workbench, 'error');
    await workbench.pressInNotification('narrow', 'Go to Line');
    await until('the cursor at the match_cast', () => workbench.cursorIsAt(35));
    return message.split('\n')[0];
  });
  await step('the palette runs the function at the cursor', async () => {
    await workbench.clearNotifications();
    await workbench.command('Relax: Run Function');
    await until('the question', async () => /Run Module\.narrow/.test(await workbench.input().innerText()));
    await answerDim(workbench, '3');
    await notification(workbench, /narrow → float32\[3, 4\]/);
  });
});

await story('The server and its settings', {}, async (workbench, step) => {
  const lensThere = () => until('a lens', async () => (await workbench.lenses()).some((text) => text.includes('▶')), 60_000);
  await step('restart', async () => {
    await workbench.open(work, mlp);
    await lensThere();
    await workbench.command('Relax: Restart Server');
    await until('word of it', async () => (await workbench.statusBar()).find((text) => /Relax .* restarted/.test(text)));
    await lensThere();
  });
  await step('a server that does not start is said', async () => {
    settings({ 'relax.server.path': process.execPath });
    await notification(workbench, /the server is not running/);
    await workbench.clearNotifications();
  });
  await step('a server path that leads nowhere is said, with offers', async () => {
    settings({ 'relax.server.path': path.join(work, 'nothing-here') });
    const text = await notification(workbench, /relax\.server\.path says/);
    for (const offer of ['Choose Binary', 'Open Settings', 'How to Get It']) assert.ok(text.includes(offer), offer);
    await shot(workbench, 'no-server');
  });
  await step('mending the setting brings the server back', async () => {
    settings({});
    await lensThere();
  });
  await step('the trace setting fills the trace channel', async () => {
    settings({ 'relax.trace.server': 'messages' });
    await until('the setting to take effect', async () => {
      await workbench.hover('hidden');
      return /Sending request 'textDocument\/hover/.test(workbench.logs());
    });
  });
  await step('lenses can be switched off and on', async () => {
    settings({ 'relax.codeLens.enable': false });
    await until('no lens', async () => (await workbench.lenses()).length === 0);
    settings({});
    await lensThere();
  });
});

const RESTRICTED = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };
await story('An untrusted workspace', { trust: true, settings: RESTRICTED }, async (workbench, step) => {
  await step('analysis works', async () => {
    await workbench.open(work, mlp);
    await until('a hint', async () => /hidden: ?R\.Tensor/.test(await workbench.text()), 60_000);
  });
  await step('nothing can be run', async () => {
    assert.ok((await workbench.statusBar()).some((text) => /Restricted Mode/.test(text)));
    assert.deepEqual((await workbench.lenses()).filter((text) => text.includes('▶')), []);
    await shot(workbench, 'untrusted');
  });
});

fs.rmSync(work, { recursive: true, force: true });
console.log(failed === 0 ? 'all passed' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
