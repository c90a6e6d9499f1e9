// Closes boxes of a graph: a closed box is one node, and identical boxes in a row are one box. Knows no page.

import type { Graph, GraphEdge, GraphNode } from '../../src/graph/graph';

/** Boxes that open and close: modules of a model, and called functions. */
const BOXES: ReadonlySet<string> = new Set(['module', 'call']);

export function isBox(kind: string): boolean {
  return BOXES.has(kind);
}

/** What a node of the drawing represents. */
export type Origin = { node: number } | { group: number };

export interface Folded {
  graph: Graph;
  /** By position in `graph`. */
  origins: readonly Origin[];
}

/** The boxes of a graph, and their contents. */
export class Boxes {
  readonly #graph: Graph;
  /** By group. */
  readonly #inside: readonly { nodes: number[]; groups: number[] }[];
  readonly #top: { nodes: number; groups: number[] } = { nodes: 0, groups: [] };
  /** By group: the number of nodes in it. */
  readonly #sizes: readonly number[];
  /** By group: the first of several identical boxes in a row. */
  readonly #first: readonly number[];

  constructor(graph: Graph) {
    this.#graph = graph;
    const { groups, nodes } = graph;
    this.#inside = groups.map(() => ({ nodes: [], groups: [] }));
    const sizes = groups.map(() => 0);
    nodes.forEach(({ group }, at) => {
      if (group === undefined) this.#top.nodes += 1;
      else this.#inside[group]?.nodes.push(at);
      for (const around of this.around(group)) sizes[around] = (sizes[around] ?? 0) + 1;
    });
    this.#sizes = sizes;
    const first = groups.map((_, at) => at);
    const last = new Map<number | undefined, number>();
    groups.forEach(({ parent, alike }, at) => {
      (parent === undefined ? this.#top : this.#inside[parent])?.groups.push(at);
      const before = last.get(parent);
      const leader = (box: number): number => groups[box]?.alike ?? box;
      if (before !== undefined && alike !== undefined && leader(before) === alike) first[at] = first[before] ?? before;
      last.set(parent, at);
    });
    this.#first = first;
  }

  isBox(group: number): boolean {
    return isBox(this.#graph.groups[group]?.kind ?? '');
  }

  /** Returns the groups around a node, the innermost first. */
  around(group: number | undefined): number[] {
    const found: number[] = [];
    for (let at = group; at !== undefined; at = this.#graph.groups[at]?.parent) found.push(at);
    return found;
  }

  /** Returns the boxes to open so that a node is visible. */
  boxesAround(node: number): number[] {
    return this.around(this.#graph.nodes[node]?.group).filter((it) => this.isBox(it));
  }

  /** Returns the boxes that are open initially: those around `focus`, and as many as leave at most `most` nodes. */
  opened(most: number, focus?: number): Set<number> {
    const open = new Set(focus === undefined ? [] : this.boxesAround(focus));
    let count = fold(this.#graph, open, this).graph.nodes.length;
    const waiting = [...this.#top.groups];
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      if (this.isBox(at) && !open.has(at)) {
        // Among identical boxes, at most one is open.
        if (this.#first[at] !== at) continue;
        const more = this.#drawnIn(at) - 1;
        if (count + more > most) continue;
        count += more;
        open.add(at);
      }
      waiting.push(...(this.#inside[at]?.groups ?? []));
    }
    return open;
  }

  /** Returns the number of nodes that an open box shows while those inside are closed. */
  #drawnIn(group: number): number {
    const { nodes = [], groups = [] } = this.#inside[group] ?? {};
    const drawn = [...new Set(groups.map((it) => this.#first[it] ?? it))].map((it) => (this.isBox(it) ? 1 : this.#drawnIn(it)));
    return drawn.reduce((sum, it) => sum + it, nodes.length);
  }

  size(group: number): number {
    return this.#sizes[group] ?? 0;
  }

  /** Returns all nodes in boxes. */
  inside(groups: readonly number[]): number[] {
    return groups.flatMap((at) => {
      const { nodes = [], groups: inner = [] } = this.#inside[at] ?? {};
      return [...nodes, ...this.inside(inner)];
    });
  }

  /** Returns the identical boxes that a closed box represents, itself first. */
  row(group: number, open: ReadonlySet<number>): number[] {
    const parent = this.#graph.groups[group]?.parent;
    const beside = (parent === undefined ? this.#top : this.#inside[parent])?.groups ?? [];
    const row: number[] = [];
    for (const at of beside.slice(beside.indexOf(group))) {
      if (this.#first[at] !== this.#first[group] || open.has(at)) break;
      row.push(at);
    }
    return row;
  }

  /** Returns the outermost closed box around nodes of these groups, if any. */
  closedAround(group: number | undefined, open: ReadonlySet<number>): number | undefined {
    const closed = this.around(group).filter((it) => this.isBox(it) && !open.has(it)).at(-1);
    return closed === undefined ? undefined : this.#leader(closed, open);
  }

  #leader(group: number, open: ReadonlySet<number>): number {
    const parent = this.#graph.groups[group]?.parent;
    const beside = (parent === undefined ? this.#top : this.#inside[parent])?.groups ?? [];
    let leader = group;
    for (let at = beside.indexOf(group) - 1; at >= 0; at -= 1) {
      const before = beside[at];
      if (before === undefined || open.has(before) || this.#first[before] !== this.#first[group]) break;
      leader = before;
    }
    return leader;
  }
}

export function fold(graph: Graph, open: ReadonlySet<number>, boxes = new Boxes(graph)): Folded {
  const nodes: GraphNode[] = [];
  const origins: Origin[] = [];
  const boxAt = new Map<number, number>();
  const closed = new Map<number | undefined, number | undefined>();
  const places = graph.nodes.map((node, at): number => {
    if (!closed.has(node.group)) closed.set(node.group, boxes.closedAround(node.group, open));
    const box = closed.get(node.group);
    const known = box === undefined ? undefined : boxAt.get(box);
    if (known !== undefined) return known;
    nodes.push(box === undefined ? node : boxNode(graph, boxes, open, box));
    origins.push(box === undefined ? { node: at } : { group: box });
    if (box !== undefined) boxAt.set(box, nodes.length - 1);
    return nodes.length - 1;
  });
  const edges = new Map<string, GraphEdge>();
  for (const edge of graph.edges) {
    const [from, to] = [places[edge.from], places[edge.to]];
    if (from === undefined || to === undefined || from === to) continue;
    const inBox = (at: number): boolean => 'group' in (origins[at] ?? {});
    // Several edges between two boxes become one line.
    const key = inBox(from) || inBox(to) ? `${from} ${to}` : `${from} ${to} ${edges.size}`;
    const known = edges.get(key);
    if (known === undefined) edges.set(key, { ...edge, from, to });
    else if (known.shape !== edge.shape || known.argument !== edge.argument) edges.set(key, { ...known, argument: '', shape: known.shape === edge.shape ? edge.shape : '' });
  }
  const folded: Graph = { ...graph, nodes, edges: [...edges.values()] };
  const focus = graph.focus === undefined ? undefined : places[graph.focus];
  if (focus !== undefined) folded.focus = focus;
  return { graph: folded, origins };
}

function boxNode(graph: Graph, boxes: Boxes, open: ReadonlySet<number>, group: number): GraphNode {
  const row = boxes.row(group, open);
  const { label = '', parent } = graph.groups[group] ?? {};
  const last = graph.groups[row.at(-1) ?? group]?.label ?? '';
  const count = row.reduce((sum, it) => sum + boxes.size(it), 0);
  const inside = boxes.inside(row).flatMap((at) => graph.nodes[at] ?? []);
  const first = inside.find(({ kind, change }) => kind !== 'parameter' && change?.kind !== 'removed');
  const changed = inside.filter(({ change }) => change !== undefined).length;
  const node: GraphNode = {
    kind: 'function',
    name: row.length > 1 ? `${label} … ${step(last)}` : label,
    operation: row.length > 1 ? `${row.length} times the same · ${count} values` : `${count} values`,
    family: '',
    structInfo: '',
    type: '',
    arguments: [],
    weights: [],
    range: first?.range ?? graph.range,
    selection: first?.selection ?? graph.range,
    omitted: { inputs: 0, outputs: 0 },
  };
  if (parent !== undefined) node.group = parent;
  if (changed > 0) node.change = { kind: 'changed', parts: [`${changed} values`] };
  return node;
}

/** `31` of `model.layers.31`. */
function step(label: string): string {
  return label.slice(label.lastIndexOf('.') + 1);
}

/** Returns the nodes whose variable, operator, callee, weights or module contain the words. */
export function found(graph: Graph, words: string): number[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  const holds = (text: string | undefined): boolean => text?.toLowerCase().includes(wanted) === true;
  return graph.nodes.flatMap(({ name, operation, callee, structInfo, group, weights }, at) => {
    const label = group === undefined ? undefined : graph.groups[group]?.label;
    return [name, operation, callee, structInfo, label, ...weights.map(({ description }) => description)].some(holds) ? [at] : [];
  });
}
