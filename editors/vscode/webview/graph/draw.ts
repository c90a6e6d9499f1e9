// Draws nodes, edges and groups as SVG.

import { type Graph, type GraphNode, describe, titleOf } from '../../src/graph/graph';
import { svg, tip } from '../elements';
import { hueOf } from './colours';
import { isBox } from './fold';
import { type Drawing, type Size, path, place } from './layout';

const TITLE = 12;
const DETAIL = 10.5;
const PAD = 10;
const HEIGHT = 38;
/** The height of each line below the second. */
const LINE = 14;
/** Longer names are cut; the tooltip shows them whole. */
const LONGEST = 30;
/** Further weights of a node are counted. */
const WEIGHTS = 5;

export interface Picture {
  drawing: Drawing;
  element: SVGGElement;
  nodes: readonly SVGGElement[];
}

export interface Presses {
  go: (node: number) => void;
  centre: (node: number) => void;
  enter: (node: number) => void;
  /** Closes the box of a group. */
  close: (group: number) => void;
}

export function draw(graph: Graph, presses: Presses): Picture {
  const measure = ruler();
  const sizes = graph.nodes.map((node): Size => {
    const weights = weightsOf(node);
    const widest = Math.max(measure(cut(titleOf(node)), TITLE, true), ...[cut(detailOf(node)), ...weights].map((line) => measure(line, DETAIL, false)));
    return { width: Math.ceil(Math.max(44, widest + 2 * PAD)), height: HEIGHT + LINE * weights.length };
  });
  const labels = graph.edges.map(({ shape }): Size => (shape === '' ? { width: 0, height: 0 } : { width: Math.ceil(measure(shape, DETAIL, false)) + 6, height: DETAIL + 4 }));
  const drawing = place(graph, sizes, labels);
  const groups = [...drawing.groups].map(([at, { x, y, width, height }]) => {
    const { kind = '', label = '', parent } = graph.groups[at] ?? {};
    const element = svg('g', { class: `group ${kind}` }, svg('rect', { x, y, width, height, rx: 4 }));
    if (!isBox(kind)) {
      element.append(svg('text', { x: x + 2, y: y - 4 }, kind === 'function' ? `def ${label}` : kind));
      return element;
    }
    const around = parent === undefined ? '' : (graph.groups[parent]?.label ?? '');
    const room = Math.floor(width / measure('0', DETAIL, false)) - 2;
    const title = svg('text', { class: 'box', role: 'button', 'aria-label': `Close ${label}`, x: x + 2, y: y - 4 }, `▾ ${cut(inside(around, label), room)}`);
    title.addEventListener('click', () => presses.close(at));
    tipped(title, () => label);
    element.append(title);
    return element;
  });
  const lines = graph.edges.map((edge, at) => {
    const route = drawing.edges[at];
    const line = svg('g', { class: 'edge', 'data-from': edge.from, 'data-to': edge.to }, svg('path', { d: path(route?.points ?? []), 'marker-end': 'url(#arrow)' }));
    if (route?.label !== undefined && edge.shape !== '') line.append(svg('text', { x: route.label.x, y: route.label.y + 3.5 }, edge.shape));
    const whole = `${nameOf(graph.nodes[edge.from])} → ${nameOf(graph.nodes[edge.to])}${edge.argument === '' ? '' : `, as ${edge.argument}`}${edge.shape === '' ? '' : `: ${edge.shape}`}`;
    tipped(line, () => whole);
    return line;
  });
  const nodes = graph.nodes.map((node, at) => nodeElement(node, at, drawing, presses));
  return { drawing, element: svg('g', {}, ...groups, ...lines, ...nodes), nodes };
}

function nodeElement(node: GraphNode, at: number, drawing: Drawing, presses: Presses): SVGGElement {
  const { x, y, width, height } = drawing.nodes[at] ?? { x: 0, y: 0, width: 0, height: 0 };
  const round = node.kind === 'parameter' || node.kind === 'result' ? height / 2 : 4;
  const title = cut(titleOf(node));
  const detail = cut(detailOf(node));
  const element = svg(
    'g',
    { class: `node ${node.kind} ${hueOf(node)} ${node.change?.kind ?? ''}`, role: 'button', tabindex: -1, 'aria-label': describe(node).join(', '), transform: `translate(${x} ${y})` },
    svg('rect', { width, height, rx: round }),
    svg('text', { class: 'title', x: width / 2, y: detail === '' && node.weights.length === 0 ? height / 2 + 4 : 16 }, title),
    svg('text', { class: 'detail', x: width / 2, y: 30 }, detail),
    ...weightsOf(node).map((weight, line) => svg('text', { class: 'weight', x: width / 2, y: 30 + LINE * (line + 1) }, weight)),
  );
  const { inputs, outputs } = node.omitted;
  // Most users of a value with very many users are far away.
  const shared = node.kind === 'parameter' || node.kind === 'constant';
  if (inputs > 0) element.append(more(`+${inputs}`, width / 2, -3));
  if (outputs > 0 && !shared) element.append(more(`+${outputs}`, width / 2, height + 10));
  element.addEventListener('click', () => presses.go(at));
  element.addEventListener('dblclick', () => presses.centre(at));
  element.addEventListener('focus', () => presses.enter(at));
  tipped(element, () => describe(node).join('\n'));
  return element;
}

function more(text: string, x: number, y: number): SVGTextElement {
  return svg('text', { class: 'more', x, y }, text);
}

/** Returns the name below the operation. */
function detailOf(node: GraphNode): string {
  if (node.kind === 'parameter') return node.type;
  if (node.kind === 'function') return node.operation;
  const { name, operation, callee, weights, type } = node;
  const made = callee === undefined || operation === '' ? '' : operation;
  const detail = titleOf(node) === name ? made : [name, made].filter((it) => it !== '').join(' · ');
  // The weights stand below a second line.
  return detail === '' && weights.length > 0 ? type : detail;
}

/** Returns the lines for the weights of a node. */
function weightsOf({ weights }: GraphNode): string[] {
  const labels = weights.map(({ label }) => cut(label, 2 * LONGEST));
  return labels.length <= WEIGHTS ? labels : [...labels.slice(0, WEIGHTS - 1), `${labels.length - WEIGHTS + 1} more weights`];
}

function nameOf(node: GraphNode | undefined): string {
  return node === undefined ? '' : node.name === '' ? titleOf(node) : node.name;
}

/** Returns the name of a module inside of another: `attn` of `layers.0.attn`, but `layers.0` of itself. */
function inside(around: string, label: string): string {
  const name = label.startsWith(`${around}.`) ? label.slice(around.length + 1) : label;
  return /^\d/.test(name) ? label : name;
}

function cut(text: string, longest = LONGEST): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function tipped(element: Element, text: () => string): void {
  element.addEventListener('mousemove', (event) => tip(text(), (event as MouseEvent).clientX, (event as MouseEvent).clientY));
  element.addEventListener('mouseleave', () => tip(undefined));
}

/** Measures text in the fonts that the style sheet uses. */
function ruler(): (text: string, size: number, bold: boolean) => number {
  const pen = document.createElement('canvas').getContext('2d');
  const family = getComputedStyle(document.body).getPropertyValue('--vscode-editor-font-family') || 'monospace';
  return (text, size, bold) => {
    if (pen === null) return text.length * size * 0.62;
    pen.font = `${bold ? '600 ' : ''}${size}px ${family}`;
    return pen.measureText(text).width;
  };
}
