// Copies a value with many users, such as a mask, to each of them, so that it does not distort the layout. Knows no
// page.

import type { Graph, GraphEdge, GraphNode } from '../../src/graph/graph';

/** A value with at most this many users is drawn once. */
const MOST = 4;

export interface Spread {
  /** The nodes of the graph, then copies. */
  graph: Graph;
  /** By position in `graph`: the original node. */
  origin: readonly number[];
}

export function spread(graph: Graph, most = MOST): Spread {
  const readers = graph.nodes.map(() => new Set<number>());
  for (const { from, to } of graph.edges) readers[from]?.add(to);
  const nodes: GraphNode[] = [...graph.nodes];
  const origin = graph.nodes.map((_, at) => at);
  const copies = new Map<string, number>();

  const place = ({ from, to }: GraphEdge): number => {
    const node = graph.nodes[from];
    const all = readers[from];
    if (node === undefined || all === undefined || all.size <= most || (node.kind !== 'parameter' && node.kind !== 'constant')) return from;
    const [first] = all;
    if (to === first) return from;
    const key = `${from} ${to}`;
    const known = copies.get(key);
    if (known !== undefined) return known;
    const { group: _, ...rest } = node;
    const group = graph.nodes[to]?.group;
    nodes.push(group === undefined ? rest : { ...rest, group });
    origin.push(from);
    copies.set(key, nodes.length - 1);
    return nodes.length - 1;
  };
  const edges = graph.edges.map((edge) => ({ ...edge, from: place(edge) }));
  return { graph: { ...graph, nodes, edges }, origin };
}
