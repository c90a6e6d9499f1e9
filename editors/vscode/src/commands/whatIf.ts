// “What If…”: sets values of shape variables that all answers assume. They are a setting of the workspace, and a
// language status item shows them.

import * as vscode from 'vscode';
import { DOCUMENTS } from '../client';
import { readDims, showDims } from '../dims';

const COMMAND = 'relax.whatIf';

export class WhatIf implements vscode.Disposable {
  readonly #item = vscode.languages.createLanguageStatusItem('relax.dims', []);
  readonly #parts: vscode.Disposable[];

  constructor() {
    this.#item.name = 'Relax: Assumed Dimensions';
    this.#item.command = { title: 'Change', command: COMMAND };
    this.#parts = [
      this.#item,
      vscode.commands.registerCommand(COMMAND, (dims?: unknown) => this.#assume(dims)),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('relax.dims')) this.#show();
      }),
    ];
    this.#show();
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }

  /** A keybinding gives the values; from the palette, the user is asked. */
  async #assume(given: unknown): Promise<void> {
    const typed = typeof given === 'string' ? given : await this.#ask();
    if (typed === undefined) return;
    const dims = readDims(typed);
    if (typeof dims === 'string') return void vscode.window.showErrorMessage(dims);
    const inWorkspace = vscode.workspace.workspaceFolders !== undefined;
    const place = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    const none = Object.keys(dims).length === 0;
    await vscode.workspace.getConfiguration('relax').update('dims', none ? undefined : dims, place);
  }

  #ask(): Thenable<string | undefined> {
    return vscode.window.showInputBox({
      title: 'What if…',
      prompt: 'Values of shape variables. Nothing: no assumption.',
      placeHolder: 'n=2048, batch=8',
      value: showDims(assumed()),
      validateInput: (typed) => {
        const dims = readDims(typed);
        return typeof dims === 'string' ? dims : undefined;
      },
    });
  }

  #show(): void {
    const dims = showDims(assumed());
    this.#item.selector = dims === '' ? [] : DOCUMENTS;
    this.#item.text = `Assuming ${dims}`;
    this.#item.detail = 'diagnostics and costs are about these dimensions';
  }
}

function assumed(): Record<string, number> {
  return vscode.workspace.getConfiguration('relax').get('dims', {});
}
