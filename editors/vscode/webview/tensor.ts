// A tensor: the selected slice, its heat map, its histogram, its values as a table.

import type { Choice, Slice, TensorRequest, TensorView } from '../src/protocol';
import { formatScalar, shapeText } from '../src/results';
import { h, say } from './elements';
import { host } from './host';
import { type HeatMap, heatMap } from './heatmap';
import { histogram } from './histogram';
import { ask } from './tensors';

/** Half the size of the part after a zoom, in elements. */
const ZOOM = 32;

export interface Chosen {
  run: number;
  name: string;
  title: string;
  /** The dtype of the tensor; the file may have a wider one. */
  dtype: string;
  shape: readonly number[];
  minus?: { run: number; id: number };
}

export class TensorSection {
  /** Whether a tensor can be saved. */
  files = true;
  readonly element = h('section', { class: 'tensor', 'aria-label': 'Tensor', hidden: true });
  #chosen: Chosen | undefined;
  #choice: Choice = {};
  #difference = false;
  #map: HeatMap | undefined;
  /** Counts the requests, to ignore late answers. */
  #asked = 0;

  constructor() {
    new ResizeObserver(() => this.#fit()).observe(this.element);
    // A canvas does not follow a change of the theme.
    new MutationObserver(() => this.#fit()).observe(document.body, { attributeFilter: ['class'] });
  }

  get chosen(): Chosen | undefined {
    return this.#chosen;
  }

  show(chosen: Chosen | undefined): void {
    // Another shape has other axes.
    const same = chosen !== undefined && this.#chosen?.name === chosen.name && String(this.#chosen.shape) === String(chosen.shape);
    this.#chosen = chosen;
    if (!same) this.#choice = {};
    if (chosen?.minus === undefined) this.#difference = false;
    this.element.hidden = chosen === undefined;
    if (chosen !== undefined) void this.#load();
  }

  async #load(): Promise<void> {
    const chosen = this.#chosen;
    if (chosen === undefined) return;
    this.#asked += 1;
    const asked = this.#asked;
    const request: TensorRequest = { run: chosen.run, name: chosen.name, slice: this.#choice };
    if (this.#difference && chosen.minus !== undefined) request.minus = chosen.minus.run;
    try {
      const view = await ask(request);
      if (asked === this.#asked) this.#draw(chosen, view);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#map = undefined;
      const why = error instanceof Error ? error.message : String(error);
      this.element.replaceChildren(h('h2', {}, chosen.title), this.#differenceSwitch(chosen) ?? '', h('p', { class: 'note' }, why));
    }
  }

  #change(choice: Choice): void {
    this.#choice = choice;
    void this.#load();
  }

  #draw(chosen: Chosen, view: TensorView): void {
    const { slice } = view;
    if (slice === undefined) return;
    const focus = document.activeElement?.id;
    this.#map = heatMap(view, slice, (row, column) => this.#zoom(slice, row, column));
    const type = `${shapeText(view.shape)} ${chosen.dtype}`;
    const head = h('header', {}, h('h2', {}, chosen.title, ' ', h('span', { class: 'type' }, type)), this.#actions(chosen));
    const parts = [head, this.#differenceSwitch(chosen), this.#axes(view, slice), this.#note(view, slice), this.#map.element, statistics(view), valuesTable(slice)];
    this.element.replaceChildren(...parts.filter((it) => it !== undefined));
    this.element.dataset.name = chosen.name;
    this.#fit();
    if (focus !== undefined && focus !== '') document.getElementById(focus)?.focus();
  }

  #fit(): void {
    const width = this.element.clientWidth;
    if (width > 0) this.#map?.resize(width);
  }

  #actions({ name }: Chosen): HTMLElement {
    const button = (label: string, kind: 'copy' | 'save'): HTMLElement =>
      h('button', { class: 'secondary', click: () => host.postMessage({ kind, name }) }, label);
    return h('div', { class: 'actions' }, button('Copy as NumPy', 'copy'), this.files && button('Save .npy…', 'save'));
  }

  #differenceSwitch({ minus }: Chosen): HTMLElement | undefined {
    if (minus === undefined) return undefined;
    const box = h('input', { type: 'checkbox', id: 'difference', change: () => void ((this.#difference = box.checked), this.#load()) });
    box.checked = this.#difference;
    return h('label', { class: 'check' }, box, `Difference from run ${minus.id}`);
  }

  /** The axes for rows and columns, and the index along every other axis. */
  #axes({ shape }: TensorView, slice: Slice): HTMLElement | undefined {
    if (shape.length < 2) return undefined;
    const change = (changed: Choice): void => this.#change({ rows: slice.rows ?? 0, columns: slice.columns ?? 0, at: slice.at, ...changed });
    const select = (label: string, id: string, now: number | null, pick: (axis: number) => void): HTMLElement => {
      const options = shape.map((extent, axis) => h('option', { value: axis, selected: axis === now }, `axis ${axis} (${extent})`));
      const box = h('select', { id, change: () => pick(Number(box.value)) }, ...options);
      return h('label', {}, `${label} `, box);
    };
    const fields = [
      select('Rows', 'rows', slice.rows, (rows) => change(rows === slice.columns ? { rows, columns: slice.rows ?? 0 } : { rows })),
      select('Columns', 'columns', slice.columns, (columns) => change(columns === slice.rows ? { columns, rows: slice.columns ?? 0 } : { columns })),
    ];
    shape.forEach((extent, axis) => {
      if (axis === slice.rows || axis === slice.columns) return;
      const pick = (): void => {
        const index = Math.min(extent - 1, Math.max(0, Math.trunc(Number(box.value)) || 0));
        change({ at: slice.at.map((old, other) => (other === axis ? index : old)) });
      };
      const box = h('input', { id: `axis-${axis}`, type: 'number', min: 0, max: extent - 1, value: slice.at[axis], change: pick });
      fields.push(h('label', {}, `Axis ${axis} `, box, h('span', { class: 'note' }, ` of ${extent}`)));
    });
    return h('div', { class: 'axes' }, ...fields);
  }

  #note({ shape }: TensorView, slice: Slice): HTMLElement | undefined {
    const whole = slice.part[2] === (slice.rows === null ? 1 : shape[slice.rows]) && slice.part[3] === (slice.columns === null ? 1 : shape[slice.columns]);
    if (slice.pool > 1) {
      return h('p', { class: 'note' }, `Each cell is the mean of ${slice.pool} × ${slice.pool} elements; double-click to zoom.`);
    }
    if (whole) return undefined;
    const [top, left, height, width] = slice.part;
    const back = h('button', { class: 'link', click: () => this.#change({ rows: slice.rows ?? 0, columns: slice.columns ?? 0, at: slice.at }) }, 'show all of it');
    return h('p', { class: 'note' }, `Rows ${top} to ${top + height - 1}, columns ${left} to ${left + width - 1}: `, back);
  }

  #zoom(slice: Slice, row: number, column: number): void {
    const start = (at: number): number => Math.max(0, at - ZOOM);
    const choice: Choice = { at: slice.at, part: [start(row), start(column), 2 * ZOOM, 2 * ZOOM] };
    if (slice.rows !== null) choice.rows = slice.rows;
    if (slice.columns !== null) choice.columns = slice.columns;
    this.#change(choice);
    say('closer');
  }
}

function statistics(view: TensorView): HTMLElement {
  const facts: [string, string][] = [
    ['min', formatScalar(view.min)],
    ['mean', formatScalar(view.mean)],
    ['max', formatScalar(view.max)],
  ];
  if (view.nan > 0) facts.push(['NaN', String(view.nan)]);
  if (view.inf > 0) facts.push(['Inf', String(view.inf)]);
  const list = facts.map(([name, value]) => h('div', { class: name === 'NaN' || name === 'Inf' ? 'bad' : '' }, h('dt', {}, name), h('dd', {}, value)));
  return h('div', { class: 'statistics' }, histogram(view, 160, 40), h('dl', {}, ...list));
}

/** The same values as text, for screen readers. */
function valuesTable(slice: Slice): HTMLElement {
  const details = h('details', { class: 'values' }, h('summary', {}, 'Values as a table'));
  details.addEventListener('toggle', () => {
    if (!details.open || details.childElementCount > 1) return;
    const index = (start: number, at: number): string => String(start + at * slice.pool);
    const head = h('tr', {}, h('td'), ...(slice.values[0] ?? []).map((_, at) => h('th', { scope: 'col' }, index(slice.part[1], at))));
    const rows = slice.values.map((line, at) =>
      h('tr', {}, h('th', { scope: 'row' }, index(slice.part[0], at)), ...line.map((value) => h('td', {}, formatScalar(value)))),
    );
    details.append(h('div', { class: 'scroll', tabindex: 0 }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows))));
  });
  return details;
}
