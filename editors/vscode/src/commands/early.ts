// The server's commands before there has been a server: the walkthrough offers them to who has opened no model yet.

import * as vscode from 'vscode';
import type { Server } from '../client';
import { SHOW_GRAPH } from '../graph/graph';
import { RUN, SHOW_LOWERED, TRACE } from '../protocol';
import { offerServer } from './chooseServer';
import { offerExample } from './editorInMind';

/** They end with the first start, as the language client brings those of the server. */
export function earlyCommands(server: Server, extension: vscode.Extension<unknown>): vscode.Disposable {
  const offer = (): Promise<void> => (server.health.state === 'missing' ? offerServer(server.health.why, extension) : offerExample());
  const commands = vscode.Disposable.from(...[RUN, TRACE, SHOW_LOWERED, SHOW_GRAPH].map((command) => vscode.commands.registerCommand(command, offer)));
  server.onDidChange(({ state }) => {
    if (state === 'starting') commands.dispose();
  });
  return commands;
}
