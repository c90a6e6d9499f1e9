// Values of symbolic dimensions: what a user may type, and what was typed last for which function.
// Knows no editor; the memory is any key-value store (VS Code's workspace state is one).

export interface Store {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

export type Dims = Record<string, number>;

const KEY = 'relax.dims';
/** Functions remembered; the one that ran longest ago is forgotten first. */
const LIMIT = 200;
/** A dimension is an int64 of the program, but no tensor that large fits anywhere. */
const LARGEST = 2 ** 31 - 1;

/** Why `typed` is no dimension, or `undefined` when it is one. */
export function dimProblem(typed: string): string | undefined {
  const trimmed = typed.trim();
  if (trimmed === '') return 'A value is needed.';
  if (!/^\d+$/.test(trimmed)) return 'A dimension is a positive whole number.';
  const value = Number(trimmed);
  if (value < 1) return 'A dimension is at least 1.';
  if (value > LARGEST) return `A dimension is at most ${LARGEST}.`;
  return undefined;
}

export function parseDim(typed: string): number | undefined {
  return dimProblem(typed) === undefined ? Number(typed.trim()) : undefined;
}

export class DimMemory {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** What was last used for this function of this file. */
  recall(uri: string, name: string): Dims {
    const entry = this.#entries().find(([key]) => key === keyOf(uri, name));
    return { ...entry?.[1] };
  }

  /** Keeps `dims` over what was known; a dimension that is absent now may come back with the next edit. */
  async remember(uri: string, name: string, dims: Dims): Promise<void> {
    const key = keyOf(uri, name);
    const others = this.#entries().filter(([other]) => other !== key);
    const merged = { ...this.recall(uri, name), ...dims };
    await this.#store.update(KEY, [[key, merged], ...others].slice(0, LIMIT));
  }

  #entries(): [string, Dims][] {
    const stored = this.#store.get<unknown>(KEY);
    return Array.isArray(stored) ? (stored as [string, Dims][]) : [];
  }
}

function keyOf(uri: string, name: string): string {
  return `${uri}#${name}`;
}
