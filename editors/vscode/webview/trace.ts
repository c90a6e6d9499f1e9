// A traced run: the time as a flame chart and a table, and every binding with its value.

import type { State } from '../src/panel/messages';
import type { Trace, TracedBinding } from '../src/protocol';
import { formatSeconds, typeOf } from '../src/results';
import { type Bar, flame, timeline } from '../src/runs/flame';
import { rangeText } from '../src/runs/lineNotes';
import { h, svg, tip } from './elements';
import { host } from './host';

/** The maximum number of rows; a trace may have thousands. */
const MOST = 500;
const HEIGHT = 22;
/** Hues of the theme's charts. Red is for errors, and orange is transparent. */
const HUES = ['blue', 'green', 'purple', 'yellow'];

export function trace(state: State, open: (binding: TracedBinding) => void): HTMLElement | undefined {
  const found = state.shown?.result.trace;
  if (found === undefined || found.bindings.length === 0) return undefined;
  const show = (binding: TracedBinding): void => {
    open(binding);
    if (binding.range !== undefined) host.postMessage({ kind: 'reveal', line: binding.range.start.line });
  };
  return h(
    'section',
    { class: 'trace', 'aria-label': 'Trace' },
    h('h2', {}, 'Time ', h('span', { class: 'type' }, `peak memory ${bytes(found.peak)}`)),
    charts(found, state.subject.function, show),
    profile(found),
    bindings(found, show),
  );
}

/** Whether the bars are a timeline; kept while runs follow each other. */
let inOrder = false;

function charts(found: Trace, label: string, show: (binding: TracedBinding) => void): HTMLElement {
  const choice = h('select', { id: 'time-by', 'aria-label': 'Time by', change: () => void ((inOrder = choice.value === 'order'), draw()) });
  choice.append(h('option', { value: 'operator', selected: !inOrder }, 'by operator'), h('option', { value: 'order', selected: inOrder }, 'in order of execution'));
  const bars = h('div');
  const draw = (): void => bars.replaceChildren(chart(inOrder ? timeline(found) : flame(found, label), found, show));
  draw();
  return h('div', {}, choice, bars);
}

function chart(bars: readonly Bar[], { bindings }: Trace, show: (binding: TracedBinding) => void): HTMLElement {
  const depths = Math.max(0, ...bars.map(({ depth }) => depth + 1));
  const picture = svg('svg', { class: 'flame', height: depths * HEIGHT, width: '100%', role: 'group', 'aria-label': 'Flame chart' });
  const operators = [...new Set(bars.flatMap(({ callee }) => callee ?? []))];
  for (const bar of bars) {
    const hue = bar.callee === undefined ? 'root' : (HUES[operators.indexOf(bar.callee) % HUES.length] ?? 'blue');
    const times = bar.calls > 1 ? `, ${bar.calls} calls` : '';
    const label = `${bar.label}: ${formatSeconds(bar.seconds)} (${(bar.width * 100).toFixed(1)} %)${times}`;
    const binding = bar.binding === undefined ? undefined : bindings[bar.binding];
    const inner = svg('svg', { x: `${bar.start * 100}%`, y: bar.depth * HEIGHT, width: `${bar.width * 100}%`, height: HEIGHT - 1 });
    const rectangle = svg('rect', { class: hue, width: '100%', height: '100%' });
    inner.append(rectangle, svg('text', { x: 4, y: HEIGHT / 2 + 3 }, bar.label));
    const press = binding === undefined ? undefined : (): void => show(binding);
    const box = svg('g', { tabindex: 0, role: press === undefined ? 'img' : 'button', 'aria-label': label, class: `depth-${bar.depth}` }, inner);
    box.addEventListener('mousemove', (event) => tip(label, event.clientX, event.clientY));
    box.addEventListener('mouseleave', () => tip(undefined));
    if (press !== undefined) {
      box.addEventListener('click', press);
      box.addEventListener('keydown', (event) => (event.key === 'Enter' || event.key === ' ') && press());
    }
    picture.append(box);
  }
  return h('div', { class: 'chart' }, picture);
}

function profile({ profile: rows }: Trace): HTMLElement {
  const total = rows.reduce((sum, { seconds }) => sum + seconds, 0) || 1;
  const lines = rows.slice(0, MOST).map(({ callee, calls, seconds }) =>
    h('tr', {}, h('th', { scope: 'row' }, callee), h('td', { class: 'number' }, String(calls)), h('td', { class: 'number' }, formatSeconds(seconds)), h('td', { class: 'number' }, `${((seconds / total) * 100).toFixed(1)} %`)),
  );
  const titles = ['Operator', 'Calls', 'Time', 'Share'].map((title) => h('th', { scope: 'col' }, title));
  return h('details', {}, h('summary', {}, `Operators (${rows.length})`), h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ...titles)), h('tbody', {}, ...lines))));
}

function bindings(found: Trace, show: (binding: TracedBinding) => void): HTMLElement {
  const lines = found.bindings.slice(0, MOST).map((binding) => {
    const { name, callee, seconds, value, range, kept } = binding;
    const bad = value.kind === 'tensor' && value.nan + value.inf > 0;
    const label = h('button', { class: 'link', disabled: kept === undefined && range === undefined, click: () => show(binding) }, name);
    const line = range === undefined ? '' : String(range.start.line + 1);
    return h('tr', { class: bad ? 'bad' : '' }, h('td', { class: 'number' }, line), h('th', { scope: 'row' }, label), h('td', {}, callee), h('td', { class: 'type' }, typeOf(value)), h('td', {}, rangeText(value)), h('td', { class: 'number' }, formatSeconds(seconds)));
  });
  const more = found.bindings.length + found.dropped - lines.length;
  const titles = ['Line', 'Binding', 'Computed by', 'Value', 'Range', 'Time'].map((title) => h('th', { scope: 'col' }, title));
  return h(
    'details',
    { open: true },
    h('summary', {}, `Bindings (${found.bindings.length + found.dropped})`),
    h('div', { class: 'scroll' }, h('table', { class: 'bindings' }, h('thead', {}, h('tr', {}, ...titles)), h('tbody', {}, ...lines))),
    more > 0 && h('p', { class: 'note' }, `and ${more} more`),
  );
}

function bytes(count: number): string {
  if (count < 1 << 10) return `${count} B`;
  if (count < 1 << 20) return `${(count / (1 << 10)).toFixed(1)} KB`;
  return `${(count / (1 << 20)).toFixed(1)} MB`;
}
