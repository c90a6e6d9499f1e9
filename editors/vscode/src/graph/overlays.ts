// Overlays of a graph: the cost of each value before a run; its time, NaNs and infinities after a traced run.
// The page of the graph computes them. Knows no editor.

import { type Range, type TracedBinding, isObject, list, number, readRange, text } from '../protocol';
import { formatSeconds } from '../results';
import { type Graph, parts } from './graph';

export type Unit = 'FLOP' | 'B' | 's' | 'numbers';

/** One number about a value, with its text. A formula such as `n * 4` has no amount. */
export interface Measure {
  amount?: number;
  text: string;
}

export interface Overlay {
  name: string;
  unit: Unit;
  /** By node. `undefined` for nodes without a measure. */
  measures: readonly (Measure | undefined)[];
}

/** Returns overlays for operations and bytes, from the server's answer to `relax.cost`. */
export function costOverlays(graph: Graph, answer: unknown): Overlay[] {
  const functions = isObject(answer) ? list(answer.functions) : [];
  const bindings = functions.filter(isObject).flatMap((it) => list(it.bindings)).filter(isObject);
  const overlay = (name: string, field: 'flops' | 'bytes', unit: Unit): Overlay => ({
    name,
    unit,
    measures: byNode(graph, bindings.map((it) => ({ name: text(it.name) ?? '', range: readRange(it.range), measure: measured(it[field], unit) })), unit),
  });
  return [overlay('operations', 'flops', 'FLOP'), overlay('bytes', 'bytes', 'B')].filter(saysSomething);
}

/** Returns overlays for time and non-finite numbers, from a traced run. The times of repeated bindings are added. */
export function traceOverlays(graph: Graph, bindings: readonly TracedBinding[]): Overlay[] {
  const own = bindings.filter((it) => it.function === graph.function || it.function === graph.function.slice(graph.function.lastIndexOf('.') + 1));
  const overlay = (name: string, unit: Unit, amount: (it: TracedBinding) => number | undefined): Overlay => ({
    name,
    unit,
    measures: byNode(graph, own.map((it) => ({ name: it.name, range: it.range, measure: measured(amount(it), unit) })), unit),
  });
  const notFinite = ({ value }: TracedBinding): number | undefined => (value.kind === 'tensor' ? value.nan + value.inf : undefined);
  return [overlay('time', 's', ({ seconds }) => seconds), overlay('NaN and infinity', 'numbers', notFinite)].filter(saysSomething);
}

interface Placed {
  name: string;
  range: Range | undefined;
  measure: Measure | undefined;
}

/** Returns measures of bindings, by node. */
function byNode({ nodes }: Graph, placed: readonly Placed[], unit: Unit): (Measure | undefined)[] {
  const known = new Map<string, number>();
  nodes.forEach((node, at) => {
    // Removed nodes belong to another text.
    if (node.change?.kind === 'removed') return;
    for (const { name, range } of parts(node)) {
      for (let { line } = range.start; line <= range.end.line; line += 1) if (!known.has(`${line} ${name}`)) known.set(`${line} ${name}`, at);
    }
  });
  const measures: (Measure | undefined)[] = nodes.map(() => undefined);
  for (const { name, range, measure } of placed) {
    const at = range === undefined ? undefined : known.get(`${range.start.line} ${name}`);
    if (at !== undefined && measure !== undefined) measures[at] = added(measures[at], measure, unit);
  }
  return measures;
}

/** Adds the measures of a binding that was executed several times. */
function added(one: Measure | undefined, other: Measure, unit: Unit): Measure {
  if (one?.amount === undefined || other.amount === undefined) return other;
  const amount = one.amount + other.amount;
  return { amount, text: told(amount, unit) };
}

function measured(value: unknown, unit: Unit): Measure | undefined {
  const amount = number(value);
  if (amount !== undefined) return { amount, text: told(amount, unit) };
  const formula = text(value);
  return formula === undefined ? undefined : { text: `${formula} ${unit}` };
}

/** `8.59 GFLOP`, `12 ms`, `finite` */
export function told(amount: number, unit: Unit): string {
  if (unit === 's') return formatSeconds(amount);
  if (unit === 'numbers') return amount === 0 ? 'finite' : `${amount} not finite`;
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  const step = amount < 1000 ? 0 : Math.min(prefixes.length - 1, Math.floor(Math.log10(amount) / 3));
  return `${Number((amount / 1000 ** step).toPrecision(3))} ${prefixes[step]}${unit}`;
}

function saysSomething({ measures }: Overlay): boolean {
  return measures.some((it) => it !== undefined);
}
