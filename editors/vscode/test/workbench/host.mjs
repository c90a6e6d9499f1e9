// One VS Code workbench: code-server with its own settings and extensions, shown in a headless Chromium,
// and what a user does in it (open, type, hover, click). Knows nothing of Relax.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const QUIET = {
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'editor.wordBasedSuggestions': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.confirmBeforeClose': 'never',
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** The first editor; the panel may stand beside it, another document too. */
const EDITOR = '.editor-group-container:first-child .editor-instance .monaco-editor';
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function freePort() {
  return new Promise((resolve, reject) => {
    const socket = net.createServer();
    socket.once('error', reject);
    socket.listen(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}

/** Asks `probe` until it answers with something true. */
export async function until(what, probe, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  let last;
  do {
    try {
      last = await probe();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    await pause(50);
  } while (Date.now() < end);
  throw new Error(`waited ${milliseconds} ms for ${what}; last seen: ${typeof last === 'string' ? last : JSON.stringify(last) ?? last}`);
}

/**
 * Serves VS Code with one extension, and with settings and extensions of its own. `parts` is what `install` gave.
 * `trust` says whether workspaces have to be trusted first.
 */
export async function serve(parts, { vsix, settings = {}, trust = false, options: more = [], env: given = {} }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'relax-workbench-'));
  const user = path.join(folder, 'user');
  const env = { ...process.env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, ...given };
  fs.mkdirSync(path.join(user, 'User'), { recursive: true });
  fs.writeFileSync(path.join(user, 'User', 'settings.json'), JSON.stringify(settings, undefined, 2));
  const places = ['--user-data-dir', user, '--extensions-dir', path.join(folder, 'extensions')];
  if (vsix !== undefined) execFileSync(parts.node, [parts.entry, ...places, '--install-extension', vsix], { env, stdio: 'pipe' });

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const serverLog = fs.openSync(path.join(folder, 'code-server.log'), 'a');
  const offline = ['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
  const options = ['--config', os.devNull, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, ...places, ...offline, ...more];
  if (!trust) options.push('--disable-workspace-trust');
  const server = spawn(parts.node, [parts.entry, ...options], { env, stdio: ['ignore', serverLog, serverLog], detached: true });
  await until('code-server', async () => (await fetch(`${url}/healthz`)).ok, 60_000);
  return { folder, user, url, server };
}

/** The address that shows a folder with a file open in it. */
export function address(url, folder, file) {
  const remote = `vscode-remote://${new URL(url).host}${file}:1:1`;
  const payload = JSON.stringify([['gotoLineMode', 'true'], ['openFile', remote]]);
  return `${url}/?${new URLSearchParams({ folder, payload })}`;
}

/** A headless browser that reaches this machine alone. */
export function launch(parts) {
  const { chromium } = createRequire(parts.driver)('playwright-core');
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'];
  return chromium.launch({ executablePath: parts.browser, args });
}

/** Fails where the browser does not even show an empty page. */
export async function tryBrowser(parts) {
  const browser = await launch(parts);
  await browser.newPage();
  await browser.close();
}

/** Starts a workbench in a headless browser. */
export async function start(parts, { settings = {}, width = 1280, height = 800, ...wanted }) {
  const served = await serve(parts, { ...wanted, settings: { ...QUIET, ...settings } });
  const browser = await launch(parts);
  const page = await browser.newPage({ viewport: { width, height } });
  const log = [];
  page.on('console', (message) => log.push(message.text()));
  page.on('pageerror', (error) => log.push(String(error)));
  return new Workbench({ ...served, browser, page, log });
}

export class Workbench {
  constructor(parts) {
    Object.assign(this, parts);
  }

  async open(folder, file) {
    await this.page.goto(address(this.url, folder, file));
    await this.page.locator(`${EDITOR} .view-line`).first().waitFor({ timeout: 90_000 });
    // Room for what stands beside the editor.
    await this.page.keyboard.press('Control+B');
    await this.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
  }

  async openFile(name) {
    await this.page.keyboard.press('Control+P');
    await this.page.locator('.quick-input-widget input').first().waitFor({ state: 'visible' });
    await this.page.keyboard.insertText(name);
    await this.page.locator(`.quick-input-list .monaco-list-row:has-text("${name}")`).first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator(`.tab.active:has-text("${name}")`).waitFor();
  }

  async command(title) {
    const row = this.page.locator(`.quick-input-list .monaco-list-row.focused:has-text("${title}")`).first();
    await until(`the command “${title}”`, async () => {
      await this.page.keyboard.press('F1');
      // A palette that was just closing takes the key along.
      await this.page.locator('.quick-input-widget input').first().waitFor({ state: 'visible', timeout: 1000 });
      await this.page.keyboard.insertText(title);
      // The list is of the commands there were when it opened; an extension that comes later needs another.
      const there = await row.waitFor({ timeout: 3000 }).then(() => true, () => false);
      await this.page.keyboard.press(there ? 'Enter' : 'Escape');
      return there;
    }, 60_000);
  }

  /** Whether the palette has a command, among those that a shorter text finds. */
  async offers(title, among) {
    await this.page.keyboard.press('F1');
    await this.page.locator('.quick-input-widget input').first().waitFor({ state: 'visible' });
    await this.page.keyboard.insertText(among);
    const rows = this.page.locator('.quick-input-list .monaco-list-row', { hasText: among });
    await rows.first().waitFor();
    const found = (await rows.allInnerTexts()).some((text) => text.includes(title));
    await this.page.keyboard.press('Escape');
    await this.input().waitFor({ state: 'hidden' });
    return found;
  }

  async goTo(line, column = 1) {
    await this.page.keyboard.press('Control+G');
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor({ state: 'visible' });
    await this.page.keyboard.insertText(`${line}:${column}`);
    await this.page.keyboard.press('Enter');
    await until(`the cursor on line ${line}`, () => this.cursorIsAt(line));
  }

  async cursorIsAt(line) {
    return (await this.statusBar()).some((text) => text.startsWith(`Ln ${line},`));
  }

  /** The lines on screen, hints included. */
  async text() {
    const lines = await this.page.locator(`${EDITOR} .view-line`).evaluateAll((found) =>
      found
        .map((line) => ({ top: Number.parseFloat(line.style.top) || 0, text: line.textContent ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return lines.join('\n').replace(/\u00a0/g, ' ').replace(/[\u200b-\u200f\ufeff]/g, '');
  }

  /** The lines of every editor on screen. */
  async allText() {
    return (await this.page.locator('.editor-instance .view-lines').allInnerTexts()).join('\n').replace(/\u00a0/g, ' ');
  }

  /** The text that decorations add to lines: the line's own text, the addition, and its position. */
  notes() {
    return this.page.locator(`${EDITOR} .view-line span`).evaluateAll((spans) =>
      spans.flatMap((span) => {
        const { content, color } = getComputedStyle(span, '::after');
        if (!content.startsWith('"')) return [];
        const { right, y, height } = span.getBoundingClientRect();
        const line = span.closest('.view-line').textContent.replace(/\u00a0/g, ' ').trim();
        return [{ line, note: content.slice(1, -1).replace(/\u00a0/g, ' '), color, x: right - 4, y: y + height / 2 }];
      }),
    );
  }

  /** Opens the light bulb's menu at the cursor and takes the fix. */
  async quickFix(title) {
    const item = this.page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
    await until(`a quick fix like ${title}`, async () => {
      // The menu holds what was known when it opened.
      await this.page.keyboard.press('Control+.');
      const there = await item.waitFor({ timeout: 3000 }).then(() => true, () => false);
      if (!there) await this.page.keyboard.press('Escape');
      return there;
    }, 60_000);
    await item.click();
  }

  lenses() {
    // One without a command is plain text.
    return this.page.locator(`${EDITOR} .codelens-decoration :is(a, span)`).allInnerTexts();
  }

  async clickLens(text, index = 0) {
    await this.page.locator(`${EDITOR} .codelens-decoration a`, { hasText: text }).nth(index).click();
  }

  squiggles() {
    return this.page.locator('.editor-instance :is(.squiggly-error, .squiggly-warning)').count();
  }

  /** The screen position of the `index`th whole `word` in the editor. */
  place(word, index = 0) {
    return this.page.evaluate(
      ([selector, word, index]) => {
        const walker = document.createTreeWalker(document.querySelector(`${selector} .view-lines`), NodeFilter.SHOW_TEXT);
        const whole = new RegExp(`(?<!\\w)${word}(?!\\w)`, 'g');
        const places = [];
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          for (const match of node.data.matchAll(whole)) {
            const range = document.createRange();
            range.setStart(node, match.index);
            range.setEnd(node, match.index + word.length);
            const { x, y, width, height } = range.getBoundingClientRect();
            places.push({ x: x + width / 2, y: y + height / 2 });
          }
        }
        return places.sort((a, b) => a.y - b.y || a.x - b.x)[index];
      },
      [EDITOR, word, index],
    );
  }

  async hover(word, index = 0) {
    const content = this.page.locator('.monaco-hover:not(.hidden) .monaco-hover-content').filter({ visible: true }).first();
    return until(`a hover over “${word}”`, async () => {
      // Anew each time: hints come and go, and what stands behind them moves.
      const place = await this.place(word, index);
      await this.page.mouse.move(2, 2);
      await this.page.mouse.move(place.x - 2, place.y);
      await this.page.mouse.move(place.x, place.y);
      await content.waitFor({ timeout: 3000 });
      const text = (await content.innerText()).trim();
      return text !== '' && !text.startsWith('Loading') ? text : undefined;
    });
  }

  /** Follows a link in what a hover over a word says. */
  async clickInHover(word, index, text) {
    const link = this.page.locator('.monaco-hover:not(.hidden) .monaco-hover-content a', { hasText: text }).filter({ visible: true }).first();
    await until(`the link “${text}”`, async () => {
      await this.hover(word, index);
      return link.click({ timeout: 1000 }).then(() => true, () => false);
    });
  }

  /** A hover may lie over what is to be clicked next. */
  async #leaveHover() {
    await this.page.mouse.move(2, 2);
    await this.page.keyboard.press('Escape');
    await this.page.locator('.monaco-hover:not(.hidden) .monaco-hover-content').filter({ visible: true }).waitFor({ state: 'hidden' });
  }

  async click(word, index = 0) {
    await this.#press(word, index, ({ x, y }) => this.page.mouse.click(x, y));
  }

  /** A lens that comes between the look and the press moves the lines; then it is pressed again. */
  async #press(word, index, press) {
    await this.#leaveHover();
    await until(`“${word}” where it was pressed`, async () => {
      const before = await until(`“${word}” on screen`, () => this.place(word, index));
      await press(before);
      const after = await this.place(word, index);
      return after?.x === before.x && after.y === before.y;
    });
  }

  /** Replaces a word on screen as a user does: double click, type. */
  async replaceWord(word, replacement, index = 0) {
    await this.#press(word, index, ({ x, y }) => this.page.mouse.dblclick(x, y));
    await this.page.keyboard.type(replacement);
    await this.page.keyboard.press('Escape');
    await until(`“${replacement}” on screen`, () => this.place(replacement));
  }

  notifications() {
    return this.page.locator('.notification-list-item').allInnerTexts();
  }

  async pressInNotification(notification, button) {
    const item = this.page.locator('.notification-list-item', { hasText: notification }).first();
    await item.locator('.monaco-button', { hasText: button }).first().click();
  }

  async clearNotifications() {
    await this.command('Notifications: Clear All Notifications');
  }

  statusBar() {
    return this.page.locator('.statusbar-item:visible').allInnerTexts();
  }

  /** The visible text of the panel's output view. */
  async output() {
    const lines = await this.page.locator('.part.panel .view-line').evaluateAll((found) =>
      found
        .map((line) => ({ top: Number.parseFloat(line.style.top) || 0, text: line.textContent ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return lines.join('\n').replace(/\u00a0/g, ' ');
  }

  input() {
    return this.page.locator('.quick-input-widget:visible');
  }

  async shot(file) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
  }

  /** Only the editor and the panel below it, as a picture for a page. */
  async picture(file) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const { x, y } = await this.page.locator('.part.editor').first().boundingBox();
    const { width, height } = this.page.viewportSize();
    const statusBar = 32;
    await this.page.screenshot({ path: file, clip: { x, y, width: width - x, height: height - y - statusBar } });
  }

  /** The logs of the extensions, and the workbench's output in the browser's console. */
  logs() {
    const folder = path.join(this.user, 'logs');
    const files = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.log')) : [];
    const texts = files.map((name) => `== ${name}\n${fs.readFileSync(path.join(folder, name), 'utf8')}`);
    return [...texts, '== console', ...this.log].join('\n');
  }

  async stop() {
    await this.browser.close().catch(() => undefined);
    try {
      process.kill(-this.server.pid, 'SIGTERM');
    } catch {
      // It has ended already.
    }
    await new Promise((resolve) => (this.server.exitCode === null ? this.server.once('exit', resolve) : resolve()));
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
