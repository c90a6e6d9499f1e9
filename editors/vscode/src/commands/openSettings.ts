// “Relax: Open Settings”: the settings of this extension and nothing else.

import * as vscode from 'vscode';

export async function openSettings(extensionId: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`);
}
