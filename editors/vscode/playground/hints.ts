// Shows StructInfo beside names, or the values of a traced run.

import { Decoration, WidgetType } from '@codemirror/view';
import type { InlayHint } from 'vscode-languageserver-protocol';
import { h } from '../webview/elements';
import { layer, shownRange } from './asker';
import { DOCUMENT, request } from './connection';

class Hint extends WidgetType {
  readonly #text: string;
  readonly #title: string;
  readonly #left: boolean;
  readonly #right: boolean;

  constructor({ label, tooltip, paddingLeft = false, paddingRight = false }: InlayHint) {
    super();
    this.#text = typeof label === 'string' ? label : label.map(({ value }) => value).join('');
    this.#title = typeof tooltip === 'string' ? tooltip : '';
    this.#left = paddingLeft;
    this.#right = paddingRight;
  }

  override eq(other: Hint): boolean {
    return this.#text === other.#text && this.#title === other.#title;
  }

  override toDOM(): HTMLElement {
    const classes = ['hint', this.#left && 'apart-left', this.#right && 'apart-right'].filter((it) => it !== false);
    return h('span', { class: classes.join(' '), title: this.#title || undefined }, this.#text);
  }
}

export const hints = layer(
  {
    rest: 150,
    window: true,
    ask: (plugin, view, signal) => request<InlayHint[] | null>(plugin.client, 'textDocument/inlayHint', { textDocument: { uri: DOCUMENT }, range: shownRange(plugin, view) }, signal),
  },
  (answer, plugin) => Decoration.set((answer ?? []).map((hint) => Decoration.widget({ widget: new Hint(hint), side: 1 }).range(plugin.fromPosition(hint.position))), true),
);
