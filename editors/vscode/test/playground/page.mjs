// The playground in a headless browser, and what a user does in it. Knows nothing of what the program means.

import { launch, until } from '../workbench/host.mjs';

/** Shows the page of a host. */
export async function start(parts, host) {
  const browser = await launch(parts);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', permissions: ['clipboard-read', 'clipboard-write'] });
  return new Playground({ host, browser, context });
}

export class Playground {
  log = [];

  constructor(parts) {
    Object.assign(this, parts);
  }

  /** Another tab, which is looked at from now on. */
  async open(hash = '') {
    this.page = await this.context.newPage();
    this.page.on('console', (message) => this.log.push(message.text()));
    this.page.on('pageerror', (error) => this.log.push(String(error)));
    await this.page.goto(this.host.address + hash);
    await this.page.locator('.cm-content').waitFor();
  }

  async stop() {
    await this.browser.close();
    this.host.end();
  }

  frame(name) {
    return this.page.frameLocator(`iframe[title="${name}"]`);
  }

  /** The program alone, without hints and lenses. */
  text() {
    return this.page.locator('.cm-content').evaluate((content) => {
      const lines = [...content.querySelectorAll('.cm-line')].map((line) => {
        const copy = line.cloneNode(true);
        for (const hint of copy.querySelectorAll('.hint, .cm-widgetBuffer')) hint.remove();
        return copy.textContent;
      });
      return lines.join('\n');
    });
  }

  /** The screen position of the `index`th whole `word` of the program. */
  place(word, index = 0) {
    return this.page.evaluate(
      ([word, index]) => {
        const walker = document.createTreeWalker(document.querySelector('.cm-content'), NodeFilter.SHOW_TEXT, (node) => (node.parentElement.closest('.hint, .lens') === null ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT));
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
        return places[index];
      },
      [word, index],
    );
  }

  /** A lens that comes between the look and the press moves the lines; then it is pressed again. */
  async #press(word, index, press) {
    await until(`“${word}” where it was pressed`, async () => {
      const before = await until(`“${word}” on screen`, () => this.place(word, index));
      await press(before);
      const after = await this.place(word, index);
      return after?.x === before.x && after.y === before.y;
    });
  }

  async click(word, index = 0) {
    await this.#press(word, index, ({ x, y }) => this.page.mouse.click(x, y));
  }

  async replaceWord(word, replacement, index = 0) {
    await this.#press(word, index, ({ x, y }) => this.page.mouse.dblclick(x, y));
    await this.page.keyboard.type(replacement);
    await this.page.keyboard.press('Escape');
  }

  /** Puts another program into the editor. */
  async program(text) {
    await this.page.locator('.cm-content').click();
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.insertText(text);
  }

  async hover(word, index = 0) {
    const tooltip = this.page.locator('.cm-tooltip-hover');
    return until(`a hover over “${word}”`, async () => {
      const place = await this.place(word, index);
      await this.page.mouse.move(2, 2);
      await this.page.mouse.move(place.x - 2, place.y);
      await this.page.mouse.move(place.x, place.y);
      await tooltip.waitFor({ timeout: 3000 });
      return tooltip.innerText();
    });
  }

  /** Moves the pointer away until no hover is left: one that is being computed ends only with the next move. */
  async leaveHover() {
    await until('no hover', async () => {
      await this.page.mouse.move(3, 3);
      await this.page.mouse.move(2, 2);
      return (await this.page.locator('.cm-tooltip-hover').count()) === 0;
    });
  }

  problems() {
    return this.page.locator('#problems li:not(.none)').allInnerTexts();
  }

  /** Waits until the list says so. */
  problem(pattern) {
    return until(`a problem like ${pattern}`, async () => (await this.problems()).find((text) => pattern.test(text)));
  }

  async noProblems() {
    await this.page.locator('#problems .none').waitFor();
  }
}
