// Registers the server's commands before its first start, for users who follow the walkthrough without an open model.

import * as vscode from 'vscode';
import type { Server } from '../client';
import { SHOW_GRAPH } from '../graph/graph';
import { RUN, SHOW_LOWERED, TRACE } from '../protocol';
import { offerServer } from './chooseServer';
import { offerExample } from './editorInMind';

/** Disposed at the first start, since the language client then registers the server's commands. */
export function earlyCommands(server: Server, extension: vscode.Extension<unknown>): vscode.Disposable {
  const offer = (): Promise<void> => (server.health.state === 'missing' ? offerServer(server.health.why, extension) : offerExample());
  const commands = vscode.Disposable.from(...[RUN, TRACE, SHOW_LOWERED, SHOW_GRAPH].map((command) => vscode.commands.registerCommand(command, offer)));
  server.onDidChange(({ state }) => {
    if (state === 'starting') commands.dispose();
  });
  return commands;
}
