// Notes beside each binding after a traced run: shape, time and range of values, in red at the first NaN or infinity. A
// note stands for the type, whether a hint or an annotation says it, so that the line ends where it did. A click on it
// opens the tensor in the panel. An edit removes the notes.

import * as vscode from 'vscode';
import { type LineNote, annotationOf, lineNotes, placeOf } from './runs/lineNotes';
import type { Trace, TracedBinding } from './protocol';
import type { Run } from './runs/book';

export class TraceNotes implements vscode.Disposable {
  readonly #open: (name: string) => void;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #listeners: vscode.Disposable[];
  readonly #usual = vscode.window.createTextEditorDecorationType(styled('editorCodeLens.foreground'));
  readonly #bad = vscode.window.createTextEditorDecorationType({
    ...styled('editorError.foreground'),
    overviewRulerColor: new vscode.ThemeColor('editorError.foreground'),
  });
  readonly #hidden = vscode.window.createTextEditorDecorationType({ textDecoration: 'none; display: none' });
  /** Fires with the URI of a document whose notes have changed. */
  readonly onDidChange = this.#changed.event;
  #noted: { uri: string; notes: Map<number, LineNote>; trace: Trace } | undefined;

  constructor(open: (name: string) => void) {
    this.#open = open;
    this.#listeners = [
      vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.uri.toString() === this.#noted?.uri) this.clear();
      }),
      vscode.window.onDidChangeTextEditorSelection((change) => this.#clicked(change)),
    ];
  }

  dispose(): void {
    for (const it of [...this.#listeners, this.#usual, this.#bad, this.#hidden, this.#changed]) it.dispose();
  }

  show(run: Run): void {
    const { trace } = run.result;
    if (trace === undefined) return;
    this.clear();
    this.#noted = { uri: vscode.Uri.parse(run.request.uri).toString(), notes: lineNotes(trace), trace };
    this.#draw();
    this.#changed.fire(this.#noted.uri);
  }

  clear(): void {
    if (this.#noted === undefined) return;
    const { uri } = this.#noted;
    this.#noted = undefined;
    this.#draw();
    this.#changed.fire(uri);
  }

  /** Returns the bindings of the run that the notes show. */
  traced(uri: string): readonly TracedBinding[] {
    return this.#noted?.uri === vscode.Uri.parse(uri).toString() ? this.#noted.trace.bindings : [];
  }

  /** Whether a line has a note, so that it needs no other hint. */
  covers(document: vscode.TextDocument, line: number): boolean {
    return this.#noted?.uri === document.uri.toString() && this.#noted.notes.has(line);
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const notes = editor.document.uri.toString() === this.#noted?.uri ? [...(this.#noted?.notes ?? [])] : [];
      const lines = notes.filter(([line]) => line < editor.document.lineCount);
      const options = (bad: boolean): vscode.DecorationOptions[] =>
        lines.filter(([, note]) => note.bad === bad).map(([line, note]) => decoration(editor.document, line, note));
      editor.setDecorations(this.#usual, options(false));
      editor.setDecorations(this.#bad, options(true));
      editor.setDecorations(this.#hidden, lines.flatMap(([line]) => annotation(editor.document, line)));
    }
  }

  #clicked({ textEditor, selections, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const [selection] = selections;
    if (kind !== vscode.TextEditorSelectionChangeKind.Mouse || selection === undefined || selections.length > 1) return;
    if (!selection.isEmpty || textEditor.document.uri.toString() !== this.#noted?.uri) return;
    const { line, character } = selection.active;
    const kept = this.#noted.notes.get(line)?.kept;
    const beside = placeOf(textEditor.document.lineAt(line).text);
    // A click on a note puts the cursor before or after the next character.
    if (kept !== undefined && (character === beside || character === beside + 1)) this.#open(kept);
  }
}

function styled(colour: string): vscode.DecorationRenderOptions {
  return { after: { color: new vscode.ThemeColor(colour), fontStyle: 'italic', margin: '0 0 0 1ch' }, rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed };
}

function annotation(document: vscode.TextDocument, line: number): vscode.Range[] {
  const columns = annotationOf(document.lineAt(line).text);
  return columns === undefined ? [] : [new vscode.Range(line, columns[0], line, columns[1])];
}

function decoration(document: vscode.TextDocument, line: number, note: LineNote): vscode.DecorationOptions {
  const end = new vscode.Position(line, placeOf(document.lineAt(line).text));
  const hover = new vscode.MarkdownString(undefined, true);
  hover.isTrusted = { enabledCommands: ['relax.openTensor'] };
  hover.appendText(note.detail);
  if (note.kept !== undefined) {
    const argument = encodeURIComponent(JSON.stringify([note.kept]));
    hover.appendMarkdown(`\n\n[$(graph) Open in the run panel](command:relax.openTensor?${argument})`);
  }
  return { range: new vscode.Range(end, end), hoverMessage: hover, renderOptions: { after: { contentText: note.text } } };
}
