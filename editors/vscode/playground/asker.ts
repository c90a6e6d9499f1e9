// Requests that are repeated when the text changes, and decorations from their answers. Until the next answer, the
// decorations move with the text.

import { LSPPlugin } from '@codemirror/lsp-client';
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

export interface Question<Answer> {
  /** The pause in typing before a request is sent, in milliseconds. */
  rest: number;
  /** Whether the answer depends on the visible range only. */
  window?: boolean;
  ask(plugin: LSPPlugin, view: EditorView, signal: AbortSignal): Promise<Answer>;
}

/** Repeats all requests with the same text: the server has started, or a run has ended. */
export const askAgain = StateEffect.define<void>();

/** Sends requests, and passes on each answer whose text has not changed meanwhile. */
export function asker<Answer>({ rest, window = false, ask }: Question<Answer>, take: (answer: Answer, plugin: LSPPlugin, view: EditorView) => void): Extension {
  return ViewPlugin.fromClass(
    class {
      readonly #view: EditorView;
      #timer: ReturnType<typeof setTimeout> | undefined;
      #asked = new AbortController();

      constructor(view: EditorView) {
        this.#view = view;
        this.#soon(0);
      }

      update(update: ViewUpdate): void {
        const again = update.transactions.some((it) => it.effects.some((effect) => effect.is(askAgain)));
        if (update.docChanged || again || (window && update.viewportChanged)) this.#soon(rest);
      }

      destroy(): void {
        clearTimeout(this.#timer);
        this.#asked.abort();
      }

      #soon(rest: number): void {
        clearTimeout(this.#timer);
        this.#asked.abort();
        this.#timer = setTimeout(() => void this.#ask(), rest);
      }

      async #ask(): Promise<void> {
        const plugin = LSPPlugin.get(this.#view);
        // Asks again after the connection is made.
        if (plugin === null || !plugin.client.connected) return;
        const asked = new AbortController();
        this.#asked = asked;
        try {
          const answer = await ask(plugin, this.#view, asked.signal);
          if (!asked.signal.aborted) take(answer, plugin, this.#view);
        } catch (error) {
          if (!asked.signal.aborted) console.warn(error);
        }
      }
    },
  );
}

/** Decorations from the answers to a request. */
export function layer<Answer>(question: Question<Answer>, draw: (answer: Answer, plugin: LSPPlugin, view: EditorView) => DecorationSet): Extension {
  const drawn = StateEffect.define<DecorationSet>();
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (before, { changes, effects }) => {
      const last = effects.filter((effect) => effect.is(drawn)).at(-1);
      return last === undefined ? before.map(changes) : last.value;
    },
    provide: (it) => EditorView.decorations.from(it),
  });
  return [field, asker(question, (answer, plugin, view) => view.dispatch({ effects: drawn.of(draw(answer, plugin, view)) }))];
}

/** Returns the visible range in the form of the protocol. */
export function shownRange(plugin: LSPPlugin, view: EditorView): { start: { line: number; character: number }; end: { line: number; character: number } } {
  const { from, to } = view.viewport;
  return { start: plugin.toPosition(from), end: plugin.toPosition(to) };
}
