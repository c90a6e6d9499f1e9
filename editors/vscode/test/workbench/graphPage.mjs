// The graph beside the source, as a user sees it. A webview is a page within a page within the workbench.

import { until } from './host.mjs';

export class GraphPage {
  constructor(workbench) {
    this.workbench = workbench;
    // Other pages may be open before it.
    this.page = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('#active-frame');
  }

  /** The nodes in words: what makes the value, and its name. */
  async nodes() {
    const found = await this.page.locator('.node').evaluateAll((all) => all.map((node) => [...node.querySelectorAll('text')].map((text) => text.textContent).filter((text) => text !== '')));
    return found.map((texts) => texts.join(' '));
  }

  /** Waits until the nodes satisfy a test. */
  async drawn(what, test) {
    return until(`a graph with ${what}`, async () => {
      const found = await this.nodes();
      return test(found) && found;
    }, 60_000);
  }

  labels() {
    return this.page.locator('.edge text').allTextContents();
  }

  node(words) {
    return this.page.locator('.node', { hasText: words }).first();
  }

  async click(words) {
    await this.node(words).click();
  }

  /** The description of the node at the cursor. */
  async marked() {
    const mark = this.page.locator('.node.marked');
    return (await mark.count()) === 1 ? mark.getAttribute('aria-label') : undefined;
  }

  note() {
    return this.page.locator('#head p.note').innerText();
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Chooses an entry of the menu. */
  async export(name) {
    await this.page.locator('.menu summary', { hasText: 'Export' }).click();
    await this.button(name).click();
  }

  /** Chooses what the colours mean, once the page has it. */
  async colour(name) {
    const chosen = this.page.getByLabel('Color by');
    await chosen.focus();
    await until(`the choice “${name}”`, async () => (await chosen.locator('option').allTextContents()).includes(name));
    await chosen.selectOption(name);
  }

  /** The node with the largest amount. */
  async hottest() {
    return this.page.locator('.node.heat').evaluateAll((all) => {
      const share = (node) => Number.parseFloat(node.style.getPropertyValue('--share'));
      return all.toSorted((a, b) => share(b) - share(a))[0]?.querySelector('text').textContent;
    });
  }

  /** How large it is drawn. */
  async scale() {
    const transform = await this.page.locator('#canvas > g').getAttribute('transform');
    return Number(/scale\(([\d.]+)\)/.exec(transform)?.[1]);
  }
}
