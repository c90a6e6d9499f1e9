// “Explain Diagnostic”, and the links of diagnostic codes: shows the page of a code, as `relax-lsp explain` prints it.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { Server } from '../client';
import { PAGE_SCHEME, codeOfPage, pageOf } from '../pages';
import { editorInMind } from './editorInMind';

export class Explanations implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #server: () => Server | undefined;
  readonly #registration: vscode.Disposable;

  constructor(server: () => Server | undefined) {
    this.#server = server;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(PAGE_SCHEME, this);
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async show(args: readonly unknown[]): Promise<void> {
    const code = typeof args[0] === 'string' ? args[0] : await codeAtCursor();
    if (code === undefined) return;
    await vscode.commands.executeCommand('markdown.showPreviewToSide', vscode.Uri.parse(pageOf(code)));
  }

  async provideTextDocumentContent(address: vscode.Uri): Promise<string> {
    const health = this.#server()?.health;
    const code = codeOfPage(address.path);
    if (health?.state !== 'ready' || code === undefined) return 'The Relax server is not running.\n';
    const { stdout } = await promisify(execFile)(health.file, ['explain', code]);
    return stdout;
  }
}

/** Returns the code of the diagnostic at the cursor or on its line, or the one that the user picks from the file's. */
async function codeAtCursor(): Promise<string | undefined> {
  const editor = await editorInMind();
  if (editor === undefined) return undefined;
  const all = vscode.languages.getDiagnostics(editor.document.uri).filter((it) => it.source === 'relax-lsp');
  const cursor = editor.selection.active;
  const near = all.find((it) => it.range.contains(cursor)) ?? all.find((it) => it.range.start.line === cursor.line);
  if (near !== undefined) return codeOf(near);
  if (all.length === 0) {
    void vscode.window.showInformationMessage('There is no diagnostic of Relax in this file.');
    return undefined;
  }
  const items = all.map((it) => ({ label: codeOf(it) ?? '', description: `line ${it.range.start.line + 1}`, detail: it.message }));
  return (await vscode.window.showQuickPick(items, { title: 'Explain', matchOnDetail: true }))?.label;
}

function codeOf({ code }: vscode.Diagnostic): string | undefined {
  const value = typeof code === 'object' ? code.value : code;
  return value === undefined ? undefined : String(value);
}
