// Executes commands of the server through VS Code's language client.

import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';
import type { Ask } from './protocol';

/** Uses the client that is running at the time of the call. */
export function asking(client: () => LanguageClient | undefined): Ask {
  return (command, argument, signal) => {
    const running = client();
    if (running === undefined) return undefined;
    const source = new vscode.CancellationTokenSource();
    if (signal?.aborted === true) source.cancel();
    signal?.addEventListener('abort', () => source.cancel(), { once: true });
    const answer: Promise<unknown> = running.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] }, source.token);
    return answer.finally(() => source.dispose());
  };
}
