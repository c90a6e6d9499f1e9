// The page of the graph: draws what the extension tells, moves in it by mouse and keyboard, and says which node is
// wanted in the source.

import type { Graph } from '../../src/graph/graph';
import type { ToGraphPage } from '../../src/graph/messages';
import { byId, h, say, svg, tip } from '../elements';
import { host } from '../host';
import { HUES, MEANINGS, hueOf } from './colours';
import { type Picture, draw } from './draw';
import type { Size } from './layout';
import { type View, fitted, moved, opening, showing, zoomed } from './view';
import { type Spread, spread } from './spread';
import { isKey, step } from './walk';

const ZOOM = 1.25;
/** Pixels that the pointer may tremble in a click. */
const STILL = 4;

let graph: Graph | undefined;
/** What is drawn of it; below, nodes are those of the drawing. */
let drawn: Spread | undefined;
let picture: Picture | undefined;
let view: View = { scale: 1, x: 0, y: 0 };
/** In the graph itself. */
let marked: number | undefined;
/** Where the keyboard is. */
let current = 0;

const head = h('div', { id: 'head' });
const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
const canvas = svg('svg', { id: 'canvas', role: 'application', 'aria-roledescription': 'graph', tabindex: 0, 'aria-label': 'Dataflow graph. Up and Down follow operands and uses, Enter shows the source.' });
const legend = h('div', { id: 'legend' });
canvas.append(
  svg('defs', {}, svg('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerUnits: 'userSpaceOnUse', markerWidth: 8, markerHeight: 8, orient: 'auto' }, svg('path', { d: 'M0,0.5L8,4L0,7.5z' }))),
);
byId('page').append(head, problem, canvas, legend);

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

function fit(): void {
  if (picture !== undefined) look(fitted(picture.drawing, room()));
}

function go(node: number, centre = false): void {
  host.postMessage({ kind: 'go', node: drawn?.origin[node] ?? node, centre });
}

function reveal(node: number): void {
  const box = picture?.drawing.nodes[node];
  if (box !== undefined) look(showing(view, room(), box));
}

/** Marks the edges of a node, and says their arguments. */
function light(node: number): void {
  current = node;
  picture?.nodes.forEach((element, at) => element.setAttribute('tabindex', at === node ? '0' : '-1'));
  for (const edge of picture?.element.querySelectorAll<SVGGElement>('.edge') ?? []) {
    edge.classList.toggle('lit', edge.dataset['from'] === String(node) || edge.dataset['to'] === String(node));
  }
}

function mark(node: number | undefined): void {
  marked = node;
  picture?.nodes.forEach((element, at) => {
    const here = node !== undefined && drawn?.origin[at] === node;
    element.classList.toggle('marked', here);
    if (here) element.setAttribute('aria-current', 'true');
    else element.removeAttribute('aria-current');
  });
  if (node === undefined) return;
  light(node);
  // Who walks in the graph by keyboard looks after the view alone.
  if (!canvas.contains(document.activeElement)) reveal(node);
}

function header({ function: name, nodes, total }: Graph, file: string, line: number): HTMLElement {
  const place = h('button', { class: 'link', click: () => host.postMessage({ kind: 'reveal' }) }, `${file}:${line + 1}`);
  const part = nodes.length < total && h('p', { class: 'note' }, `${nodes.length} of ${total.toLocaleString('en')} values: those around the cursor. Double-click one, or press C, for those around it.`);
  const tools = [
    h('button', { class: 'secondary', title: 'Smaller (−)', 'aria-label': 'Smaller', click: () => zoom(1 / ZOOM) }, '−'),
    h('button', { class: 'secondary', title: 'Larger (+)', 'aria-label': 'Larger', click: () => zoom(ZOOM) }, '+'),
    h('button', { class: 'secondary', title: 'Show all (0)', click: fit }, 'Fit'),
    h('button', { class: 'secondary', title: 'Copy as text for Graphviz', click: () => host.postMessage({ kind: 'copy' }) }, 'Copy DOT'),
  ];
  return h('header', {}, h('div', {}, h('h1', {}, name), place), h('div', { class: 'actions' }, ...tools), part);
}

function show(next: Graph, file: string): void {
  const before = { graph, picture, box: marked === undefined ? undefined : picture?.drawing.nodes[marked] };
  const focused = canvas.contains(document.activeElement) && document.activeElement !== canvas;
  graph = next;
  problem.hidden = true;
  head.replaceChildren(header(next, file, next.line));
  drawn = spread(next);
  picture = draw(drawn.graph, { go, centre: (node) => go(node, next.nodes.length < next.total), enter: light });
  before.picture?.element.remove();
  canvas.append(picture.element);
  const used = HUES.filter((hue) => next.nodes.some((node) => (node.kind === 'operator' || node.kind === 'call') && hueOf(node) === hue));
  legend.replaceChildren(...used.map((hue) => h('span', { class: `key ${hue}` }, MEANINGS[hue])));
  const focus = next.focus ?? 0;
  const box = picture.drawing.nodes[focus];
  if (before.graph?.function !== next.function) {
    look(opening(picture.drawing, room(), next.focus === undefined ? undefined : box));
    say(`Graph of ${next.function}, ${next.nodes.length} values`);
  } else if (before.box !== undefined && next.focus !== undefined && box !== undefined) {
    // What one looks at stays where it was.
    look(moved(view, (before.box.x - box.x) * view.scale, (before.box.y - box.y) * view.scale));
  } else {
    look(view);
  }
  current = Math.min(next.focus ?? current, next.nodes.length - 1);
  light(current);
  if (focused) picture.nodes[current]?.focus({ preventScroll: true });
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
  // What was in the middle stays there.
  if (width > 0) look(moved(view, (now - width) / 2, 0));
  width = now;
}).observe(canvas);

addEventListener('message', ({ data }: MessageEvent<ToGraphPage>) => {
  if (data.kind === 'graph') show(data.graph, data.file);
  else if (data.kind === 'problem') complain(data.message);
  else mark(data.node);
});
host.postMessage({ kind: 'ready' });
