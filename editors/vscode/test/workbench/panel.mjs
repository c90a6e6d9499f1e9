// The run panel in a workbench, as a user sees it. A webview is a page within a page within the workbench.

import { until } from './host.mjs';

export class Panel {
  constructor(workbench) {
    this.workbench = workbench;
    this.page = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /** Waits until a run has ended well, or badly. */
  async outcome(pattern, milliseconds = 60_000) {
    const place = this.page.locator('#outcome');
    return until(`an outcome like ${pattern}`, async () => {
      const text = await place.innerText({ timeout: 5000 });
      return pattern.test(text) && text;
    }, milliseconds);
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  async press(name) {
    await this.button(name).first().click();
  }

  dim(name) {
    return this.page.locator(`.inputs input[name="${name}"]`);
  }

  /** The rows of the table of outputs, each as its cells. */
  outputs() {
    return rows(this.page.locator('table.outputs'));
  }

  /** Whether the first cell of the heat map has a colour of the theme. */
  firstCellHas(property) {
    return this.canvas().evaluate((canvas, property) => {
      const [red, green, blue] = canvas.getContext('2d').getImageData(1, 1, 1, 1).data;
      const other = document.createElement('canvas').getContext('2d');
      other.fillStyle = getComputedStyle(document.body).getPropertyValue(property);
      return other.fillStyle === `#${[red, green, blue].map((it) => it.toString(16).padStart(2, '0')).join('')}`;
    }, property);
  }

  /** How many runs the history has. */
  runs() {
    return this.page.locator('.history tbody tr').count();
  }

  bindings() {
    return rows(this.page.locator('table.bindings'));
  }

  /** The values of the heat map, read from the table below it. */
  async values() {
    const details = this.page.locator('.tensor details.values');
    await details.waitFor();
    if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
    const lines = await rows(details.locator('table'));
    return lines.map((cells) => cells.slice(1).map(Number));
  }

  canvas() {
    return this.page.locator('.tensor .map > canvas');
  }

  /** The tooltip over a cell of a heat map with this many rows and columns. */
  async hoverCell(row, column, rows, columns) {
    const canvas = this.canvas();
    await canvas.scrollIntoViewIfNeeded();
    const { width, height } = await canvas.boundingBox();
    await canvas.hover({ position: { x: ((column + 0.5) / columns) * width, y: ((row + 0.5) / rows) * height } });
    return this.page.locator('#tip').innerText();
  }

  /** How many different colours the heat map has. */
  colours() {
    return this.canvas().evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
  }

  /** The stops of the Tab key until the focus leaves the page: name and position. */
  async tabOrder() {
    const stops = [];
    const focused = () =>
      this.page.locator('body').evaluate((body) => {
        const element = document.activeElement;
        if (element === body || element === null || !document.hasFocus()) return null;
        const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
        // Bars of a chart come in the order of what calls what.
        const { top } = (element.closest('.flame') ?? element).getBoundingClientRect();
        return { name: name.trim(), top: Math.round(top + scrollY) };
      });
    for (let stop = await focused(); stop !== null && stops.length < 200; stop = await focused()) {
      stops.push(stop);
      await this.workbench.page.keyboard.press('Tab');
    }
    return stops;
  }

  tensor() {
    return this.page.locator('.tensor h2').innerText();
  }
}

/** The rows of a table, each as its cells, once it has a row: a table that opens is filled a moment later. */
async function rows(table) {
  const found = table.locator('tbody tr');
  await found.first().waitFor();
  return found.evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
}
