// Copies text to the clipboard, and confirms it in the status bar.

import * as vscode from 'vscode';

export async function copy(text: string, told: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(told, 4000);
}
