// Compares two stages, or one function of them, in VS Code's diff editor. A function's text is a read-only document.

import * as vscode from 'vscode';
import type { Range } from '../protocol';
import type { Side, Stage } from './timeline';

const SCHEME = 'relax-function';

/** A function of a stage. Without a side, it exists only in the other stage. */
interface Place {
  stage: Stage;
  side: Side | undefined;
}

export class FunctionTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  dispose(): void {
    this.#registration.dispose();
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    if (query === '') return '';
    const { uri, whole } = JSON.parse(query) as { uri: string; whole: Range };
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    // Start at the beginning of the line, to keep the indentation.
    const text = document.getText(rangeOf({ start: { line: whole.start.line, character: 0 }, end: whole.end }));
    return `${text}\n`;
  }

  async compareFunction(before: Place, after: Place): Promise<void> {
    const name = (after.side ?? before.side)?.name ?? '';
    const title = `${name}: ${before.stage.label} ↔ ${after.stage.label}`;
    await vscode.commands.executeCommand('vscode.diff', uriOf(before), uriOf(after), title);
  }

  /** `at` is a place after the pass, or in the stage before it. */
  async compare(before: Stage, after: Stage, at: Range | undefined, side: 'before' | 'after' = 'after'): Promise<void> {
    const [left, right] = [vscode.Uri.parse(before.uri), vscode.Uri.parse(after.uri)];
    const options: vscode.TextDocumentShowOptions = at === undefined || side === 'before' ? {} : { selection: rangeOf(at) };
    await vscode.commands.executeCommand('vscode.diff', left, right, `${before.label} ↔ ${after.label}`, options);
    if (at === undefined || side === 'after') return;
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === left.toString());
    editor?.revealRange(rangeOf(at), vscode.TextEditorRevealType.InCenter);
  }
}

function uriOf({ stage, side }: Place): vscode.Uri {
  const query = side === undefined ? '' : JSON.stringify({ uri: stage.uri, whole: side.whole });
  return vscode.Uri.from({ scheme: SCHEME, path: `/${stage.label}/${side?.name ?? 'nothing'}.py`, query });
}

export function rangeOf({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
