// The command of the lens “2 references”: shows the uses of a function in VS Code's references view.

import * as vscode from 'vscode';

interface Place {
  line: number;
  character: number;
}

export async function showReferences(uri: string, { line, character }: Place): Promise<void> {
  const document = vscode.Uri.parse(uri);
  const position = new vscode.Position(line, character);
  const found = await vscode.commands.executeCommand<vscode.Location[]>('vscode.executeReferenceProvider', document, position);
  await vscode.commands.executeCommand('editor.action.showReferences', document, position, found);
}
