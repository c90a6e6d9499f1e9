// The page of the graph: draws it, moves by mouse and keyboard, and asks the extension to show nodes in the source.

import type { Graph } from '../../src/graph/graph';
import type { ToGraphPage } from '../../src/graph/messages';
import { type Overlay, costOverlays, traceOverlays } from '../../src/graph/overlays';
import { byId, h, menu, say, svg, tip } from '../elements';
import { host } from '../host';
import { CHANGES, HUES, MEANINGS, hueOf } from './colours';
import { type Picture, draw } from './draw';
import { Boxes, type Folded, type Origin, fold, found } from './fold';
import { pngUrl, svgText, svgUrl } from './image';
import type { Box, Size } from './layout';
import { lines } from './list';
import { dtypeTints, tints } from './overlay';
import { type View, fits, fitted, moved, opening, showing, zoomed } from './view';
import { type Spread, spread } from './spread';
import { isKey, step } from './walk';

const ZOOM = 1.25;
/** The pointer may move this many pixels during a click. */
const STILL = 4;
/** Initially, boxes are open as long as at most this many nodes are drawn. */
const OPENED = 60;
/** *Fit* closes boxes until so many nodes are drawn. */
const FEWER = [40, 25, 15, 8, 0];
/** The keys of the page. */
const KEYS = [
  ['↑ ↓', 'operand, use'],
  ['← →', 'value beside'],
  ['Home End', 'first, last value'],
  ['Enter', 'show in the source, or open a box'],
  ['X', 'close the box around'],
  ['C', 'of a large function, show what is around the value'],
  ['/', 'find'],
  ['+ − 0', 'zoom in, zoom out, fit'],
] as const;

let graph: Graph | undefined;
let boxes: Boxes | undefined;
/** The groups whose boxes are open. */
let open: Set<number> = new Set();
/** The drawing. Nodes below are nodes of the drawing. */
let folded: Folded | undefined;
let drawn: Spread | undefined;
let picture: Picture | undefined;
let view: View = { scale: 1, x: 0, y: 0 };
/** The marked node, by its index in the graph. */
let marked: number | undefined;
/** The node that has the keyboard focus, by its index in the drawing. */
let current = 0;

