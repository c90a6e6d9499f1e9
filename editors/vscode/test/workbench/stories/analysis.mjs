// Hints, hovers, diagnostics and colours in the editor; plain Python is left alone.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { until } from '../host.mjs';

/** The command lines of the servers that this workbench's extension has started. */
function servers(workbench) {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(workbench.folder) && /server\/relax-lsp lsp/.test(line));
}

/** The extension's activation, from VS Code's list of running extensions. */
async function activationOf(workbench) {
  await workbench.command('Developer: Show Running Extensions');
  const row = workbench.page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: 'Relax (TVMScript)' });
  const time = await until('the extension among those running', async () => /Activation: \d+ ?ms/.exec(await row.innerText())?.[0], 60_000);
  await workbench.page.keyboard.press('Escape');
  await row.waitFor({ state: 'detached' });
  return time;
}

export const analysis = {
  title: 'Reading and mending a model',
  async steps(scene, step) {
    const { workbench } = scene;
    await step('Python without TVMScript does not start the server', async () => {
      await workbench.open(scene.work, scene.file('plain.py'));
      const activation = await activationOf(workbench);
      assert.deepEqual(servers(workbench), []);
      return activation;
    });
    await step('typing an import of TVMScript starts it', async () => {
      await workbench.goTo(3);
      await workbench.page.keyboard.type('from tvm.script import relax as R\n');
      await until('a server', () => servers(workbench).length === 1);
    });
    await step('a snippet writes a function', async () => {
      await workbench.page.keyboard.type('\nrelax-func');
      await workbench.page.keyboard.press('Control+Space');
      await workbench.page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'relax-function' }).waitFor();
      await workbench.page.keyboard.press('Enter');
      await until('the function', async () => /@R\.function\ndef main\(/.test(await workbench.text()));
      await workbench.page.keyboard.press('Escape');
    });
    await step('in a file with TVMScript lenses stand over the functions', async () => {
      await workbench.openFile('mlp.py');
      return (await scene.lenses('Run', 3)).join(' | ');
    });
    await step('a hover shows the StructInfo of a use', async () => {
      const text = await workbench.hover('active', 1);
      assert.match(text, /batch, 32/);
      await scene.shot('hover');
      return text.split('\n')[0];
    });
    await step('a variable is renamed wherever it is used', async () => {
      await workbench.click('hidden', 0);
      await workbench.page.keyboard.press('F2');
      const box = workbench.page.locator('.rename-box input');
      await box.waitFor();
      await box.fill('inner');
      await workbench.page.keyboard.press('Enter');
      await until('the new name in both places', async () => /inner.* = R\.matmul\(x, w1\)\s[^]*R\.nn\.relu\(inner\)/.test(await workbench.text()));
    });
    await step('a shape that does not fit is underlined and explained', async () => {
      await workbench.replaceWord('w1', 'w2', 1);
      await until('a squiggle', () => workbench.squiggles());
      // Suggestions may have come after the word was there.
      await workbench.page.keyboard.press('Escape');
      const text = await workbench.hover('x', 1);
      assert.match(text, /16/);
      assert.match(text, /32/);
      await scene.picture('mistake-hover');
      return text.split('\n')[0];
    });
    const explained = async () => {
      await workbench.page.locator('.tab.active:has-text("shape-mismatch")').waitFor();
      const preview = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await preview.getByRole('heading', { name: 'shape-mismatch' }).waitFor();
    };
    await step('the code of the diagnostic is a link to the page about it', async () => {
      await workbench.clickInHover('x', 1, 'shape-mismatch');
      await explained();
      await workbench.page.locator('.tab.active:has-text("shape-mismatch") .tab-actions .action-label').click();
    });
    await step('so is a command, of the diagnostic at the cursor', async () => {
      await workbench.click('w2', 1);
      await workbench.command('Relax: Explain Diagnostic');
      await explained();
      await scene.shot('explain');
    });
  },
};
