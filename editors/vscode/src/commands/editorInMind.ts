// The editor that a command applies to: the active one; otherwise (in the walkthrough or the panel) a visible or an
// open one with a model.

import * as vscode from 'vscode';
import { DOCUMENTS } from '../client';
import { holdsTvmScript } from '../tvmscript';

export async function editorInMind(): Promise<vscode.TextEditor | undefined> {
  const { activeTextEditor, visibleTextEditors, tabGroups } = vscode.window;
  if (activeTextEditor !== undefined) return activeTextEditor;
  const visible = visibleTextEditors.find(({ document }) => isModel(document));
  if (visible !== undefined) return visible;
  const open = tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => (input instanceof vscode.TabInputText ? input.uri.toString() : '')));
  const behind = vscode.workspace.textDocuments.find((document) => open.includes(document.uri.toString()) && isModel(document));
  if (behind !== undefined) return vscode.window.showTextDocument(behind, vscode.ViewColumn.One);
  await offerExample();
  return undefined;
}

/** No open document contains TVMScript. */
export async function offerExample(): Promise<void> {
  const choice = await vscode.window.showInformationMessage('Open a Python file with TVMScript first.', 'Open Example');
  if (choice !== undefined) await vscode.commands.executeCommand('relax.openExample');
}

function isModel(document: vscode.TextDocument): boolean {
  return vscode.languages.match(DOCUMENTS, document) > 0 && holdsTvmScript(document.getText());
}
