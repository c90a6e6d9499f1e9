// The list of runs: which one is shown, and which one it is compared with.

import type { Past, State } from '../src/panel/messages';
import { h } from './elements';
import { host } from './host';

const MARKS = { ok: '✓', error: '✗', cancelled: '–' } as const;

export function history({ history: runs, shown, comparison }: State): HTMLElement | undefined {
  if (runs.length < 2) return undefined;
  const rows = runs.map((run) => row(run, run.id === shown?.id));
  const others = runs.filter((run) => run.id !== shown?.id && run.outcome === 'ok');
  const options = others.map(({ id, function: name, dims }) => h('option', { value: id, selected: id === comparison?.id }, `run ${id}: ${name}${dims === '' ? '' : `, ${dims}`}`));
  const pick = (): void => host.postMessage({ kind: 'compare', id: box.value === '' ? null : Number(box.value) });
  const box = h('select', { id: 'compare', change: pick }, h('option', { value: '', selected: comparison === undefined }, 'nothing'), ...options);
  const titles = ['Run', 'At', 'Function', 'Dimensions', 'Outcome'].map((title) => h('th', { scope: 'col' }, title));
  return h(
    'details',
    { class: 'history', open: true },
    h('summary', {}, `Runs (${runs.length})`),
    h('label', {}, 'Compare with ', box),
    h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ...titles)), h('tbody', {}, ...rows))),
  );
}

function row({ id, when, function: name, dims, outcome, summary }: Past, shown: boolean): HTMLElement {
  const time = new Date(when).toLocaleTimeString();
  const label = h('button', { class: 'link', 'aria-pressed': String(shown), 'aria-label': `Show run ${id}`, click: () => host.postMessage({ kind: 'select', id }) }, String(id));
  return h('tr', { class: shown ? 'selected' : '' }, h('th', { scope: 'row' }, label), h('td', {}, time), h('td', {}, name), h('td', {}, dims), h('td', { class: outcome === 'error' ? 'bad' : '' }, `${MARKS[outcome]} ${summary}`));
}
