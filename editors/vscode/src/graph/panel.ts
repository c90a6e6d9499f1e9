// “Show Graph”: draws the dataflow of a function beside its source. This is the part that uses VS Code; `follower.ts`
// is the rest.

import * as vscode from 'vscode';
import { functionAtCursor } from '../commands/run';
import { copy } from '../panel/copy';
import { save } from '../panel/save';
import { goTo } from '../panel/goTo';
import { page } from '../panel/html';
import { type Ask, type TracedBinding, readTarget } from '../protocol';
import { GraphFollower } from './follower';
import type { Graph } from './graph';
import type { FromGraphPage } from './messages';

const VIEW = 'relax.graph';

export class GraphPanel implements vscode.Disposable {
  readonly #extension: vscode.Uri;
  readonly #follower: GraphFollower;
  readonly #listeners: vscode.Disposable[];
  #panel: vscode.WebviewPanel | undefined;

  constructor(extension: vscode.Uri, ask: Ask, traced: (uri: string) => readonly TracedBinding[]) {
    this.#extension = extension;
    this.#follower = new GraphFollower({
      ask,
      post: (message) => void this.#panel?.webview.postMessage(message),
      visible: () => this.#panel?.visible === true,
      cursor: (uri) => vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri)?.selection.active,
      goTo,
      copy,
      save,
      traced,
    });
    this.#listeners = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const edits = contentChanges.map(({ range, text }) => ({ start: range.start.line, end: range.end.line, text }));
        this.#follower.edited(document.uri.toString(), edits);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor: { document, selection } }) => this.#follower.follow(document.uri.toString(), selection.active)),
    ];
  }

  dispose(): void {
    this.#follower.stop();
    this.#panel?.dispose();
    for (const listener of this.#listeners) listener.dispose();
  }

  /** A lens or a keybinding gives the function; from the palette, it is the function at the cursor. */
  async show(args: readonly unknown[]): Promise<Graph | undefined> {
    const target = readTarget(args) ?? (await functionAtCursor());
    if (target === undefined) return undefined;
    const { uri, function: name, line } = target;
    const editor = vscode.window.activeTextEditor;
    const here = editor?.document.uri.toString() === uri ? editor.selection.active : undefined;
    this.#open(`Graph ${name}`);
    await this.#follower.show({ uri, function: name, line, position: here ?? { line, character: 0 } });
    return this.#follower.graph;
  }

  /** Shows one graph of a function before and after a pass. */
  async compare(before: string, after: string, name: string, line: number): Promise<void> {
    this.#open(`Graph ${name}`);
    await this.#follower.show({ uri: after, function: name, line, position: { line, character: 0 }, before });
  }

  /** The server has started or ended. */
  refresh(): void {
    if (this.#panel !== undefined) this.#follower.drawSoon();
  }

  #open(title: string): void {
    if (this.#panel !== undefined) {
      this.#panel.title = title;
      if (!this.#panel.visible) this.#panel.reveal(undefined, true);
      return;
    }
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const folder = vscode.Uri.joinPath(this.#extension, 'dist');
    const panel = vscode.window.createWebviewPanel(VIEW, title, place, { enableScripts: true, localResourceRoots: [folder] });
    const at = (file: string): string => panel.webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#follower.stop();
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible) this.#follower.shown();
    });
    panel.webview.onDidReceiveMessage((message: FromGraphPage) => void this.#follower.hear(message));
    panel.webview.html = page({ title: 'Relax Graph', script: at('graph.js'), style: at('graph.css'), origin: panel.webview.cspSource });
    this.#panel = panel;
  }
}
