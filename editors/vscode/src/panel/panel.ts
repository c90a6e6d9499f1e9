// The panel beside the editor, which shows runs and starts new ones. This is the part that uses VS Code; `talk.ts` is
// the rest.

import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../runs/book';
import type { Runs } from '../runs/runs';
import { copy } from './copy';
import { goTo } from './goTo';
import { page } from './html';
import type { FromPage } from './messages';
import { placeFor } from './save';
import { type PanelHost, PanelTalk } from './talk';

const VIEW = 'relax.panel';

export class Panel implements vscode.Disposable {
  readonly #extension: vscode.Uri;
  readonly #talk: PanelTalk;
  readonly #listeners: vscode.Disposable[];
  #panel: vscode.WebviewPanel | undefined;

  constructor(extension: vscode.Uri, runs: Runs) {
    this.#extension = extension;
    const host: PanelHost = { post: (message) => void this.#panel?.webview.postMessage(message), goTo, copy, copyLarge, files: { save, choose, chooseWeights } };
    this.#talk = new PanelTalk(runs, host);
    this.#listeners = [runs.onDidChange(() => this.#tell())];
  }

  dispose(): void {
    this.#panel?.dispose();
    for (const listener of this.#listeners) listener.dispose();
  }

  get visible(): boolean {
    return this.#panel?.visible === true;
  }

  /** Shows the panel beside the editor, which keeps the focus. */
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
    panel.webview.onDidReceiveMessage((message: FromPage) => void this.#talk.hear(message));
    panel.webview.html = page({ title: 'Relax Run', script: at('panel.js'), style: at('panel.css'), origin: panel.webview.cspSource });
    this.#panel = panel;
  }

  /** Shows a tensor that the shown run has kept. */
  open(name: string): void {
    const there = this.visible;
    this.show();
    this.#talk.open(name, there);
  }

  #tell(): void {
    if (this.#panel === undefined) return;
    const state = this.#talk.tell();
    if (state !== undefined) this.#panel.title = `Run ${state.subject.function}`;
  }
}

async function copyLarge(run: Run, name: string): Promise<void> {
  const file = fileOf(run, name);
  if (file === undefined) return;
  await vscode.env.clipboard.writeText(`np.load(${JSON.stringify(file)})`);
  void vscode.window.showInformationMessage('The tensor is too large for text. What was copied loads it from its file, which is there until the server stops.');
}

async function save(run: Run, name: string): Promise<void> {
  const file = fileOf(run, name);
  if (file === undefined) return;
  const beside = vscode.Uri.parse(run.request.uri);
  const target = await placeFor(`${name}.npy`, beside.scheme === 'file' ? vscode.Uri.joinPath(beside, '..') : undefined);
  if (target !== undefined) await vscode.workspace.fs.copy(vscode.Uri.file(file), target, { overwrite: true });
}

async function choose(param: string): Promise<string | undefined> {
  const files = await vscode.window.showOpenDialog({ title: `Value of ${param}`, filters: { NumPy: ['npy'] }, canSelectMany: false });
  return files?.[0]?.fsPath;
}

async function chooseWeights(): Promise<string[] | undefined> {
  const filters = { Weights: ['safetensors', 'npz', 'params', 'json'] };
  const files = await vscode.window.showOpenDialog({ title: 'Weights: .safetensors, .npz, .params, or tensor-cache.json', filters, canSelectMany: true });
  return files?.map((it) => it.fsPath);
}

function fileOf(run: Run, name: string): string | undefined {
  const { folder } = run.result;
  return folder === undefined ? undefined : path.join(folder, `${name}.npy`);
}
