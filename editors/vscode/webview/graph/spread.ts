// A value that every binding reads would pull the drawing apart: it is drawn beside each reader instead.
// Knows no page.

import type { Graph, GraphEdge, GraphNode } from '../../src/graph/graph';

/** Readers of one value that are drawn with edges from one place. */
const MOST = 4;

export interface Spread {
  /** The nodes of the graph, then copies. */
  graph: Graph;
  /** By position in `graph`, the node of the original. */
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
