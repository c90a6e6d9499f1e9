// Computes positions of nodes, edges and groups with dagre, in layers from top to bottom. Knows no page.

import { Graph as Layers, layout } from '@dagrejs/dagre';
import type { Graph } from '../../src/graph/graph';

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Size {
  /** The upper left corner. */
  x: number;
  y: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Route {
  points: readonly Point[];
  /** The middle of the label. */
  label?: Point;
}

export interface Drawing extends Size {
  /** By position in the graph. */
  nodes: readonly Box[];
  edges: readonly Route[];
  /** Only for groups that are drawn. */
  groups: ReadonlyMap<number, Box>;
}

/** Returns the groups to draw: not empty ones, and not a dataflow block around everything. */
export function shownGroups({ nodes, groups }: Graph): Set<number> {
  const bindings = nodes.filter(({ kind }) => kind !== 'parameter' && kind !== 'constant' && kind !== 'result');
  const inside = groups.map(() => 0);
  for (const { group } of bindings) for (const at of ancestors(groups, group)) inside[at] = (inside[at] ?? 0) + 1;
  const drawn = new Set(nodes.flatMap(({ group }) => ancestors(groups, group)));
  const shown = new Set<number>();
  groups.forEach(({ kind, parent }, at) => {
    const around = parent === undefined ? bindings.length : (inside[parent] ?? 0);
    if (drawn.has(at) && (kind !== 'dataflow' || (inside[at] ?? 0) < around)) shown.add(at);
  });
  return shown;
}

function ancestors(groups: Graph['groups'], group: number | undefined): number[] {
  const found: number[] = [];
  for (let at = group; at !== undefined; at = groups[at]?.parent) found.push(at);
  return found;
}

/** Returns the innermost drawn group around another group. */
function shownParent(groups: Graph['groups'], shown: ReadonlySet<number>, group: number | undefined): number | undefined {
  return ancestors(groups, group).find((at) => shown.has(at));
}

export function place(graph: Graph, sizes: readonly Size[], labels: readonly Size[]): Drawing {
  const shown = shownGroups(graph);
  const layers = new Layers({ compound: shown.size > 0, multigraph: true });
  layers.setGraph({ rankdir: 'TB', nodesep: 22, edgesep: 12, ranksep: 18, marginx: 12, marginy: 20 });
  const put = (name: string, group: number | undefined): void => {
    if (group !== undefined) layers.setParent(name, `g${group}`);
  };
  for (const at of shown) layers.setNode(`g${at}`, {});
  for (const at of shown) put(`g${at}`, shownParent(graph.groups, shown, graph.groups[at]?.parent));
  graph.nodes.forEach(({ group }, at) => {
    const size = sizes[at] ?? { width: 0, height: 0 };
    layers.setNode(`n${at}`, { ...size });
    put(`n${at}`, shownParent(graph.groups, shown, group));
  });
  graph.edges.forEach(({ from, to }, at) => {
    const label = labels[at] ?? { width: 0, height: 0 };
    layers.setEdge(`n${from}`, `n${to}`, { ...label, labelpos: 'c' }, `e${at}`);
  });
  layout(layers);

  const nodes = graph.nodes.map((_, at) => box(layers.node(`n${at}`)));
  const edges = graph.edges.map(({ from, to }, at): Route => {
    const edge = layers.edge(`n${from}`, `n${to}`, `e${at}`) as { points?: Point[]; x?: number; y?: number };
    const route: Route = { points: edge.points ?? [] };
    return edge.x === undefined || edge.y === undefined ? route : { ...route, label: { x: edge.x, y: edge.y } };
  });
  const groups = new Map([...shown].map((at) => [at, box(layers.node(`g${at}`))]));
  const { width = 0, height = 0 } = layers.graph() as Partial<Size>;
  return { nodes, edges, groups, width, height };
}

function box(node: unknown): Box {
  const { x = 0, y = 0, width = 0, height = 0 } = (node ?? {}) as Partial<Box>;
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** Returns a smooth line through the points of a route, as the `d` of an SVG path. */
export function path(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const at = ({ x, y }: Point): string => `${round(x)},${round(y)}`;
  if (rest.length < 2) return `M${at(first)}${rest.map((point) => `L${at(point)}`).join('')}`;
  const parts = [`M${at(first)}`];
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    if (next === undefined) parts.push(`L${at(point)}`);
    // Corners are rounded from halfway to the next point.
    else parts.push(`Q${at(point)} ${at(index + 2 === rest.length ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`);
  });
  // The last corner already ends at the last point.
  parts.pop();
  return parts.join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
