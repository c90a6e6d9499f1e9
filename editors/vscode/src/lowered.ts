// “Show Lowered Stage”: shows a function at a stage of lowering, as a read-only document beside the source. An edit
// updates it, and corresponding lines are marked on both sides.

import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';
import { functionAtCursor } from './commands/run';
import { type RunTarget, SHOW_LOWERED, readTarget } from './protocol';
import { type Link, linesOf, readListing, sourceOf } from './stageLinks';

const SCHEME = 'relax-lowered';

/** Label and description of each stage that the server may offer. */
const STAGES: Readonly<Record<string, readonly [label: string, detail: string]>> = {
  normalized: ['Normal form', 'every intermediate value has a name'],
  'explicit-memory': ['Explicit memory', 'outputs are allocated, storage is planned and reused'],
  'shape-lowered': ['Lowered shapes', 'shape variables live on a heap, checks are calls'],
  bytecode: ['Bytecode', 'the instructions that the virtual machine runs'],
};

interface Query {
  uri: string;
  function: string;
  line: number;
  stage: string;
}

export class LoweredDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #client: () => LanguageClient | undefined;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #links = new Map<string, readonly Link[]>();
  readonly #mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  readonly #listeners: vscode.Disposable[];

  readonly onDidChange = this.#changed.event;

  constructor(client: () => LanguageClient | undefined) {
    this.#client = client;
    this.#listeners = [
      this.#changed,
      this.#mark,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#refresh(document.uri.toString());
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#links.delete(uri.toString())),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (kind !== undefined) this.#follow(textEditor);
      }),
    ];
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  /** A keybinding gives the function; from the palette, it is the function at the cursor. */
  async show(args: readonly unknown[]): Promise<void> {
    const target = readTarget(args) ?? (await functionAtCursor());
    const stage = stageOf(args[0]) ?? (target && (await this.#askForStage(target)));
    if (target === undefined || stage === undefined) return;
    const { uri, function: name, line } = target;
    const query: Query = { uri, function: name, line, stage };
    const ending = stage === 'bytecode' ? 'txt' : 'py';
    const address = vscode.Uri.from({ scheme: SCHEME, path: `/${name} (${stage}).${ending}`, query: JSON.stringify(query) });
    const document = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
  }

  async provideTextDocumentContent(address: vscode.Uri): Promise<string> {
    const query = queryOf(address);
    const client = this.#client();
    if (query === undefined || client === undefined) return '# The Relax server is not running.\n';
    try {
      const answer: unknown = await client.sendRequest(ExecuteCommandRequest.type, { command: SHOW_LOWERED, arguments: [query] });
      const { text, links } = readListing(answer);
      this.#links.set(address.toString(), links);
      return text;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#links.delete(address.toString());
      return `# ${query.function} cannot be lowered: ${why}\n`;
    }
  }

  /** Marks the lines on the other side that correspond to the line of the cursor. */
  #follow(editor: vscode.TextEditor): void {
    const { uri } = editor.document;
    const line = editor.selection.active.line;
    for (const other of vscode.window.visibleTextEditors) {
      const [stage, source] = uri.scheme === SCHEME ? [editor, other] : [other, editor];
      const links = this.#links.get(stage.document.uri.toString());
      if (links === undefined || queryOf(stage.document.uri)?.uri !== source.document.uri.toString()) continue;
      const lines = other === source ? sourceOf(links, line) : linesOf(links, line);
      const ranges = lines.map((it) => new vscode.Range(it, 0, it, 0));
      editor.setDecorations(this.#mark, []);
      other.setDecorations(this.#mark, ranges);
      const [first] = ranges;
      if (first !== undefined) other.revealRange(first, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  /** Returns the server's only stage, or the one that the user picks. */
  async #askForStage(target: RunTarget): Promise<string | undefined> {
    const experimental: unknown = this.#client()?.initializeResult?.capabilities.experimental;
    const names = (experimental as { stages?: unknown } | undefined)?.stages;
    const stages = Array.isArray(names) ? names.map(String) : ['bytecode'];
    if (stages.length === 1) return stages[0];
    const items = stages.map((stage) => ({ stage, label: STAGES[stage]?.[0] ?? stage, detail: STAGES[stage]?.[1] ?? '' }));
    const picked = await vscode.window.showQuickPick(items, { title: `${target.function}: stage`, matchOnDetail: true });
    return picked?.stage;
  }

  #refresh(source: string): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === SCHEME && queryOf(uri)?.uri === source) this.#changed.fire(uri);
    }
  }
}

function queryOf(address: vscode.Uri): Query | undefined {
  try {
    return JSON.parse(address.query) as Query;
  } catch {
    return undefined;
  }
}

function stageOf(argument: unknown): string | undefined {
  const stage = (argument as { stage?: unknown } | undefined)?.stage;
  return typeof stage === 'string' ? stage : undefined;
}
