// Computes positions of nodes, edges and groups with dagre, in layers from top to bottom. Knows no page.
//
// dagre gives an edge one point in each layer that it crosses, beside the nodes of the layer. The line to the next layer
// would still cut the corners of higher nodes. So an edge is straight within a layer, and bends only between layers.

import { Graph as Layers, layout } from '@dagrejs/dagre';
import type { Graph } from '../../src/graph/graph';

/** The height of a group's title, which stands on its box. */
const TITLE = 15;

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
    layers.setEdge(`n${from}`, `n${to}`, { ...label, labelpos: 'r', labeloffset: 2 }, `e${at}`);
  });
  layout(layers);

  const nodes = graph.nodes.map((_, at) => box(layers.node(`n${at}`)));
  const rows = rowsOf(nodes);
  const edges = graph.edges.map(({ from, to }, at): Route => {
    const edge = layers.edge(`n${from}`, `n${to}`, `e${at}`) as { points?: Point[]; x?: number; y?: number };
    const route: Route = { points: routed(edge.points ?? [], nodes[from], nodes[to], rows) };
    return edge.x === undefined || edge.y === undefined ? route : { ...route, label: { x: edge.x, y: edge.y } };
  });
  const groups = new Map([...shown].map((at) => [at, box(layers.node(`g${at}`))]));
  makeRoom(groups, (at) => shownParent(graph.groups, shown, graph.groups[at]?.parent));
  const { width = 0, height = 0 } = layers.graph() as Partial<Size>;
  return { nodes, edges, groups, width, height };
}

/** Moves the upper side of a group up, so that its title does not cover that of a group inside. */
function makeRoom(groups: Map<number, Box>, around: (group: number) => number | undefined): void {
  // Outer groups come first.
  for (const at of [...groups.keys()].sort((a, b) => b - a)) {
    const [inner, parent] = [groups.get(at), around(at)];
    const outer = parent === undefined ? undefined : groups.get(parent);
    if (inner === undefined || parent === undefined || outer === undefined) continue;
    const more = Math.max(0, outer.y - (inner.y - TITLE));
    groups.set(parent, { ...outer, y: outer.y - more, height: outer.height + more });
  }
}

function box(node: unknown): Box {
  const { x = 0, y = 0, width = 0, height = 0 } = (node ?? {}) as Partial<Box>;
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** A layer of nodes. */
interface Row {
  top: number;
  bottom: number;
}

/** Returns the layers: the nodes of one have the same middle. */
function rowsOf(nodes: readonly Box[]): Map<number, Row> {
  const rows = new Map<number, Row>();
  for (const { y, height } of nodes) {
    const middle = Math.round(y + height / 2);
    const { top, bottom } = rows.get(middle) ?? { top: y, bottom: y };
    rows.set(middle, { top: Math.min(top, y), bottom: Math.max(bottom, y + height) });
  }
  return rows;
}

/** Returns the route of an edge from the lower side of a node to the upper side of another, vertical in each layer. */
function routed(points: readonly Point[], from: Box | undefined, to: Box | undefined, rows: ReadonlyMap<number, Row>): Point[] {
  const middle = ({ y, height }: Box): number => Math.round(y + height / 2);
  if (from === undefined || to === undefined) return [...points];
  // One of a circle of boxes.
  if (middle(from) > middle(to)) return routed([...points].reverse(), to, from, rows).reverse();
  const inner = points.slice(1, -1);
  // Where the line to the next point meets the border.
  const end = ({ x, y, width, height }: Box, next: Point | undefined): number => {
    const centre = x + width / 2;
    const along = next === undefined ? 0 : ((next.x - centre) * (height / 2)) / Math.max(1, Math.abs(next.y - y - height / 2));
    const most = Math.max(0, width / 2 - 8);
    return centre + Math.max(-most, Math.min(most, along));
  };
  const start = end(from, inner[0] ?? { x: to.x + to.width / 2, y: to.y });
  const last = end(to, inner.at(-1) ?? { x: from.x + from.width / 2, y: from.y + from.height });
  const between = inner.flatMap((point): Point[] => {
    const row = rows.get(Math.round(point.y));
    return row === undefined ? [point] : [{ x: point.x, y: row.top }, { x: point.x, y: row.bottom }];
  });
  const bottom = rows.get(middle(from))?.bottom ?? from.y + from.height;
  const top = rows.get(middle(to))?.top ?? to.y;
  const all = [{ x: start, y: from.y + from.height }, { x: start, y: bottom }, ...between, { x: last, y: top }, { x: last, y: to.y }];
  // An arrow has no direction at the end of a line without length.
  return all.filter(({ x, y }, at) => x !== all[at - 1]?.x || y !== all[at - 1]?.y);
}

/** Returns a smooth line through the points of a route, as the `d` of an SVG path. It is vertical at each point. */
export function path(points: readonly Point[]): string {
  const at = ({ x, y }: Point): string => `${round(x)},${round(y)}`;
  const parts = points.map((point, index) => {
    const before = points[index - 1];
    if (before === undefined) return `M${at(point)}`;
    if (Math.abs(before.x - point.x) < 0.5) return `L${at(point)}`;
    const middle = (before.y + point.y) / 2;
    return `C${at({ x: before.x, y: middle })} ${at({ x: point.x, y: middle })} ${at(point)}`;
  });
  return parts.join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
