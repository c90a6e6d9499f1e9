// The server and its settings: restart, a server that is not there, switches.

import assert from 'node:assert/strict';
import { until } from '../host.mjs';

export const server = {
  title: 'The server and its settings',
  async steps(scene, step) {
    const { workbench } = scene;
    const lensThere = () => scene.lenses('▶', 1);
    await step('restart', async () => {
      await workbench.open(scene.work, scene.file('mlp.py'));
      await lensThere();
      await workbench.command('Relax: Restart Server');
      await until('word of it', async () => (await workbench.statusBar()).find((text) => /Relax .* restarted/.test(text)));
      await lensThere();
    });
    await step('its state and version stand beside the language', async () => {
      await workbench.page.locator('.statusbar-item', { hasText: '{}' }).or(workbench.page.locator('#status\\.languageStatus')).first().hover();
      const text = await until('the status', async () => (await workbench.page.locator('.monaco-hover .hover-language-status').allInnerTexts()).find((it) => /Relax \d/.test(it)));
      assert.match(text, /Ready/);
      return text.replace(/\s+/g, ' ');
    });
    await step('the release of the file stands there too, and changes with the setting', async () => {
      const item = (pattern) => async () => {
        await workbench.page.locator('.statusbar-item', { hasText: '{}' }).or(workbench.page.locator('#status\\.languageStatus')).first().hover();
        return (await workbench.page.locator('.monaco-hover .hover-language-status').allInnerTexts()).find((it) => pattern.test(it));
      };
      await until('the interval', item(/TVM ([\d.]+|unity) to 0\.27/));
      scene.settings({ 'relax.tvm': '0.26' });
      await until('the setting', item(/TVM 0\.26[\s\S]*relax\.tvm/));
      scene.settings({});
    });
    await step('its log and its settings open', async () => {
      await workbench.command('Relax: Show Logs');
      await until('its version in the log', async () => /relax-lsp [\d.]+ is ready/.test(await workbench.output()));
      await workbench.command('Relax: Open Settings');
      const first = workbench.page.locator('.setting-item-category', { hasText: 'Relax › Code Lens' }).first();
      await first.waitFor();
      await workbench.page.keyboard.press('Escape');
      await first.waitFor({ state: 'hidden' });
      await workbench.command('View: Hide Panel');
      await workbench.click('hidden');
    });
    await step('a server that does not start is reported', async () => {
      scene.settings({ 'relax.server.path': process.execPath });
      await scene.notification(/the server is not running/);
      await workbench.clearNotifications();
    });
    await step('a wrong server path is reported, with offers', async () => {
      scene.settings({ 'relax.server.path': scene.file('nothing-here') });
      const text = await scene.notification(/relax\.server\.path says/);
      for (const offer of ['Choose Binary', 'Open Settings', 'How to Get It']) assert.ok(text.includes(offer), offer);
      await scene.shot('no-server');
    });
    await step('mending the setting brings the server back', async () => {
      scene.settings({});
      await lensThere();
    });
    await step('the trace setting fills the trace channel', async () => {
      scene.settings({ 'relax.trace.server': 'messages' });
      await until('the setting to take effect', async () => {
        await workbench.hover('hidden');
        return /Sending request 'textDocument\/hover/.test(workbench.logs());
      });
    });
    await step('lenses can be switched off and on, and a function runs without', async () => {
      scene.settings({ 'relax.codeLens.enable': false });
      await until('no lens', async () => (await workbench.lenses()).length === 0);
      await workbench.goTo(16);
      await workbench.command('Relax: Run Function');
      await scene.panel.outcome(/✓ Finished in .* · batch = 4/);
      scene.settings({});
      await lensThere();
    });
  },
};
