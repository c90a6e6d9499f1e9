// The way to the server: the protocol's messages over a WebSocket, and requests that can be taken back.

import { LSPClient, type LSPClientExtension, type Transport, hoverTooltips, jumpToDefinitionKeymap, findReferencesKeymap, formatKeymap, renameKeymap, serverCompletion, signatureHelp } from '@codemirror/lsp-client';
import { keymap } from '@codemirror/view';
import type { Ask } from '../src/protocol';
import { sanitized } from './markdown';

/** The one document. It is no file: nothing on the disk belongs to it. */
export const DOCUMENT = 'untitled:playground.py';

/** A run may last: the client's own limit would give it up. */
const NO_LIMIT = 2 ** 31 - 1;

/** What the page does besides what the client's library does. */
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

export function client(): LSPClient {
  const keys = keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]);
  return new LSPClient({
    timeout: NO_LIMIT,
    sanitizeHTML: sanitized,
    extensions: [CAPABILITIES, serverCompletion(), hoverTooltips(), signatureHelp(), keys],
  });
}

/** Beside the page, wherever that is served. */
export async function connect(client: LSPClient, gone: () => void): Promise<void> {
  const address = new URL('lsp', location.href);
  address.protocol = 'ws:';
  address.hash = '';
  const socket = new WebSocket(address);
  socket.addEventListener('close', gone);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  await client.connect(transport(socket)).initializing;
}

function transport(socket: WebSocket): Transport {
  const handlers = new Set<(message: string) => void>();
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => handlers.forEach((handle) => handle(data)));
  return {
    send: (message) => socket.send(message),
    subscribe: (handler) => void handlers.add(handler),
    unsubscribe: (handler) => void handlers.delete(handler),
  };
}

/** Asks about the text as it stands; aborted, the request is taken back. */
export function request<Answer>(client: LSPClient, method: string, params: object, signal?: AbortSignal): Promise<Answer> {
  client.sync();
  const answer = client.request<object, Answer>(method, params);
  signal?.addEventListener('abort', () => client.cancelRequest(params), { once: true });
  return answer;
}

/** Commands of the server. */
export function asking(client: LSPClient): Ask {
  return (command, argument, signal) => {
    if (!client.connected) return undefined;
    const answer = request<unknown>(client, 'workspace/executeCommand', { command, arguments: [argument] }, signal);
    // The protocol's errors are plain objects.
    return answer.catch((error: { message?: string }) => Promise.reject(new Error(error.message ?? String(error))));
  };
}
