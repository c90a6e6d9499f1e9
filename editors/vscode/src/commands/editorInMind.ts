// Which editor a command is about: the active one; where that is none (the walkthrough, the panel), the one with a
// model that is on screen, or open behind it.

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

/** There is nothing that a command could be about. */
export async function offerExample(): Promise<void> {
  const choice = await vscode.window.showInformationMessage('Open a Python file with TVMScript first.', 'Open Example');
  if (choice !== undefined) await vscode.commands.executeCommand('relax.openExample');
}

function isModel(document: vscode.TextDocument): boolean {
  return vscode.languages.match(DOCUMENTS, document) > 0 && holdsTvmScript(document.getText());
}
