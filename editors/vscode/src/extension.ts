// The extension's entry. The server starts with the first open document that contains TVMScript or Relay; for any other
// Python file the cost is one regular expression.

import * as vscode from 'vscode';
import { InlayHintRequest } from 'vscode-languageclient/node';
import { asking } from './ask';
import { DOCUMENTS, RELAY, Server } from './client';
import { chooseRelease } from './commands/chooseRelease';
import { offerServer, tellFailure } from './commands/chooseServer';
import { earlyCommands } from './commands/early';
import { Explanations } from './commands/explain';
import { format } from './commands/format';
import { migrate } from './commands/migrate';
import { openExample } from './commands/openExample';
import { openSettings } from './commands/openSettings';
import { restart } from './commands/restart';
import { RunCommand } from './commands/run';
import { showLogs } from './commands/showLogs';
import { showReferences } from './commands/showReferences';
import { WhatIf } from './commands/whatIf';
import { DEBUG, Debugging } from './debug/debug';
import { SHOW_GRAPH } from './graph/graph';
import { GraphPanel } from './graph/panel';
import { LoweredDocuments } from './lowered';
import { MIGRATE_FILE, MIGRATE_WORKSPACE } from './migration';
import { Panel } from './panel/panel';
import { CancellableProgress } from './progress';
import { RUN, SHOW_LOWERED, TRACE, readTarget } from './protocol';
import { CHOOSE_RELEASE } from './release';
import { ReleaseStatus } from './releaseStatus';
import { report } from './results';
import { FormMemory } from './runs/memory';
import { Runs } from './runs/runs';
import { Status } from './status';
import { Follower } from './timeline/follow';
import { TimelineView } from './timeline/view';
import { isDump } from './timeline/timeline';
import { TraceChannel } from './trace';
import { TraceNotes } from './traceNotes';
import { holdsTvmScript, importsTvm } from './tvmscript';

let server: Server | undefined;

/** Commands whose lenses are hidden in an untrusted workspace. */
const RUNNING = [RUN, TRACE, DEBUG, 'relax.record'];

/** Lenses next to the one that runs a function. */
const BESIDE_RUN: readonly vscode.Command[] = [
  { title: 'Trace', command: TRACE, tooltip: 'Run, and note the value of every binding' },
  { title: 'Debug', command: DEBUG, tooltip: 'Run step by step, stop at breakpoints' },
  { title: 'Graph', command: SHOW_GRAPH, tooltip: 'Show the dataflow graph' },
];

