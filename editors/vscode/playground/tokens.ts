// Colours names by the server's semantic tokens: one CSS class for each type and each modifier.

import { Decoration } from '@codemirror/view';
import type { SemanticTokens } from 'vscode-languageserver-protocol';
import { layer, shownRange } from './asker';
import { DOCUMENT, request } from './connection';

/** The number of integers of a token in an answer. */
const SIZE = 5;

interface Answer {
  tokens: SemanticTokens | null;
  types: readonly string[];
  modifiers: readonly string[];
}

export const tokens = layer<Answer>(
  {
    rest: 50,
    window: true,
    ask: async (plugin, view, signal) => {
      const params = { textDocument: { uri: DOCUMENT }, range: shownRange(plugin, view) };
      const tokens = await request<SemanticTokens | null>(plugin.client, 'textDocument/semanticTokens/range', params, signal);
      const legend = plugin.client.serverCapabilities?.semanticTokensProvider?.legend;
      return { tokens, types: legend?.tokenTypes ?? [], modifiers: legend?.tokenModifiers ?? [] };
    },
  },
  ({ tokens, types, modifiers }, plugin) => {
    const { data } = tokens ?? { data: [] };
    const ranges = [];
    let [line, character] = [0, 0];
    for (let at = 0; at + SIZE <= data.length; at += SIZE) {
      const [lines = 0, characters = 0, length = 0, type = 0, bits = 0] = data.slice(at, at + SIZE);
      line += lines;
      character = lines === 0 ? character + characters : characters;
      const from = plugin.fromPosition({ line, character });
      const names = [types[type], ...modifiers.filter((_, bit) => (bits >> bit) & 1)].map((name) => `is-${name}`);
      ranges.push(Decoration.mark({ class: names.join(' ') }).range(from, from + length));
    }
    return Decoration.set(ranges, true);
  },
);
