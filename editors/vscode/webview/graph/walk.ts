// Moves between nodes with the arrow keys: up to operands, down to uses, sideways to neighbours. Knows no page.

import type { Graph } from '../../src/graph/graph';
import type { Box } from './layout';

const KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'] as const;
export type Key = (typeof KEYS)[number];

export function isKey(key: string): key is Key {
  return (KEYS as readonly string[]).includes(key);
}

/** Returns the next node, or the same one if there is none. */
export function step({ nodes, edges }: Graph, boxes: readonly Box[], from: number, key: Key): number {
  const here = boxes[from];
  if (here === undefined) return from;
  const middle = (at: number): number => (boxes[at]?.x ?? 0) + (boxes[at]?.width ?? 0) / 2;
  const centre = middle(from);
  const nearest = (found: readonly number[]): number => found.reduce((best, at) => (Math.abs(middle(at) - centre) < Math.abs(middle(best) - centre) ? at : best), found[0] ?? from);
  switch (key) {
    case 'ArrowUp':
      return nearest(edges.filter(({ to }) => to === from).map((edge) => edge.from));
    case 'ArrowDown':
      return nearest(edges.filter((edge) => edge.from === from).map(({ to }) => to));
    case 'Home':
      return 0;
    case 'End':
      return nodes.length - 1;
    default: {
      const beside = boxes.flatMap((box, at) => (at !== from && box.y < here.y + here.height && here.y < box.y + box.height ? [at] : []));
      return nearest(beside.filter((at) => (key === 'ArrowLeft' ? middle(at) < centre : middle(at) > centre)));
    }
  }
}
