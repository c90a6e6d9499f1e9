// The notes of a traced run, by line. Knows no editor.

import type { Trace, TracedBinding, Value } from '../protocol';
import { formatScalar, formatSeconds, typeOf } from '../results';

export interface LineNote {
  text: string;
  detail: string;
  /** Whether this is the first non-finite value. */
  bad: boolean;
  /** The name under which the server keeps the tensor. */
  kept?: string;
}

const DIGITS = 3;

/** The column of a note: after the bound name, else at the end of the line. */
export function placeOf(line: string): number {
  return /^\s*\w+/.exec(/^\s*\w+\s*(?=[:=][^=])/.test(line) ? line : '')?.[0].length ?? line.length;
}

/** The columns of the annotation of a bound name, which a note stands for. */
export function annotationOf(line: string): [number, number] | undefined {
  const start = placeOf(line);
  const annotation = /^\s*:.*?(?=\s=\s)/.exec(line.slice(start))?.[0];
  return annotation === undefined ? undefined : [start, start + annotation.length];
}

/** By line, from 0. A line that was executed several times has its last value. */
export function lineNotes(trace: Trace): Map<number, LineNote> {
  const byLine = new Map<number, TracedBinding[]>();
  for (const binding of trace.bindings) {
    if (binding.range === undefined) continue;
    const { line } = binding.range.start;
    byLine.set(line, [...(byLine.get(line) ?? []), binding]);
  }
  const culprits = new Map([
    [first(trace, 'inf'), '⚠ first Inf'],
    [first(trace, 'nan'), '⚠ first NaN'],
  ]);
  const notes = new Map<number, LineNote>();
  for (const [line, bindings] of byLine) {
    const last = bindings[bindings.length - 1];
    if (last === undefined) continue;
    const warning = bindings.map((binding) => culprits.get(binding)).find((it) => it !== undefined);
    const seconds = bindings.reduce((sum, binding) => sum + binding.seconds, 0);
    const times = bindings.length > 1 ? ` in ${bindings.length} runs` : '';
    const parts = [warning ?? '', typeOf(last.value), `${formatSeconds(seconds)}${times}`, rangeText(last.value)];
    const text = parts.filter((part) => part !== '').join(' · ');
    const detail = `${last.name} = ${last.callee}: ${text}`;
    const note: LineNote = { text, detail, bad: warning !== undefined };
    if (last.kept !== undefined) note.kept = last.kept;
    notes.set(line, note);
  }
  return notes;
}

function first(trace: Trace, what: 'nan' | 'inf'): TracedBinding | undefined {
  return trace.bindings.find(({ value }) => value.kind === 'tensor' && value[what] > 0);
}

/** `-1 … 2.5 · 3 NaN`. */
export function rangeText(value: Value): string {
  if (value.kind !== 'tensor') return '';
  const parts: string[] = [];
  if (value.min !== undefined && value.max !== undefined) {
    const [min, max] = [formatScalar(value.min, DIGITS), formatScalar(value.max, DIGITS)];
    parts.push(min === max ? `all ${min}` : `${min} … ${max}`);
  }
  if (value.nan > 0) parts.push(`${value.nan} NaN`);
  if (value.inf > 0) parts.push(`${value.inf} Inf`);
  return parts.join(' · ');
}
