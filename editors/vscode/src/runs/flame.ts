// The time of a traced run as a flame chart: the run, below it the operators by share of time, below each its bindings.
// Knows no editor.

import type { Trace } from '../protocol';

export interface Bar {
  label: string;
  /** As a fraction of the run's time. */
  start: number;
  width: number;
  depth: number;
  seconds: number;
  calls: number;
  /** The index of the binding in the trace. */
  binding?: number;
}

/** Narrower bars cannot be seen. */
const NARROWEST = 1 / 2000;

/**
 * Returns the bars; none if the run took no time. Calls of traced Relax functions are left out, since their time is
 * that of the bindings inside.
 */
export function flame(trace: Trace, label: string): Bar[] {
  const functions = new Set(trace.bindings.map((binding) => binding.function));
  const own = trace.bindings
    .map((binding, index) => ({ ...binding, index }))
    .filter(({ callee }) => !functions.has(callee) && !functions.has(callee.slice(callee.lastIndexOf('.') + 1)));
  const total = own.reduce((sum, { seconds }) => sum + seconds, 0);
  if (total <= 0) return [];
  const groups = new Map<string, typeof own>();
  for (const binding of own) groups.set(binding.callee, [...(groups.get(binding.callee) ?? []), binding]);
  const sum = (list: typeof own): number => list.reduce((all, { seconds }) => all + seconds, 0);
  const sorted = [...groups].sort((a, b) => sum(b[1]) - sum(a[1]));

  const bars: Bar[] = [{ label, start: 0, width: 1, depth: 0, seconds: total, calls: own.length }];
  let start = 0;
  for (const [callee, bindings] of sorted) {
    const seconds = sum(bindings);
    bars.push({ label: callee, start, width: seconds / total, depth: 1, seconds, calls: bindings.length });
    let inner = start;
    for (const { name, seconds, index } of [...bindings].sort((a, b) => b.seconds - a.seconds)) {
      const width = seconds / total;
      if (width >= NARROWEST) bars.push({ label: name, start: inner, width, depth: 2, seconds, calls: 1, binding: index });
      inner += width;
    }
    start += seconds / total;
  }
  return bars.filter(({ width }) => width >= NARROWEST);
}
