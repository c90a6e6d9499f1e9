// “Show Graph”: what a function computes from what, drawn beside the source. It follows the source: an edit draws
// anew, the binding at the cursor is marked, and a click on a node leads to its line.

import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';
import { functionAtCursor } from '../commands/run';
import { goTo } from '../panel/goTo';
import { page } from '../panel/html';
import { type Position, type Range, readTarget } from '../protocol';
import { fileName } from '../results';
import { type Graph, SHOW_GRAPH, nodeAt, readGraph, shiftedLine } from './graph';
import type { FromGraphPage, ToGraphPage } from './messages';

const VIEW = 'relax.graph';
/** More nodes than these are neither read nor laid out at once. */
const LIMIT = 120;
/** Typing draws when it rests, in milliseconds; where an answer takes longer, as long as that took. */
const REST = 200;
const LONGEST_REST = 3000;

interface Subject {
  uri: string;
  function: string;
  /** The line of the `def`, from 0. */
  line: number;
  /** What a part of a large graph is about. */
  position: Position;
}

export class GraphPanel implements vscode.Disposable {
  readonly #extension: vscode.Uri;
  readonly #client: () => LanguageClient | undefined;
  readonly #listeners: vscode.Disposable[];
  #panel: vscode.WebviewPanel | undefined;
  #subject: Subject | undefined;
  #graph: Graph | undefined;
  #asked: vscode.CancellationTokenSource | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Of the last answer. */
  #took = 0;
  /** Something has changed while the panel was hidden. */
  #stale = false;

  constructor(extension: vscode.Uri, client: () => LanguageClient | undefined) {
    this.#extension = extension;
    this.#client = client;
    this.#listeners = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.#edited(document, contentChanges)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#follow(textEditor)),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asked?.cancel();
    this.#panel?.dispose();
    for (const listener of this.#listeners) listener.dispose();
  }

  /** From a lens or a keybinding, which says of what, or from the palette. */
  async show(args: readonly unknown[]): Promise<Graph | undefined> {
    const target = readTarget(args) ?? (await functionAtCursor());
    if (target === undefined) return undefined;
    const { uri, function: name, line } = target;
    const editor = vscode.window.activeTextEditor;
    const here = editor?.document.uri.toString() === uri ? editor.selection.active : undefined;
    this.#subject = { uri, function: name, line, position: here ?? { line, character: 0 } };
    this.#graph = undefined;
    this.#open(`Graph ${name}`);
    await this.#draw();
    return this.#graph;
  }

  /** The server is there again, or gone. */
  refresh(): void {
    if (this.#panel !== undefined) this.#drawSoon();
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
      this.#subject = undefined;
      this.#asked?.cancel();
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible && this.#stale) this.#drawSoon();
    });
    panel.webview.onDidReceiveMessage((message: FromGraphPage) => void this.#hear(message));
    panel.webview.html = page({ title: 'Relax Graph', script: at('graph.js'), style: at('graph.css'), origin: panel.webview.cspSource });
    this.#panel = panel;
  }

  #post(message: ToGraphPage): void {
    void this.#panel?.webview.postMessage(message);
  }

  #drawSoon(): void {
    clearTimeout(this.#timer);
    const rest = Math.min(LONGEST_REST, Math.max(REST, this.#took));
    this.#timer = setTimeout(() => void this.#draw(), rest);
  }

  async #draw(): Promise<void> {
    const subject = this.#subject;
    if (subject === undefined || this.#panel === undefined) return;
    this.#stale = !this.#panel.visible;
    if (this.#stale) return;
    const client = this.#client();
    if (client === undefined) {
      this.#post({ kind: 'problem', message: 'The Relax server is not running.' });
      return;
    }
    this.#asked?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.#asked = source;
    const before = performance.now();
    try {
      const argument = { ...subject, limit: LIMIT };
      const answer: unknown = await client.sendRequest(ExecuteCommandRequest.type, { command: SHOW_GRAPH, arguments: [argument] }, source.token);
      if (source.token.isCancellationRequested || this.#subject !== subject) return;
      const graph = readGraph(answer);
      if (graph === undefined) return;
      this.#took = performance.now() - before;
      subject.line = graph.line;
      this.#graph = graph;
      this.#tell();
    } catch (error) {
      // An edit overtakes what was asked before it, and draws again itself.
      if (source.token.isCancellationRequested || this.#subject !== subject) return;
      this.#post({ kind: 'problem', message: error instanceof Error ? error.message : String(error) });
    } finally {
      source.dispose();
    }
  }

  #tell(): void {
    if (this.#graph === undefined || this.#subject === undefined) return;
    this.#post({ kind: 'graph', file: fileName(this.#subject.uri), graph: this.#graph });
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === this.#subject?.uri);
    if (editor !== undefined) this.#mark(nodeAt(this.#graph, editor.selection.active));
  }

  #mark(node: number | undefined): void {
    this.#post(node === undefined ? { kind: 'mark' } : { kind: 'mark', node });
  }

  #edited(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const subject = this.#subject;
    if (subject === undefined || document.uri.toString() !== subject.uri || changes.length === 0) return;
    for (const { range, text } of changes) {
      const added = text.split('\n').length - 1;
      subject.line = shiftedLine(subject.line, range.start.line, range.end.line, added);
    }
    this.#drawSoon();
  }

  #follow({ document, selection: { active } }: vscode.TextEditor): void {
    const [subject, graph] = [this.#subject, this.#graph];
    if (subject === undefined || graph === undefined || document.uri.toString() !== subject.uri) return;
    subject.position = active;
    const node = nodeAt(graph, active);
    this.#mark(node);
    const { start, end } = graph.range;
    const partly = graph.nodes.length < graph.total;
    if (node === undefined && partly && active.line >= start.line && active.line <= end.line) this.#drawSoon();
  }

  async #hear(message: FromGraphPage): Promise<void> {
    const subject = this.#subject;
    if (message.kind === 'ready') return this.#tell();
    if (subject === undefined || this.#graph === undefined) return;
    if (message.kind === 'copy') {
      await vscode.env.clipboard.writeText(this.#graph.dot);
      vscode.window.setStatusBarMessage('Copied as DOT', 4000);
      return;
    }
    const line: Range = { start: { line: subject.line, character: 0 }, end: { line: subject.line, character: 0 } };
    const node = message.kind === 'go' ? this.#graph.nodes[message.node] : undefined;
    if (message.kind === 'go' && message.centre && node !== undefined) {
      subject.position = node.selection.start;
      await this.#draw();
    }
    await goTo(subject.uri, node?.selection ?? line);
  }
}
