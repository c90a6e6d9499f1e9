// “Format TVMScript”: uses the Relax server, even if the file has another Python formatter.

import * as vscode from 'vscode';
import { DocumentFormattingRequest, type LanguageClient } from 'vscode-languageclient/node';
import { editorInMind } from './editorInMind';

export async function format(client: LanguageClient | undefined): Promise<void> {
  const editor = await editorInMind();
  if (editor === undefined || client === undefined) return;
  if (client.initializeResult?.capabilities.documentFormattingProvider === undefined) {
    void vscode.window.showInformationMessage('This relax-lsp does not format.');
    return;
  }
  const { document, options } = editor;
  const { version } = document;
  const found = await client.sendRequest(DocumentFormattingRequest.type, {
    textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
    options: { tabSize: Number(options.tabSize), insertSpaces: options.insertSpaces === true },
  });
  const edits = await client.protocol2CodeConverter.asTextEdits(found);
  // If the user typed meanwhile, the edits no longer fit: drop them.
  if (edits === undefined || document.version !== version) return;
  const change = new vscode.WorkspaceEdit();
  change.set(document.uri, edits);
  await vscode.workspace.applyEdit(change);
}
