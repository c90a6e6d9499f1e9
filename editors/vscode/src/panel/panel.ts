// The panel beside the editor: a page of its own that shows runs and asks for more. The page holds no truth; it is
// told the whole state whenever that changes.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Run } from '../runs/book';
import { numpyText } from '../runs/numpy';
import type { Runs } from '../runs/runs';
import { goTo } from './goTo';
import { page } from './html';
import type { FromPage, ToPage } from './messages';

const VIEW = 'relax.panel';

export class Panel implements vscode.Disposable {
  readonly #extension: vscode.Uri;
  readonly #runs: Runs;
  readonly #listeners: vscode.Disposable[];
  #panel: vscode.WebviewPanel | undefined;
  /** A tensor to be opened as soon as the page is there. */
  #wanted: string | undefined;

  constructor(extension: vscode.Uri, runs: Runs) {
    this.#extension = extension;
    this.#runs = runs;
    this.#listeners = [runs.onDidChange(() => this.#tell())];
  }

  dispose(): void {
    this.#panel?.dispose();
    for (const listener of this.#listeners) listener.dispose();
  }

  get visible(): boolean {
    return this.#panel?.visible === true;
  }

  /** Brings it to the front beside the editor, which keeps the focus. */
  show(): void {
    if (this.#panel !== undefined) {
      if (!this.#panel.visible) this.#panel.reveal(undefined, true);
      return;
    }
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const folder = vscode.Uri.joinPath(this.#extension, 'dist');
    const panel = vscode.window.createWebviewPanel(VIEW, 'Relax Run', place, { enableScripts: true, localResourceRoots: [folder] });
    const at = (file: string): string => panel.webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
    panel.onDidDispose(() => (this.#panel = undefined));
    panel.webview.onDidReceiveMessage((message: FromPage) => void this.#hear(message));
    panel.webview.html = page({ title: 'Relax Run', script: at('panel.js'), style: at('panel.css'), origin: panel.webview.cspSource });
    this.#panel = panel;
  }

  /** Shows a tensor that the shown run has kept. */
  open(name: string): void {
    const there = this.visible;
    this.#wanted = name;
    this.show();
    if (there) this.#tellWanted();
  }

  #post(message: ToPage): void {
    void this.#panel?.webview.postMessage(message);
  }

  #tell(): void {
    const state = this.#runs.state();
    if (state === undefined || this.#panel === undefined) return;
    this.#panel.title = `Run ${state.subject.function}`;
    this.#post({ kind: 'state', state });
  }

  #tellWanted(): void {
    if (this.#wanted !== undefined) this.#post({ kind: 'open', name: this.#wanted });
    this.#wanted = undefined;
  }

  async #hear(message: FromPage): Promise<void> {
    const runs = this.#runs;
    switch (message.kind) {
      case 'ready':
        this.#tell();
        this.#tellWanted();
        return;
      case 'run':
      case 'trace':
        await runs.fill(message.form);
        await runs.start(message.kind);
        return;
      case 'form':
        await runs.fill(message.form);
        return;
      case 'cancel':
        runs.cancel();
        return;
      case 'tensor':
        this.#post(await this.#look(message));
        return;
      case 'copy':
        await copy(runs, message.name);
        return;
      case 'save':
        await save(runs.shown, message.name);
        return;
      case 'reveal':
        await reveal(runs, message.line);
        return;
      case 'choose':
        await this.#choose(message.param);
        return;
      case 'select':
        runs.select(message.id);
        return;
      case 'compare':
        runs.compare(message.id ?? undefined);
        return;
    }
  }

  async #look({ ask, request }: Extract<FromPage, { kind: 'tensor' }>): Promise<ToPage> {
    try {
      return { kind: 'tensor', ask, view: await this.#runs.tensor(request) };
    } catch (error) {
      return { kind: 'tensor', ask, error: error instanceof Error ? error.message : String(error) };
    }
  }

  async #choose(param: string): Promise<void> {
    const files = await vscode.window.showOpenDialog({ title: `Value of ${param}`, filters: { NumPy: ['npy'] }, canSelectMany: false });
    const file = files?.[0]?.fsPath;
    if (file !== undefined) this.#post({ kind: 'chosen', param, file });
  }
}

async function copy(runs: Runs, name: string): Promise<void> {
  const run = runs.shown?.result.run;
  if (run === undefined) return;
  const view = await runs.tensor({ run, name, list: true });
  const file = fileOf(runs.shown, name);
  if (view.list) {
    await vscode.env.clipboard.writeText(numpyText(view.list, view.shape, view.dtype));
    vscode.window.setStatusBarMessage('Copied as NumPy', 4000);
  } else if (file !== undefined) {
    await vscode.env.clipboard.writeText(`np.load(${JSON.stringify(file)})`);
    void vscode.window.showInformationMessage('The tensor is too large for text. What was copied loads it from its file, which is there until the server stops.');
  }
}

async function save(run: Run | undefined, name: string): Promise<void> {
  const file = fileOf(run, name);
  if (run === undefined || file === undefined) return;
  const beside = vscode.Uri.parse(run.request.uri);
  const folder = beside.scheme === 'file' ? vscode.Uri.joinPath(beside, '..') : vscode.workspace.workspaceFolders?.[0]?.uri;
  const options: vscode.SaveDialogOptions = { filters: { NumPy: ['npy'] } };
  if (folder !== undefined) options.defaultUri = vscode.Uri.joinPath(folder, `${name}.npy`);
  const target = await vscode.window.showSaveDialog(options);
  if (target !== undefined) await vscode.workspace.fs.copy(vscode.Uri.file(file), target, { overwrite: true });
}

function fileOf(run: Run | undefined, name: string): string | undefined {
  const folder = run?.result.folder;
  return folder === undefined ? undefined : path.join(folder, `${name}.npy`);
}

async function reveal(runs: Runs, line: number | undefined): Promise<void> {
  const run = runs.shown;
  if (line !== undefined) {
    const uri = run?.request.uri ?? runs.subject?.uri;
    if (uri !== undefined) await goTo(uri, { start: { line, character: 0 }, end: { line, character: 0 } });
  } else if (run !== undefined && !run.result.ok && run.result.error.range !== undefined) {
    await goTo(run.result.error.uri ?? run.request.uri, run.result.error.range);
  }
}
