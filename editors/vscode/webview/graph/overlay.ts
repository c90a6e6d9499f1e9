// Colours a drawing by an overlay: by the share of the largest amount, or with one hue per dtype. Knows no page.

import type { Graph } from '../../src/graph/graph';
import { type Measure, type Overlay, told } from '../../src/graph/overlays';
import type { Boxes, Origin } from './fold';

/** The text of a drawn node with its share of the largest amount, from 0 to 1, or with the number of its hue. */
export type Tint = { text: string; share: number } | { text: string; hue: number };

/** The number of dtype colours. Further dtypes share the last one. */
export const DTYPE_HUES = 6;

/** By drawn node. A box has the sum of its contents. */
export function tints(overlay: Overlay, boxes: Boxes, origins: readonly Origin[], open: ReadonlySet<number>): (Tint | undefined)[] {
  const of = (origin: Origin): Measure | undefined => {
    // VS Code sends `undefined` as `null`.
    if ('node' in origin) return overlay.measures[origin.node] ?? undefined;
    const inside = boxes.inside(boxes.row(origin.group, open)).map((at) => overlay.measures[at]);
    const amounts = inside.flatMap((it) => (it?.amount == null ? [] : [it.amount]));
    if (amounts.length === 0) return undefined;
    const amount = amounts.reduce((sum, it) => sum + it, 0);
    return { amount, text: told(amount, overlay.unit) };
  };
  const measures = origins.map(of);
  const most = Math.max(0, ...measures.map((it) => it?.amount ?? 0));
  return measures.map((it) => it && { text: it.text, share: most === 0 ? 0 : (it.amount ?? 0) / most });
}

/** Returns the dtypes of a graph in order of appearance. */
export function dtypesOf(graph: Graph): string[] {
  return [...new Set(graph.nodes.map(({ type }) => dtype(type)).filter((it) => it !== ''))];
}

export function dtypeTints(graph: Graph, origins: readonly Origin[]): (Tint | undefined)[] {
  const all = dtypesOf(graph);
  return origins.map((origin) => {
    const own = 'node' in origin ? dtype(graph.nodes[origin.node]?.type ?? '') : '';
    return own === '' ? undefined : { text: own, hue: Math.min(all.indexOf(own), DTYPE_HUES - 1) };
  });
}

/** Returns `f32` of `f32[n, 4]`. */
function dtype(type: string): string {
  return /^(?!shape|tensor)(\w+)\[/.exec(type)?.[1] ?? '';
}
