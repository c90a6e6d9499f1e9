// The line above a function: commands to run, trace and draw it, and the result of the last run.

import { Decoration, type EditorView, WidgetType } from '@codemirror/view';
import type { CodeLens } from 'vscode-languageserver-protocol';
import { RUN, type RunTarget, TRACE, readTarget } from '../src/protocol';
import { SHOW_GRAPH } from '../src/graph/graph';
import { h } from '../webview/elements';
import { layer } from './asker';
import { DOCUMENT, request } from './connection';

export type Act = (command: typeof RUN | typeof TRACE | typeof SHOW_GRAPH, target: RunTarget) => void;

const ACTIONS = [
  ['▶ Run', RUN],
  ['Trace', TRACE],
  ['Graph', SHOW_GRAPH],
] as const;

class Lens extends WidgetType {
  readonly #target: RunTarget;
  readonly #outcome: string;
  readonly #indent: number;
  readonly #act: Act;

  constructor(target: RunTarget, outcome: string, indent: number, act: Act) {
    super();
    this.#target = target;
    this.#outcome = outcome;
    this.#indent = indent;
    this.#act = act;
  }

  override eq(other: Lens): boolean {
    return JSON.stringify(this.#target) === JSON.stringify(other.#target) && this.#outcome === other.#outcome && this.#indent === other.#indent;
  }

  override toDOM(): HTMLElement {
    const name = this.#target.function;
    // The toolbar and the keys run these commands for the function at the cursor.
    const actions = ACTIONS.filter(([, command]) => command !== SHOW_GRAPH || this.#target.primFunc !== true);
    const buttons = actions.map(([title, command]) => h('button', { class: 'link', tabindex: -1, 'aria-label': `${title} ${name}`, click: () => this.#act(command, this.#target) }, title));
    const lens = h('div', { class: 'lens' }, ...buttons, h('span', {}, this.#outcome));
    lens.style.paddingLeft = `calc(${this.#indent}ch + 6px)`;
    return lens;
  }
}

/** The functions that can be run, from the server's last answer. */
export class Runnables {
  #targets: readonly RunTarget[] = [];

  /** Returns the function at a line or above it; otherwise the first Relax function. */
  at(line: number): RunTarget | undefined {
    const first = this.#targets.find((it) => it.primFunc !== true) ?? this.#targets[0];
    return this.#targets.filter((it) => it.line <= line).at(-1) ?? first;
  }

  lenses(act: Act): ReturnType<typeof layer> {
    return layer(
      { rest: 100, ask: ({ client }, _, signal) => request<CodeLens[] | null>(client, 'textDocument/codeLens', { textDocument: { uri: DOCUMENT } }, signal) },
      (answer, plugin, view) => {
        const lenses = answer ?? [];
        const found = lenses.flatMap(({ range, command }) => (command?.command === RUN ? [{ range, target: readTarget(command.arguments ?? []) }] : []));
        this.#targets = found.flatMap(({ target }) => target ?? []).sort((one, other) => one.line - other.line);
        const widgets = found.flatMap(({ range, target }) => {
          if (target === undefined) return [];
          // A lens without a command is a note about the function on its line.
          const outcome = lenses.find((it) => it.command?.command === '' && it.range.start.line === range.start.line);
          const place = above(view, plugin.fromPosition(range.start));
          return Decoration.widget({ widget: new Lens(target, outcome?.command?.title ?? '', place.indent, act), side: -1, block: true }).range(place.at);
        });
        return Decoration.set(widgets, true);
      },
    );
  }
}

/** Returns the position above the decorators of a function. */
function above({ state: { doc } }: EditorView, at: number): { at: number; indent: number } {
  let line = doc.lineAt(at);
  while (line.number > 1 && /^\s*@/.test(doc.line(line.number - 1).text)) line = doc.line(line.number - 1);
  return { at: line.from, indent: /^\s*/.exec(line.text)?.[0].length ?? 0 };
}
