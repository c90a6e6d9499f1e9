// The hue of a node, by the kind of its operation. Knows no page.

import type { Change, GraphNode } from '../../src/graph/graph';

export const HUES = ['matrix', 'element', 'reduce', 'move', 'call', 'plain'] as const;
export type Hue = (typeof HUES)[number];

/** The label of a hue in the legend. */
export const MEANINGS: Readonly<Record<Hue, string>> = {
  matrix: 'matmul/conv',
  element: 'elementwise',
  reduce: 'reduction',
  move: 'layout & copy',
  call: 'calls',
  plain: 'other',
};

/** The families of the server's operator table. */
const FAMILIES: Readonly<Record<string, Hue>> = {
  linalg: 'matrix',
  einsum: 'matrix',
  nn_conv: 'matrix',
  nn_attention: 'matrix',
  unary: 'element',
  binary: 'element',
  ternary: 'element',
  datatype: 'element',
  qdq: 'element',
  nn: 'element',
  reduce: 'reduce',
  sort: 'reduce',
  search: 'reduce',
  sampling: 'reduce',
  nn_pool: 'reduce',
  nn_norm: 'reduce',
  nn_loss: 'reduce',
  create: 'move',
  shape: 'move',
  join: 'move',
  layout_transform: 'move',
  repeat: 'move',
  collapse: 'move',
  gather: 'move',
  scatter: 'move',
  slice: 'move',
  set: 'move',
  image: 'move',
  memory: 'move',
  vdevice: 'move',
  ccl: 'move',
  dist: 'move',
  calls: 'call',
};

export function hueOf({ kind, family }: GraphNode): Hue {
  if (kind === 'call') return 'call';
  return kind === 'operator' ? (FAMILIES[family] ?? 'plain') : 'plain';
}

/** The mark of a node in a comparison of two graphs. */
export const CHANGES: Readonly<Record<Change['kind'], string>> = { added: 'new', changed: 'changed', removed: 'gone' };
