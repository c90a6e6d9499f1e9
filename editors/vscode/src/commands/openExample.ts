// “Open Example”: opens a copy of a model as an unsaved file.

import * as vscode from 'vscode';

export async function openExample(extension: vscode.Uri): Promise<void> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'media', 'example.py'));
  const document = await vscode.workspace.openTextDocument({ language: 'python', content: new TextDecoder().decode(bytes) });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
}
