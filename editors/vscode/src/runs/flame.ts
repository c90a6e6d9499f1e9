// The time of a traced run as bars: by share of time (the run, below it the operators, below each its bindings), or as
// a timeline in the order of execution. Knows no editor.

import type { Trace } from '../protocol';

export interface Bar {
  label: string;
  /** The operator or function that gives the colour. None for the run itself. */
  callee?: string;
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
 * Returns the bars by share of time; none if the run took no time. Calls of traced Relax functions are left out, since
 * their time is that of the bindings inside.
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
    bars.push({ label: callee, callee, start, width: seconds / total, depth: 1, seconds, calls: bindings.length });
    let inner = start;
    for (const { name, seconds, index } of [...bindings].sort((a, b) => b.seconds - a.seconds)) {
      const width = seconds / total;
      if (width >= NARROWEST) bars.push({ label: name, callee, start: inner, width, depth: 2, seconds, calls: 1, binding: index });
      inner += width;
    }
    start += seconds / total;
  }
  return bars.filter(({ width }) => width >= NARROWEST);
}

/** Returns the bars in the order of execution. The bindings of a called function are below the call. */
export function timeline({ bindings }: Trace): Bar[] {
  const from = Math.min(...bindings.map(({ start }) => start));
  const total = Math.max(...bindings.map(({ start, seconds }) => start + seconds)) - from;
  if (bindings.length === 0 || total <= 0) return [];
  // A call begins before the bindings inside, and ends after them.
  const order = bindings.map((_, index) => index).sort((a, b) => (bindings[a]?.start ?? 0) - (bindings[b]?.start ?? 0) || b - a);
  const around: number[] = [];
  const bars: Bar[] = [];
  for (const index of order) {
    const binding = bindings[index];
    if (binding === undefined) continue;
    const { name, callee, start, seconds } = binding;
    while (around.length > 0 && (around.at(-1) ?? 0) < start + seconds) around.pop();
    bars.push({ label: `${name} = ${callee}`, callee, start: (start - from) / total, width: seconds / total, depth: around.length, seconds, calls: 1, binding: index });
    around.push(start + seconds);
  }
  return bars.filter(({ width }) => width >= NARROWEST);
}
