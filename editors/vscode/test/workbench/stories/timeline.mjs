// The passes of a compilation: the tree, stages side by side, a value that is followed.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { barriers } from '../axe.mjs';
import { faint } from '../contrast.mjs';
import { until } from '../host.mjs';

const DUMPS = path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'tests', 'fixtures', 'passes', 'convnet');

/** The contrast that WCAG requires for text. */
const CONTRAST = 4.5;

export const timeline = {
  title: 'The passes of a compilation',
  workbench: { settings: { 'editor.inlayHints.enabled': 'off', 'editor.codeLens': false, 'workbench.colorTheme': 'Default Dark Modern', 'diffEditor.renderSideBySide': true, 'diffEditor.useInlineViewWhenSpaceIsLimited': false }, width: 1500, height: 900 },
  async steps(scene, step) {
    const { workbench } = scene;
    const { page } = workbench;
    const row = (text) => page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();
    fs.cpSync(DUMPS, scene.file('dumps'), { recursive: true });
    await step('a folder of dumps is offered as a timeline', async () => {
      await workbench.open(scene.work, scene.file('dumps/002_FoldConstant.py'));
      await scene.notification(/holds the passes of a compilation/);
      await workbench.pressInNotification('holds the passes', 'Open Pass Timeline');
      await row('014_sequential').waitFor({ timeout: 60_000 });
    });
    await step('a pass says what it changed, and passes without a change are folded', async () => {
      const text = await row('003_FuseOps').innerText();
      assert.match(text, /forward: 4 call_tir → call, 5 removed \(5 call_tir\); 4 functions split off/);
      await row('1 unchanged').waitFor();
    });
    const frame = page.frameLocator('iframe.webview.ready').last().frameLocator('#active-frame');
    await step('a page says what each pass changed', async () => {
      await frame.getByRole('heading', { name: 'Passes of a compilation' }).waitFor();
      const cut = await frame.locator('table').evaluate((it) => it.scrollWidth - it.clientWidth);
      assert.ok(cut <= 0, `${cut} pixels of the table are cut`);
      assert.deepEqual([...(await faint(frame, CONTRAST)), ...(await barriers(frame))], []);
      await scene.shot('passes-page');
    });
    await step('the keyboard opens a pass: the functions that it changed', async () => {
      // Down from the sequence: LegalizeOps, AnnotateTIROpPattern, the fold, FuseOps. The first press may only focus it.
      const reached = page.locator('.part.sidebar .monaco-list-row.focused', { hasText: '003_FuseOps' });
      await until('FuseOps has the focus', async () => {
        if ((await reached.count()) > 0) return true;
        await page.keyboard.press('ArrowDown');
        return false;
      });
      await page.keyboard.press('ArrowRight');
      await row('split from forward').waitFor();
    });
    await step('two stages stand side by side, and the line of the cursor is marked in the other', async () => {
      await row('003_FuseOps').click();
      await page.locator('.tab.active', { hasText: '003_FuseOps' }).waitFor();
      await page.keyboard.press('Control+Enter');
      await page.locator('.tab.active', { hasText: '↔' }).waitFor();
      await page.locator('.monaco-diff-editor .modified .view-line').first().waitFor();
      await scene.shot('timeline-diff');
    });
    await step('a row of the tree scrolls the page to its pass', async () => {
      await row('003_FuseOps').click();
      const section = frame.locator('section', { has: frame.locator('#stage-3') });
      await page.locator('.tab', { hasText: /^Passes/ }).click();
      await until('the pass is on screen', () => section.evaluate((it) => it.getBoundingClientRect().top < innerHeight));
      await frame.getByLabel('Filter by function').fill('conv2d_add');
      await until('other passes are hidden', async () => (await frame.locator('section:visible').count()) < 4);
      await frame.getByLabel('Filter by function').fill('');
    });
    await step('the number of a line opens the difference there', async () => {
      const section = frame.locator('section', { has: frame.locator('#stage-3') });
      const line = section.locator('.added a:visible').first();
      const number = Number(await line.innerText());
      await line.click();
      await page.locator('.tab.active', { hasText: '002_FoldConstant ↔ 003_FuseOps' }).waitFor();
      await until('the cursor at the line', () => workbench.cursorIsAt(number));
    });
    await step('the page that was closed is shown again by its command', async () => {
      const tab = page.locator('.tab', { hasText: /^Passes/ });
      await tab.click({ button: 'middle' });
      await tab.waitFor({ state: 'detached' });
      await workbench.command('Relax: Show What Each Pass Changed');
      await frame.getByRole('heading', { name: 'Passes of a compilation' }).waitFor();
    });
    await step('a value is followed forward', async () => {
      await row('001_AnnotateTIROpPattern').click();
      await page.locator('.tab.active', { hasText: '001_Annotate' }).waitFor();
      await page.locator('.editor-instance .view-line').first().click();
      const text = fs.readFileSync(scene.file('dumps/001_AnnotateTIROpPattern.py'), 'utf8').split('\n');
      const line = text.findIndex((it) => it.includes('relu = R.call_tir(cls.relu')) + 1;
      await workbench.goTo(line, 13);
      await page.keyboard.press('Control+K');
      await page.keyboard.press('n');
      await page.locator('.tab.active', { hasText: '003_FuseOps' }).waitFor();
      const after = fs.readFileSync(scene.file('dumps/003_FuseOps.py'), 'utf8').split('\n');
      const expected = after.findIndex((it) => it.includes('= cls.fused_conv2d_add_relu(')) + 1;
      await until('the cursor at the call', () => workbench.cursorIsAt(expected));
      await until('word of it', async () => (await workbench.statusBar()).some((it) => /relu → lv: changed \(operator\)/.test(it)));
      await scene.shot('timeline');
    });
    await step('and back', async () => {
      await page.keyboard.press('Control+K');
      await page.keyboard.press('b');
      await page.locator('.tab.active', { hasText: '002_FoldConstant' }).waitFor();
      const before = fs.readFileSync(scene.file('dumps/002_FoldConstant.py'), 'utf8').split('\n');
      const expected = before.findIndex((it) => it.includes('relu = R.call_tir(cls.relu')) + 1;
      await until('the cursor at the operator', () => workbench.cursorIsAt(expected));
    });
  },
};