const head = h('div', { id: 'head' });
const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
const canvas = svg('svg', { id: 'canvas', role: 'application', 'aria-roledescription': 'graph', tabindex: 0, 'aria-label': 'Dataflow graph. Up and Down follow operands and uses, Enter shows the source or opens a box, X closes the box around, slash finds.' });
const legend = h('div', { id: 'legend' });
const marker = svg('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerUnits: 'userSpaceOnUse', markerWidth: 8, markerHeight: 8, orient: 'auto' }, svg('path', { d: 'M0,0.5L8,4L0,7.5z' }));
canvas.append(svg('defs', {}, marker));
const list = h('details', { id: 'list' }, h('summary', {}, 'List of values'));
list.addEventListener('toggle', () => fillList());
byId('page').append(head, problem, canvas, list, legend);

function room(): Size {
  const { width, height } = canvas.getBoundingClientRect();
  return { width, height };
}

function look(next: View): void {
  view = next;
  picture?.element.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`);
}

function zoom(factor: number, at: { x: number; y: number } = { x: room().width / 2, y: room().height / 2 }): void {
  look(zoomed(view, factor, at));
}

/** Shows the whole graph, with as many boxes closed as it takes to be readable. */
function fit(): void {
  if (picture === undefined || boxes === undefined) return;
  const focused = canvas.contains(document.activeElement) && document.activeElement !== canvas;
  for (const most of FEWER) {
    if (fits(picture.drawing, room())) break;
    const fewer = [...boxes.opened(most)].filter((it) => open.has(it));
    if (fewer.length === open.size) continue;
    open = new Set(fewer);
    redraw();
    light(0);
    if (focused) picture.nodes[0]?.focus({ preventScroll: true });
  }
  look(fitted(picture.drawing, room(), picture.drawing.nodes[0]));
}

async function save(type: 'svg' | 'png'): Promise<void> {
  if (graph === undefined || picture === undefined) return;
  try {
    const text = svgText(picture, marker, graph.function);
    const url = type === 'svg' ? svgUrl(text) : await pngUrl(text, picture.drawing);
    host.postMessage({ kind: 'save', name: `${graph.function}.${type}`, url });
  } catch (error) {
    complain(`The picture cannot be made: ${String(error)}`);
  }
}

function originOf(node: number): Origin | undefined {
  return folded?.origins[drawn?.origin[node] ?? node];
}

/** Opens a closed box. For any other node, shows its source. */
function go(node: number, centre = false): void {
  const origin = originOf(node);
  if (origin === undefined) return;
  if ('group' in origin) toggle(origin.group);
  else host.postMessage({ kind: 'go', node: origin.node, centre });
}

/** Opens or closes a box, which stays in its place. */
function toggle(group: number): void {
  if (graph === undefined || boxes === undefined) return;
  const before = boxOf(group);
  const inside = open.has(group);
  if (inside) open.delete(group);
  else open.add(group);
  redraw();
  const after = boxOf(group);
  look(before === undefined || after === undefined ? view : moved(view, (before.x - after.x) * view.scale, (before.y - after.y) * view.scale));
  const first = folded?.origins.findIndex((it) => (inside ? 'group' in it && it.group === group : 'node' in it && boxes?.around(graph?.nodes[it.node]?.group).includes(group) === true));
  current = Math.max(0, first ?? 0);
  light(current);
  picture?.nodes[current]?.focus({ preventScroll: true });
  say(`${graph.groups[group]?.label ?? ''} ${inside ? 'closed' : 'opened'}`);
}

/** The rectangle of a box, open or closed. */
function boxOf(group: number): Box | undefined {
  const open = picture?.drawing.groups.get(group);
  const closed = drawn?.origin.findIndex((at) => {
    const origin = folded?.origins[at];
    return origin !== undefined && 'group' in origin && origin.group === group;
  });
  return open ?? (closed === undefined ? undefined : picture?.drawing.nodes[closed]);
}

/** Returns the drawn node for a node of the graph: itself, or the closed box around it. */
function drawnOf(node: number): number | undefined {
  const box = boxes?.closedAround(graph?.nodes[node]?.group, open);
  const at = drawn?.origin.findIndex((it) => {
    const origin = folded?.origins[it];
    return origin !== undefined && (box === undefined ? 'node' in origin && origin.node === node : 'group' in origin && origin.group === box);
  });
  return at === undefined || at < 0 ? undefined : at;
}

/** Searches for words. Each repetition goes to the next match. */
function search(words: string): void {
  if (graph === undefined || boxes === undefined) return;
  const places = found(graph, words);
  result.textContent = words.trim() === '' ? '' : places.length === 0 ? 'nothing found' : `${places.length} found`;
  const next = places.find((it) => lastFound !== undefined && it > lastFound) ?? places[0];
  lastFound = next;
  if (next === undefined) return;
  const at = reach(next);
  picture?.nodes.forEach((element, it) => element.classList.toggle('found', it === at));
}

/** Opens the boxes around a node, and moves to it. */
function reach(node: number): number | undefined {
  for (const box of boxes?.boxesAround(node) ?? []) open.add(box);
  redraw();
  const at = drawnOf(node);
  if (at === undefined) return undefined;
  light(at);
  reveal(at);
  return at;
}

function fillList(): void {
  list.querySelector('ul')?.remove();
  if (graph === undefined || !list.open) return;
  const select = (node: number): void => {
    const at = reach(node);
    mark(node);
    if (at !== undefined) picture?.nodes[at]?.focus({ preventScroll: true });
  };
  list.append(h('ul', {}, ...lines(graph).map((line, at) => h('li', {}, h('button', { class: 'link', click: () => select(at) }, line)))));
}

/** The available overlays. `dtype` is always available. */
let overlays: readonly Overlay[] = [];
const KIND = 'op kind';
const DTYPE = 'dtype';
const coloured = h('select');
coloured.addEventListener('change', () => redraw());
// Costs are requested when their overlay is chosen, and again after an edit.
coloured.addEventListener('pointerdown', () => host.postMessage({ kind: 'measure' }));
coloured.addEventListener('focus', () => host.postMessage({ kind: 'measure' }));
coloured.addEventListener('keydown', (event) => event.stopPropagation());

function offer(next: readonly Overlay[]): void {
  overlays = next;
  const names = [KIND, DTYPE, ...next.map(({ name }) => name)];
  const shown = [...coloured.options].map(({ value }) => value);
  if (names.join() !== shown.join()) {
    const chosen = coloured.value;
    coloured.replaceChildren(...names.map((name) => h('option', { value: name }, name)));
    coloured.value = names.includes(chosen) ? chosen : KIND;
  }
  if (coloured.value !== KIND) redraw();
}

/** Colours the drawing by the chosen overlay, and shows its numbers in place of names. */
function tint(): void {
  if (graph === undefined || boxes === undefined || folded === undefined || drawn === undefined || picture === undefined) return;
  const overlay = overlays.find(({ name }) => name === coloured.value);
  const found = overlay === undefined ? (coloured.value === DTYPE ? dtypeTints(graph, folded.origins) : []) : tints(overlay, boxes, folded.origins, open);
  const origin = drawn.origin;
  picture.nodes.forEach((element, at) => {
    const tinted = found[origin[at] ?? at];
    if (tinted === undefined) {
      element.classList.toggle('plain', coloured.value !== KIND);
      return;
    }
    if ('share' in tinted) {
      element.classList.add('heat');
      element.style.setProperty('--share', `${Math.round(8 + 82 * tinted.share)}%`);
    } else element.classList.add(`hue${tinted.hue}`);
    const detail = element.querySelector('.detail');
    if (detail !== null) detail.textContent = tinted.text;
  });
}

let lastFound: number | undefined;
const result = h('span', { class: 'note', role: 'status' });
const searched = h('input', { type: 'search', placeholder: 'Find', 'aria-label': 'Find a value, an operator or a module; Enter finds the next' });
searched.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') search(searched.value);
  else if (event.key === 'Escape') canvas.focus();
  event.stopPropagation();
});

function reveal(node: number): void {
  const box = picture?.drawing.nodes[node];
  if (box !== undefined) look(showing(view, room(), box));
}

/** Highlights the edges of a node, with their arguments. */
function light(node: number): void {
  current = node;
  picture?.nodes.forEach((element, at) => element.setAttribute('tabindex', at === node ? '0' : '-1'));
  for (const edge of picture?.element.querySelectorAll<SVGGElement>('.edge') ?? []) {
    edge.classList.toggle('lit', edge.dataset['from'] === String(node) || edge.dataset['to'] === String(node));
  }
}

function mark(node: number | undefined): void {
  marked = node;
  const shown = node === undefined ? undefined : drawnOf(node);
  picture?.nodes.forEach((element, at) => {
    const here = shown !== undefined && drawn?.origin[at] === drawn?.origin[shown];
    element.classList.toggle('marked', here);
    if (here) element.setAttribute('aria-current', 'true');
    else element.removeAttribute('aria-current');
  });
  if (shown === undefined) return;
  light(shown);
  // Moving by keyboard scrolls the view itself.
  if (!canvas.contains(document.activeElement)) reveal(shown);
}

function header({ function: name, nodes, total, dot }: Graph, file: string, line: number): HTMLElement {
  const place = file !== '' && h('button', { class: 'link', click: () => host.postMessage({ kind: 'reveal' }) }, `${file}:${line + 1}`);
  const part = nodes.length < total && h('p', { class: 'note' }, `${nodes.length} of ${total.toLocaleString('en')} values: those around the cursor. Double-click one, or press C, for those around it.`);
  const button = (label: string, title: string, click: () => void, text = label): HTMLElement => h('button', { class: 'secondary', title, 'aria-label': label, click }, text);
  const keys = KEYS.flatMap(([key, meaning]) => [h('dt', {}, key), h('dd', {}, meaning)]);
  const tools = [
    searched,
    result,
    h('label', {}, 'Color by ', coloured),
    button('Zoom out', 'Zoom out (−)', () => zoom(1 / ZOOM), '−'),
    button('Zoom in', 'Zoom in (+)', () => zoom(ZOOM), '+'),
    button('Fit', 'Show all (0)', fit),
    menu(
      'Export',
      'Save or copy the graph',
      button('SVG', 'Save as SVG', () => void save('svg')),
      button('PNG', 'Save as PNG', () => void save('png')),
      dot !== '' && button('Copy DOT', 'Copy as text for Graphviz', () => host.postMessage({ kind: 'copy' })),
    ),
    menu('Keys', 'Keys of the graph', h('dl', {}, ...keys)),
  ];
  return h('header', {}, h('div', {}, h('h1', {}, name), place), h('div', { class: 'actions' }, ...tools), part);
}

/** Draws the graph with the boxes that are open. */
function redraw(): void {
  if (graph === undefined || boxes === undefined) return;
  const partly = graph.nodes.length < graph.total;
  folded = fold(graph, open, boxes);
  drawn = spread(folded.graph);
  picture?.element.remove();
  picture = draw(drawn.graph, { go, centre: (node) => partly && go(node, true), enter: light, close: toggle });
  canvas.append(picture.element);
  tint();
}

/** Returns the boxes of the next graph that were open before, by their labels. */
function kept(before: Graph, next: Graph): Set<number> {
  const labels = new Set([...open].map((it) => before.groups[it]?.label));
  return new Set(next.groups.flatMap(({ label }, at) => (labels.has(label) ? [at] : [])));
}

function show(next: Graph, file: string): void {
  const shown = marked === undefined ? undefined : drawnOf(marked);
  const before = { graph, box: shown === undefined ? undefined : picture?.drawing.nodes[shown] };
  const focused = canvas.contains(document.activeElement) && document.activeElement !== canvas;
  boxes = new Boxes(next);
  open = before.graph?.function === next.function ? kept(before.graph, next) : boxes.opened(OPENED, next.focus);
  graph = next;
  // They belonged to another graph.
  offer([]);
  if (coloured.value !== KIND) host.postMessage({ kind: 'measure' });
  problem.hidden = true;
  head.replaceChildren(header(next, file, next.line));
  fillList();
  redraw();
  if (picture === undefined) return;
  const used = HUES.filter((hue) => next.nodes.some((node) => (node.kind === 'operator' || node.kind === 'call') && hueOf(node) === hue));
  const changes = Object.entries(CHANGES).filter(([kind]) => next.nodes.some(({ change }) => change?.kind === kind));
  const key = (name: string, meaning: string): HTMLElement => h('span', { class: `key ${name}` }, meaning);
  legend.replaceChildren(...changes.map(([kind, meaning]) => key(kind, meaning)), ...used.map((hue) => key(hue, MEANINGS[hue])));
  const focus = drawnOf(next.focus ?? 0) ?? 0;
  const box = picture.drawing.nodes[focus];
  if (before.graph?.function !== next.function) {
    look(opening(picture.drawing, room(), next.focus === undefined ? undefined : box, box));
    say(`Graph of ${next.function}, ${next.nodes.length} values`);
  } else if (before.box !== undefined && next.focus !== undefined && box !== undefined) {
    // Keep the clicked node where it was.
    look(moved(view, (before.box.x - box.x) * view.scale, (before.box.y - box.y) * view.scale));
  } else {
    look(view);
  }
  current = next.focus === undefined ? Math.min(current, picture.nodes.length - 1) : focus;
  light(current);
  if (focused) picture.nodes[current]?.focus({ preventScroll: true });
}

/** Closes the innermost open box around a node. */
function closeAround(node: number): void {
  const origin = originOf(node);
  if (graph === undefined || boxes === undefined || origin === undefined) return;
  const group = 'node' in origin ? graph.nodes[origin.node]?.group : graph.groups[origin.group]?.parent;
  const box = boxes.around(group).find((it) => boxes?.isBox(it) === true && open.has(it));
  if (box !== undefined) toggle(box);
}

function complain(message: string): void {
  problem.textContent = message;
  problem.hidden = false;
}

function press(event: KeyboardEvent): void {
  if (graph === undefined || drawn === undefined || picture === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isKey(event.key)) {
    const next = document.activeElement === canvas ? current : step(drawn.graph, picture.drawing.nodes, current, event.key);
    picture.nodes[next]?.focus({ preventScroll: true });
    reveal(next);
  } else if (event.key === 'Enter' || event.key === ' ') go(current);
  else if (event.key === 'c') go(current, graph.nodes.length < graph.total);
  else if (event.key === 'x') closeAround(current);
  else if (event.key === '/') searched.focus();
  else if (event.key === '+' || event.key === '=') zoom(ZOOM);
  else if (event.key === '-') zoom(1 / ZOOM);
  else if (event.key === '0') fit();
  else return;
  event.preventDefault();
}

canvas.addEventListener('keydown', press);
canvas.addEventListener(
  'wheel',
  (event) => {
    event.preventDefault();
    const { left, top } = canvas.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) zoom(Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top });
    else look(moved(view, -(event.shiftKey ? event.deltaY : event.deltaX), -(event.shiftKey ? 0 : event.deltaY)));
  },
  { passive: false },
);
canvas.addEventListener('pointerdown', (down) => {
  if (down.button !== 0) return;
  const start = view;
  let dragged = false;
  const drag = (event: PointerEvent): void => {
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!dragged && Math.hypot(x, y) < STILL) return;
    dragged = true;
    tip(undefined);
    canvas.setPointerCapture(down.pointerId);
    canvas.classList.add('dragged');
    look(moved(start, x, y));
  };
  const drop = (): void => {
    canvas.removeEventListener('pointermove', drag);
    canvas.classList.remove('dragged');
  };
  canvas.addEventListener('pointermove', drag);
  canvas.addEventListener('pointerup', drop, { once: true });
  canvas.addEventListener('pointercancel', drop, { once: true });
});

let width = 0;
new ResizeObserver(() => {
  const now = room().width;
  // Keep the middle of the view in the middle.
  if (width > 0) look(moved(view, (now - width) / 2, 0));
  width = now;
}).observe(canvas);

addEventListener('message', ({ data }: MessageEvent<ToGraphPage>) => {
  if (data.kind === 'graph') show(data.graph, data.file);
  else if (data.kind === 'measures') offer(graph === undefined ? [] : [...costOverlays(graph, data.costs), ...traceOverlays(graph, data.traced)]);
  else if (data.kind === 'problem') complain(data.message);
  else mark(data.node);
});
host.postMessage({ kind: 'ready' });
