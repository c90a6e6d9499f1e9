// Puts the parts together. The server starts with the first open document that holds TVMScript, so a user
// who only writes Python pays for one regular expression per opened file.

import * as vscode from 'vscode';
import { DOCUMENTS, Server } from './client';
import { offerServer, tellFailure } from './commands/chooseServer';
import { openSettings } from './commands/openSettings';
import { restart } from './commands/restart';
import { RunCommand } from './commands/run';
import { showLogs } from './commands/showLogs';
import { DimMemory } from './dims';
import { CancellableProgress } from './progress';
import { RUN } from './protocol';
import { Status } from './status';
import { TraceChannel } from './trace';
import { holdsTvmScript } from './tvmscript';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const channels = {
    log: vscode.window.createOutputChannel('Relax', { log: true }),
    trace: new TraceChannel('Relax: Protocol Trace'),
  };
  const results = vscode.window.createOutputChannel('Relax: Results');
  const running = (): Server['client'] => server?.client;
  const run = new RunCommand(running, new DimMemory(context.workspaceState), results);
  const progress = new CancellableProgress(running);

  const started = new Server(context.extensionPath, channels, {
    executeCommand: (command, args, next) => (command === RUN ? run.execute(args) : next(command, args)),
    handleWorkDoneProgress: progress.handle,
    provideCodeLenses: async (document, token, next) => {
      const found = (await next(document, token)) ?? [];
      return vscode.workspace.isTrusted ? found : found.filter((lens) => lens.command?.command !== RUN);
    },
  });
  server = started;

  const status = new Status();
  const showStatus = (): void => status.show(started.health, inFront());
  started.onDidChange((health) => {
    showStatus();
    if (health.state !== 'ready') progress.clear();
    if (health.state === 'failed' && !health.crashed) void tellFailure(health.why);
    if (health.state === 'missing') void offerServer(health.why, context.extension);
  });

  const startFor = (document: vscode.TextDocument, text: string): void => {
    if (started.health.state !== 'idle' || vscode.languages.match(DOCUMENTS, document) === 0) return;
    if (holdsTvmScript(text)) void started.start();
  };
  context.subscriptions.push(
    channels.log,
    channels.trace,
    results,
    started,
    status,
    vscode.workspace.onDidOpenTextDocument((document) => startFor(document, document.getText())),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (started.health.state === 'idle') startFor(document, changedLines(document, contentChanges));
    }),
    vscode.window.onDidChangeActiveTextEditor(showStatus),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const wasAsked = started.health.state !== 'idle';
      if (change.affectsConfiguration('relax.server.path') && wasAsked) void started.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      // The lenses were withheld, and a server path from the workspace counts only now.
      if (started.health.state !== 'idle') void started.restart();
    }),
    vscode.commands.registerCommand('relax.restart', () => restart(started)),
    vscode.commands.registerCommand('relax.showLogs', () => showLogs(channels)),
    vscode.commands.registerCommand('relax.openSettings', () => openSettings(context.extension.id)),
  );
  for (const document of vscode.workspace.textDocuments) startFor(document, document.getText());
  showStatus();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

function inFront(): boolean {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && vscode.languages.match(DOCUMENTS, document) > 0 && holdsTvmScript(document.getText());
}

/** The text of the lines a change has touched: enough to notice that an import of TVMScript was typed. */
function changedLines(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): string {
  const bottom = document.lineCount - 1;
  const lines = changes.map(({ range, text }) => {
    // Positions are those before the change; a deletion may have left fewer lines than that.
    const first = Math.min(range.start.line, bottom);
    const last = Math.min(first + text.split('\n').length - 1, bottom);
    return document.getText(new vscode.Range(first, 0, last, document.lineAt(last).text.length));
  });
  return lines.join('\n');
}
