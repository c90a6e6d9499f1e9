// The runs of this window, newest first, and the differences between two of them. Knows no editor.

import type { Output, RunRequest, RunResult } from '../protocol';
import { formatScalar, shapeText } from '../results';

export interface Run {
  id: number;
  /** Milliseconds since 1970. */
  when: number;
  traced: boolean;
  request: RunRequest;
  result: RunResult;
}

/** The server keeps the tensors of this many runs. */
const LIMIT = 16;

export class RunBook {
  readonly #runs: Run[] = [];
  #last = 0;

  add(run: Omit<Run, 'id'>): Run {
    this.#last += 1;
    const added = { id: this.#last, ...run };
    this.#runs.unshift(added);
    this.#runs.length = Math.min(this.#runs.length, LIMIT);
    return added;
  }

  get all(): readonly Run[] {
    return this.#runs;
  }

  find(id: number | undefined): Run | undefined {
    return this.#runs.find((run) => run.id === id);
  }

  /** The tensors are gone with the server that kept them. */
  clear(): void {
    this.#runs.length = 0;
  }
}

export interface Change {
  name: string;
  /** The differences as text: `shape (2, 4) → (3, 4)`, `mean 0.5 → 0.25`. */
  parts: readonly string[];
}

/** Returns the differences between the outputs of two runs, by name. */
export function changes(before: Run, after: Run): Change[] {
  if (!before.result.ok || !after.result.ok) return [];
  const old = new Map(before.result.outputs.map((output) => [output.name, output]));
  const found: Change[] = [];
  for (const output of after.result.outputs) {
    const other = old.get(output.name);
    const parts = other === undefined ? ['new'] : partsOf(other, output);
    if (parts.length > 0) found.push({ name: output.name, parts });
    old.delete(output.name);
  }
  for (const name of old.keys()) found.push({ name, parts: ['gone'] });
  return found;
}

function partsOf(before: Output, after: Output): string[] {
  if (before.kind !== 'tensor' || after.kind !== 'tensor') {
    const [was, is] = [JSON.stringify(before), JSON.stringify(after)];
    return was === is ? [] : ['changed'];
  }
  const parts: string[] = [];
  const note = (what: string, was: string, is: string): void => {
    if (was !== is) parts.push(`${what} ${was} → ${is}`);
  };
  note('shape', shapeText(before.shape), shapeText(after.shape));
  note('dtype', before.dtype, after.dtype);
  for (const key of ['min', 'max', 'mean'] as const) note(key, formatScalar(before[key] ?? null), formatScalar(after[key] ?? null));
  note('NaN', String(before.nan), String(after.nan));
  note('Inf', String(before.inf), String(after.inf));
  return parts;
}
