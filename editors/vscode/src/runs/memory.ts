// Remembers the last values for each function. Knows no editor; the storage is any key-value store, such as VS Code's
// workspace state.

import type { Form } from '../panel/messages';

export interface Store {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'relax.forms';
/** The maximum number of functions. The least recent one is forgotten first. */
const LIMIT = 200;

export class FormMemory {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the last values for a function of a file. */
  recall(uri: string, name: string): Partial<Form> {
    const entry = this.#entries().find(([key]) => key === keyOf(uri, name));
    return { ...entry?.[1] };
  }

  /** Merges `form` into the stored values. A dimension that is missing now may return with the next edit. */
  async remember(uri: string, name: string, form: Form): Promise<void> {
    const key = keyOf(uri, name);
    const others = this.#entries().filter(([other]) => other !== key);
    const merged = { ...form, dims: { ...this.recall(uri, name).dims, ...form.dims } };
    await this.#store.update(KEY, [[key, merged], ...others].slice(0, LIMIT));
  }

  #entries(): [string, Form][] {
    const stored = this.#store.get<unknown>(KEY);
    return Array.isArray(stored) ? (stored as [string, Form][]) : [];
  }
}

function keyOf(uri: string, name: string): string {
  return `${uri}#${name}`;
}
