// The cells of a slice: their elements and tooltips. Knows no page.

import type { Scalar, Slice } from '../src/protocol';
import { formatScalar } from '../src/results';

/** Returns the first element of a cell, as an index in the slice. */
export function elementAt(slice: Slice, row: number, column: number): [number, number] {
  return [slice.part[0] + row * slice.pool[0], slice.part[1] + column * slice.pool[1]];
}

/** Whether a cell can stand for several elements. */
export function isPooled({ pool }: Slice): boolean {
  return pool[0] > 1 || pool[1] > 1;
}

/** Returns `[0, 3] = 0.25`, with the indices along all axes. */
export function describe(slice: Slice, row: number, column: number): string {
  const value = slice.values[row]?.[column] ?? null;
  const [down, across] = elementAt(slice, row, column);
  const span = (start: number, pool: number, extent: number): string => (pool === 1 ? String(start) : `${start}:${Math.min(start + pool, extent)}`);
  const index = slice.at.map((at, axis) => {
    if (axis === slice.rows) return span(down, slice.pool[0], slice.part[0] + slice.part[2]);
    if (axis === slice.columns) return span(across, slice.pool[1], slice.part[1] + slice.part[3]);
    return String(at);
  });
  return `[${index.join(', ')}] ${isPooled(slice) ? 'largest magnitude' : '='} ${formatScalar(value, 8)}`;
}

export function finite(value: Scalar): number | undefined {
  const number = typeof value === 'boolean' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
