// What to do without a server: choose a binary, or read how to install one; if the server failed to start, read why.

import * as vscode from 'vscode';

const CHOOSE = 'Choose Binary…';
const SETTINGS = 'Open Settings';
const HOW = 'How to Get It';

export async function offerServer(why: string, extension: vscode.Extension<unknown>): Promise<void> {
  const choice = await vscode.window.showErrorMessage(`Relax: ${why}`, CHOOSE, SETTINGS, HOW);
  if (choice === SETTINGS) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'relax.server.path');
  } else if (choice === HOW) {
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(extension.extensionUri, 'README.md'));
  } else if (choice === CHOOSE) {
    await chooseBinary();
  }
}

/** Changing the setting restarts the server. */
async function chooseBinary(): Promise<void> {
  const files = await vscode.window.showOpenDialog({ title: 'relax-lsp', canSelectMany: false });
  const file = files?.[0]?.fsPath;
  if (file === undefined) return;
  await vscode.workspace.getConfiguration('relax').update('server.path', file, vscode.ConfigurationTarget.Global);
}

export async function tellFailure(why: string): Promise<void> {
  const choice = await vscode.window.showErrorMessage(`Relax: the server is not running. ${why}`, 'Restart', 'Show Logs');
  if (choice === 'Restart') await vscode.commands.executeCommand('relax.restart');
  if (choice === 'Show Logs') await vscode.commands.executeCommand('relax.showLogs');
}
