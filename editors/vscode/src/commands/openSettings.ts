// “Relax: Open Settings”: shows the settings of this extension.

import * as vscode from 'vscode';

export async function openSettings(extensionId: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`);
}
