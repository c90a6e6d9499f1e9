// The outcome of the shown run: a message, the position of an error, printed text, and a table of the outputs.

import type { Output } from '../src/protocol';
import type { State } from '../src/panel/messages';
import { formatDims, formatScalar, formatSeconds, typeOf, warnings } from '../src/results';
import { h } from './elements';
import { host } from './host';
import { histogram } from './histogram';
import { ask } from './tensors';
import { tree } from './tree';

/** With more outputs, histograms are not shown by default. */
const MANY = 12;

export function outcome({ shown }: State): HTMLElement {
  if (shown === undefined) return h('p', { class: 'note' }, 'Not run yet.');
  const { result } = shown;
  if (result.ok) {
    const dims = formatDims(result.dims);
    const line = h('p', { class: 'done' }, h('span', { class: 'good' }, '✓'), ` Finished in ${formatSeconds(result.seconds)}`, dims === '' ? '' : ` · ${dims}`);
    return h('div', {}, line, unused(result.unusedWeights), printed(result.stdout));
  }
  if (result.cancelled) return h('p', { class: 'note' }, 'Cancelled.');
  const { message, range } = result.error;
  const go = range && h('button', { class: 'link', click: () => host.postMessage({ kind: 'reveal' }) }, `Go to line ${range.start.line + 1}`);
  return h('div', { class: 'error', role: 'alert' }, h('p', {}, `✗ ${message}`), go);
}

function unused(names: readonly string[] = []): HTMLElement | undefined {
  return names.length === 0 ? undefined : h('p', { class: 'note' }, `Weights that no parameter takes: ${names.join(', ')}`);
}

function printed(text: string): HTMLElement | undefined {
  return text === '' ? undefined : h('pre', { 'aria-label': 'printed', tabindex: 0 }, text.replace(/\n$/, ''));
}

export function outputs(state: State, open: (output: Output) => void, selected: string | undefined): HTMLElement | undefined {
  const result = state.shown?.result;
  if (result?.ok !== true || result.outputs.length === 0) return undefined;
  const changed = new Map(state.comparison?.changes.map((change) => [change.name, change.parts]));
  const rows = result.outputs.map((output, index) => row(output, result.run, index < MANY, open, output.name === selected, changed.get(output.name)));
  const titles = ['Output', 'Type', 'Min', 'Mean', 'Max', 'Histogram'].map((title) => h('th', { scope: 'col' }, title));
  return h('div', { class: 'scroll' }, h('table', { class: 'outputs' }, h('thead', {}, h('tr', {}, ...titles)), h('tbody', {}, ...rows)), comparison(state));
}

function row(output: Output, run: number | undefined, eager: boolean, open: (output: Output) => void, selected: boolean, changed: readonly string[] | undefined): HTMLElement {
  const cells: HTMLElement[] = [];
  if (output.kind === 'tensor') {
    for (const key of ['min', 'mean', 'max'] as const) cells.push(h('td', { class: 'number' }, output[key] === undefined ? '–' : formatScalar(output[key], 5)));
    const picture = h('td');
    if (eager && run !== undefined) {
      ask({ run, name: output.name }).then(
        (view) => picture.replaceChildren(histogram(view, 72, 18)),
        () => picture.replaceChildren('–'),
      );
    }
    cells.push(picture);
  } else {
    cells.push(h('td', { colspan: 4 }));
  }
  const name =
    output.kind === 'tensor'
      ? h('button', { class: 'link', 'aria-pressed': String(selected), title: 'Show the tensor', click: () => open(output) }, output.name)
      : h('span', {}, output.name);
  const bad = warnings(output);
  const mark = changed === undefined ? undefined : h('span', { class: 'changed', title: changed.join('\n') }, ' changed');
  const type = output.kind === 'tree' ? tree(output) : typeOf(output);
  return h('tr', { class: selected ? 'selected' : '' }, h('th', { scope: 'row' }, name, mark), h('td', { class: 'type' }, type, bad !== undefined && h('span', { class: 'bad' }, ` ${bad}`)), ...cells);
}

function comparison({ comparison: found }: State): HTMLElement | undefined {
  if (found === undefined) return undefined;
  if (found.changes.length === 0) return h('p', { class: 'note' }, `Statistics are the same as in run ${found.id}.`);
  const items = found.changes.map(({ name, parts }) => h('li', {}, h('code', {}, name), ` ${parts.join(', ')}`));
  return h('div', { class: 'note' }, `Against run ${found.id}:`, h('ul', {}, ...items));
}
