// An event with listeners, like `vscode.EventEmitter`, for modules that know no editor.

export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Adds a listener. Disposing the result removes it. */
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