export function activate(context: vscode.ExtensionContext): void {
  const channels = {
    log: vscode.window.createOutputChannel('Relax', { log: true }),
    trace: new TraceChannel('Relax: Protocol Trace'),
  };
  const results = vscode.window.createOutputChannel('Relax: Results');
  const running = (): Server['client'] => server?.client;
  const ask = asking(running);
  const runs = new Runs({ ask, defaults, warn: (message) => void vscode.window.showWarningMessage(message) }, new FormMemory(context.workspaceState));
  const panel = new Panel(context.extensionUri, runs);
  const notes = new TraceNotes((name) => panel.open(name));
  const run = new RunCommand(runs, panel);
  const progress = new CancellableProgress(running, () => panel.visible);
  const lowered = new LoweredDocuments(running);
  const graph = new GraphPanel(context.extensionUri, ask, (uri) => notes.traced(uri));
  const explanations = new Explanations(() => server);
  runs.onDidEnd((ended) => {
    results.appendLine(`${report(ended.request, ended.result)}\n`);
    notes.show(ended);
  });

  const started = new Server(context.extensionPath, channels, {
    // The client registers the server's own commands; these are the others.
    executeCommand: (command, args, next) => {
      if (command === RUN) return run.execute('run', args);
      if (command === TRACE) return run.execute('trace', args);
      if (command === SHOW_LOWERED) return lowered.show(args);
      if (command === SHOW_GRAPH) return graph.show(args);
      return next(command, args);
    },
    handleWorkDoneProgress: progress.handle,
    provideInlayHints: async (document, range, token, next) =>
      (await next(document, range, token))?.filter((hint) => !notes.covers(document, hint.position.line)),
    provideCodeLenses: async (document, token, next) => {
      // The server's lens for a trace lacks the parameters that the panel's form needs.
      const found = ((await next(document, token)) ?? []).filter((lens) => lens.command?.command !== TRACE);
      const fits = (lens: vscode.CodeLens, { command }: vscode.Command): boolean =>
        (command !== DEBUG || document.languageId !== RELAY) && (command !== SHOW_GRAPH || readTarget(lens.command?.arguments ?? [])?.primFunc !== true);
      const beside = (lens: vscode.CodeLens): vscode.CodeLens[] => BESIDE_RUN.filter((it) => fits(lens, it)).map((it) => sameFor(lens, it));
      const all = found.flatMap((lens) => (lens.command?.command === RUN ? [lens, ...beside(lens)] : [lens]));
      return vscode.workspace.isTrusted ? all : all.filter((lens) => !RUNNING.includes(lens.command?.command ?? ''));
    },
  });
  server = started;
  notes.onDidChange((uri) => {
    const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri);
    const hints = started.client?.getFeature(InlayHintRequest.method);
    if (document !== undefined) hints?.getProvider(document)?.onDidChangeInlayHints.fire();
  });

  const timeline = new TimelineView(() => server, graph);
  const follower = new Follower(running, () => timeline.timeline);
  const status = new Status();
  const release = new ReleaseStatus(running);
  const showStatus = (): void => {
    const here = inFront();
    status.show(started.health, here);
    void release.refresh();
    void vscode.commands.executeCommand('setContext', 'relax.here', here);
  };
  started.onDidChange((health) => {
    showStatus();
    graph.refresh();
    if (health.state !== 'ready') {
      progress.clear();
      runs.forget();
    }
    if (health.state === 'failed' && !health.crashed) void tellFailure(health.why);
    if (health.state === 'missing') void offerServer(health.why, context.extension);
  });

  const migrating = () => ({ client: running(), extension: context.extension, results });
  const startFor = (document: vscode.TextDocument, text: string): void => {
    if (started.health.state !== 'idle' || vscode.languages.match(DOCUMENTS, document) === 0) return;
    if (isRead(document, text) || importsTvm(text)) void started.start();
  };
  const offerTimeline = ({ uri }: vscode.TextDocument): void => {
    if (uri.scheme === 'file' && isDump(uri.path)) void timeline.offer(vscode.Uri.joinPath(uri, '..'));
  };
  context.subscriptions.push(
    channels.log,
    channels.trace,
    results,
    runs,
    panel,
    notes,
    lowered,
    graph,
    explanations,
    timeline,
    follower,
    new WhatIf(),
    new Debugging(started, runs),
    started,
    earlyCommands(started, context.extension),
    status,
    release,
    vscode.languages.onDidChangeDiagnostics(() => release.refreshSoon()),
    vscode.workspace.onDidOpenTextDocument((document) => {
      startFor(document, document.getText());
      offerTimeline(document);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (started.health.state === 'idle') startFor(document, changedLines(document, contentChanges));
    }),
    vscode.workspace.onDidSaveTextDocument((document) => void runs.saved(document.uri.toString())),
    vscode.window.onDidChangeActiveTextEditor(showStatus),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const wasAsked = started.health.state !== 'idle';
      if (change.affectsConfiguration('relax.server.path') && wasAsked) void started.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      // The lenses were hidden, and a server path from the workspace was ignored until now.
      if (started.health.state !== 'idle') void started.restart();
    }),
    vscode.commands.registerCommand('relax.restart', () => restart(started)),
    vscode.commands.registerCommand('relax.showLogs', () => showLogs(channels)),
    vscode.commands.registerCommand('relax.openSettings', () => openSettings(context.extension.id)),
    vscode.commands.registerCommand(CHOOSE_RELEASE, () => chooseRelease(context.extension)),
    vscode.commands.registerCommand(MIGRATE_FILE, (to?: unknown) => migrate(migrating(), false, to)),
    vscode.commands.registerCommand(MIGRATE_WORKSPACE, (to?: unknown) => migrate(migrating(), true, to)),
    vscode.commands.registerCommand('relax.openExample', () => openExample(context.extensionUri)),
    vscode.commands.registerCommand('relax.openTensor', (name: string) => panel.open(name)),
    vscode.commands.registerCommand('relax.explain', (...args: unknown[]) => explanations.show(args)),
    vscode.commands.registerCommand('relax.format', () => format(started.client)),
    vscode.commands.registerCommand('relax.showReferences', showReferences),
    vscode.commands.registerCommand('relax.showResults', () => results.show(true)),
  );
  for (const document of vscode.workspace.textDocuments) {
    startFor(document, document.getText());
    offerTimeline(document);
  }
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) void timeline.offer(uri);
  showStatus();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** The settings' defaults for a run. */
function defaults(uri: string): { dim: number; seed: number } {
  const settings = vscode.workspace.getConfiguration('relax.run', vscode.Uri.parse(uri));
  return { dim: settings.get<number>('defaultDim', 4), seed: settings.get<number>('seed', 0) };
}

/** Returns a lens for the same function as another lens. */
function sameFor({ range, command }: vscode.CodeLens, other: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(range, command?.arguments === undefined ? other : { ...other, arguments: command.arguments });
}

function inFront(): boolean {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && vscode.languages.match(DOCUMENTS, document) > 0 && isRead(document, document.getText());
}

/** Whether the server analyses a document. */
function isRead(document: vscode.TextDocument, text: string): boolean {
  return document.languageId === RELAY || holdsTvmScript(text);
}

/** Returns the text of the changed lines, to detect a new import of TVMScript. */
function changedLines(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): string {
  const bottom = document.lineCount - 1;
  const lines = changes.map(({ range, text }) => {
    // The positions are from before the change; there may be fewer lines now.
    const first = Math.min(range.start.line, bottom);
    const last = Math.min(first + text.split('\n').length - 1, bottom);
    return document.getText(new vscode.Range(first, 0, last, document.lineAt(last).text.length));
  });
  return lines.join('\n');
}
