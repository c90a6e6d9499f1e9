// An event with its listeners, as `vscode.EventEmitter` is one, for what knows no editor.

export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Calls the listener each time; what is given back ends that. */
  readonly event = (listener: (value: T) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
