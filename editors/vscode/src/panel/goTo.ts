// Shows a range of a document, in the editor that already shows the document if there is one.

import * as vscode from 'vscode';
import type { Range } from '../protocol';

export async function goTo(uri: string, { start, end }: Range): Promise<void> {
  const document = vscode.Uri.parse(uri);
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === document.toString());
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(document, { selection, viewColumn: open?.viewColumn ?? vscode.ViewColumn.One });
}
