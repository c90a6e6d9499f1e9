// Asks where to save a file, and writes what a page made.

import * as vscode from 'vscode';

/** Returns the file that the user chooses, `name` in the folder if no other. */
export function placeFor(name: string, folder = vscode.workspace.workspaceFolders?.[0]?.uri): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog(folder && { defaultUri: vscode.Uri.joinPath(folder, name) });
}

/** Saves what a data URL holds. */
export async function save(name: string, url: string): Promise<void> {
  const target = await placeFor(name);
  if (target) await vscode.workspace.fs.writeFile(target, new Uint8Array(await (await fetch(url)).arrayBuffer()));
}
