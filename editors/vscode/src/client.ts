// Starts, stops and restarts the server; at most one runs at a time. `status.ts` shows its state.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as vscode from 'vscode';
import { CloseAction, type ErrorHandler, LanguageClient, type Middleware, RevealOutputChannelOn, State, type StaticFeature } from 'vscode-languageclient/node';
import { PAGES } from './pages';
import { pythonFolder } from './python';
import { findServer, type Found } from './server';

export type Health =
  | { state: 'idle' }
  | { state: 'starting' }
  | { state: 'ready'; version: string; file: string }
  | { state: 'missing'; why: string }
  /** `crashed`: the server ran and stopped; the language client reports this, and restarts it. */
  | { state: 'failed'; why: string; crashed: boolean };

export interface Channels {
  log: vscode.LogOutputChannel;
  trace: vscode.LogOutputChannel;
}

/** The maximum number of restarts within three minutes after crashes. */
const RESTARTS = 4;

/** Relay's text format. `relay` is the language of GraphQL's framework. */
export const RELAY = 'tvm-relay';

export const DOCUMENTS = [
  { language: 'python', scheme: 'file' },
  { language: 'python', scheme: 'untitled' },
  { language: 'python', scheme: 'vscode-notebook-cell' },
  { language: RELAY, scheme: 'file' },
  { language: RELAY, scheme: 'untitled' },
];

/** Capabilities of this client: commands that lenses may use, links of diagnostic codes, notes of traced runs. */
const OFFERS: StaticFeature = {
  fillClientCapabilities: (capabilities) => void (capabilities.experimental = { commands: ['relax.showReferences'], pages: PAGES, traces: true }),
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

export class Server implements vscode.Disposable {
  readonly #extensionFolder: string;
  readonly #channels: Channels;
  readonly #middleware: Middleware;
  readonly #changed = new vscode.EventEmitter<Health>();
  #health: Health = { state: 'idle' };
  #client: LanguageClient | undefined;
  /** Starts and stops wait here for each other. */
  #turn: Promise<void> = Promise.resolve();

  readonly onDidChange = this.#changed.event;

  constructor(extensionFolder: string, channels: Channels, middleware: Middleware) {
    this.#extensionFolder = extensionFolder;
    this.#channels = channels;
    this.#middleware = middleware;
  }

  get health(): Health {
    return this.#health;
  }

  get client(): LanguageClient | undefined {
    return this.#health.state === 'ready' ? this.#client : undefined;
  }

  /** The server's binary, which is running or would be started. */
  find(): Promise<Found> {
    const { health } = this;
    return health.state === 'ready' ? Promise.resolve({ kind: 'found', file: health.file, from: 'running server' }) : locate(this.#extensionFolder);
  }

  start(): Promise<void> {
    return this.#queue(() => this.#start());
  }

  restart(): Promise<void> {
    return this.#queue(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  stop(): Promise<void> {
    return this.#queue(() => this.#stop());
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #queue(step: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(step);
    return this.#turn;
  }

  async #start(): Promise<void> {
    if (this.#client !== undefined) return;
    const found = await locate(this.#extensionFolder);
    if (found.kind === 'missing') {
      this.#channels.log.error(found.why);
      this.#become({ state: 'missing', why: found.why });
      return;
    }
    this.#channels.log.info(`Starting ${found.file} (from the ${found.from})`);
    this.#become({ state: 'starting' });
    const client = this.#create(found.file);
    this.#client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.#client !== client) return;
      if (newState === State.Running) this.#become({ state: 'ready', version: versionOf(client), file: found.file });
      if (newState === State.Starting) this.#become({ state: 'starting' });
      if (newState === State.Stopped) this.#become({ state: 'failed', why: 'The server stopped.', crashed: true });
    });
    try {
      await client.start();
      this.#channels.log.info(`relax-lsp ${versionOf(client)} is ready`);
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      const why = error instanceof Error ? error.message : String(error);
      this.#channels.log.error(`${found.file} did not start: ${why}`);
      this.#become({ state: 'failed', why, crashed: false });
      await client.dispose().catch(() => undefined);
    }
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#become({ state: 'idle' });
    // A crashed server cannot be asked to stop. In both cases it is gone afterwards.
    await client?.dispose().catch((error) => this.#channels.log.warn(`stopping: ${error}`));
  }

  #become(health: Health): void {
    this.#health = health;
    void vscode.commands.executeCommand('setContext', 'relax.ready', health.state === 'ready');
    this.#changed.fire(health);
  }

  #create(file: string): LanguageClient {
    // The id also names the section of the trace setting: `relax.trace.server`.
    const client: LanguageClient = new LanguageClient('relax', 'Relax', { command: file, args: ['lsp'] }, {
      documentSelector: DOCUMENTS,
      initializationOptions: () => vscode.workspace.getConfiguration('relax'),
      synchronize: { configurationSection: 'relax' },
      outputChannel: this.#channels.log,
      traceOutputChannel: this.#channels.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticCollectionName: 'relax',
      errorHandler: errorHandler(() => client),
      initializationFailedHandler: () => false,
      middleware: this.#middleware,
      markdown: { supportHtml: false },
    });
    client.registerFeature(OFFERS);
    return client;
  }
}

/** If the server never started, does not try again; after a crash, restarts it up to the limit. */
function errorHandler(client: () => LanguageClient): ErrorHandler {
  let usual: ErrorHandler | undefined;
  const handler = (): ErrorHandler => (usual ??= client().createDefaultErrorHandler(RESTARTS));
  return {
    error: (error, message, count) => handler().error(error, message, count),
    closed: () =>
      client().initializeResult === undefined ? { action: CloseAction.DoNotRestart, handled: true } : handler().closed(),
  };
}

function versionOf(client: LanguageClient): string {
  return client.initializeResult?.serverInfo?.version ?? 'of unknown version';
}

async function locate(extensionFolder: string): Promise<Found> {
  return findServer({
    environment: await pythonFolder(),
    setting: vscode.workspace.getConfiguration('relax').get<string>('server.path', ''),
    extensionFolder,
    home: os.homedir(),
    searchPath: process.env['PATH'] ?? process.env['Path'] ?? '',
    platform: process.platform,
    exists: (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false,
  });
}
