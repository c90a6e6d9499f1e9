// The LSP client: exchanges messages with the server over any link, and cancels requests.

import { LSPClient, type LSPClientExtension, type Transport, hoverTooltips, jumpToDefinitionKeymap, findReferencesKeymap, formatKeymap, renameKeymap, serverCompletion, signatureHelp } from '@codemirror/lsp-client';
import { EditorView, closeHoverTooltips, hasHoverTooltips, keymap } from '@codemirror/view';
import type { Ask } from '../src/protocol';
import { sanitized } from './markdown';

/** The one document. It has no file on disk. */
export const DOCUMENT = 'untitled:playground.py';

/** A run may take long, so the client's own timeout is disabled. */
const NO_LIMIT = 2 ** 31 - 1;

/** Capabilities that the page implements itself, in addition to the client library's. */
const CAPABILITIES: LSPClientExtension = {
  clientCapabilities: {
    textDocument: {
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
      codeLens: {},
      inlayHint: {},
      semanticTokens: { requests: { range: true }, formats: ['relative'], tokenTypes: [], tokenModifiers: [] },
    },
  },
};

/** Closes a hover whose answer arrives after the pointer has left the editor: the client library would leave it open. */
const closesLateHovers = EditorView.updateListener.of(({ state, startState, view }) => {
  const opens = hasHoverTooltips(state) && !hasHoverTooltips(startState);
  if (!opens || view.dom.matches(':hover')) return;
  queueMicrotask(() => view.dispatch({ effects: closeHoverTooltips }));
});

export function client(): LSPClient {
  const keys = keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]);
  return new LSPClient({
    timeout: NO_LIMIT,
    sanitizeHTML: sanitized,
    extensions: [CAPABILITIES, serverCompletion(), hoverTooltips(), closesLateHovers, signatureHelp(), keys],
  });
}

/** A connection to the server that transfers messages as text. */
export interface Link {
  send(message: string): void;
  listen(hear: (message: string) => void): void;
}

/** Opens a connection. `gone` is called when the server has ended. */
export type Open = (gone: () => void) => Promise<Link>;

export async function connect(client: LSPClient, open: Open, gone: () => void): Promise<void> {
  await client.connect(transport(await open(gone))).initializing;
}

function transport(link: Link): Transport {
  const handlers = new Set<(message: string) => void>();
  link.listen((message) => handlers.forEach((handle) => handle(message)));
  return {
    send: (message) => link.send(message),
    subscribe: (handler) => void handlers.add(handler),
    unsubscribe: (handler) => void handlers.delete(handler),
  };
}

/** Sends a request about the current text. Aborting the signal cancels it. */
export function request<Answer>(client: LSPClient, method: string, params: object, signal?: AbortSignal): Promise<Answer> {
  client.sync();
  const answer = client.request<object, Answer>(method, params);
  signal?.addEventListener('abort', () => client.cancelRequest(params), { once: true });
  return answer;
}

/** Executes commands of the server. */
export function asking(client: LSPClient): Ask {
  return (command, argument, signal) => {
    if (!client.connected) return undefined;
    const answer = request<unknown>(client, 'workspace/executeCommand', { command, arguments: [argument] }, signal);
    // The protocol's errors are plain objects.
    return answer.catch((error: { message?: string }) => Promise.reject(new Error(error.message ?? String(error))));
  };
}
