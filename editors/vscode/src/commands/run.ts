// “▶ Run” and “Trace”: finds the function, runs it with the values of its last run, and shows the result.

import * as vscode from 'vscode';
import type { Panel } from '../panel/panel';
import { type RunResult, type RunTarget, RUN, readTarget } from '../protocol';
import type { Runs } from '../runs/runs';
import { editorInMind } from './editorInMind';

export class RunCommand {
  readonly #runs: Runs;
  readonly #panel: Panel;

  constructor(runs: Runs, panel: Panel) {
    this.#runs = runs;
    this.#panel = panel;
  }

  /** A lens gives the function; from the palette, it is the function at the cursor. */
  async execute(kind: 'run' | 'trace', args: readonly unknown[]): Promise<RunResult | undefined> {
    if (!vscode.workspace.isTrusted) {
      await refuseUntrusted();
      return undefined;
    }
    const target = readTarget(args) ?? (await functionAtCursor());
    if (target === undefined) return undefined;
    this.#runs.about(target);
    this.#panel.show();
    return this.#runs.start(kind);
  }
}

async function refuseUntrusted(): Promise<void> {
  const choice = await vscode.window.showWarningMessage('Nothing runs in an untrusted workspace.', 'Manage Trust…');
  if (choice !== undefined) await vscode.commands.executeCommand('workbench.trust.manage');
}

/** Returns the runnable function around the cursor, or the one that the user picks. */
export async function functionAtCursor(): Promise<RunTarget | undefined> {
  const editor = await editorInMind();
  if (editor === undefined) return undefined;
  const targets = await runnable(editor.document.uri);
  const lenses = vscode.workspace.getConfiguration('relax', editor.document.uri).get<boolean>('codeLens.enable', true);
  // An untrusted workspace has no lenses that run.
  if (targets.length === 0 && !(lenses && vscode.workspace.isTrusted)) return definitionAbove(editor);
  if (targets.length === 0) {
    void vscode.window.showInformationMessage('There is no Relax function in this file.');
    return undefined;
  }
  // A decorator belongs to the function below it.
  let cursor = editor.selection.active.line;
  while (cursor + 1 < editor.document.lineCount && /^\s*@/.test(editor.document.lineAt(cursor).text)) cursor += 1;
  const above = targets.filter((it) => it.line <= cursor);
  if (above.length > 0) return above.reduce((best, it) => (it.line > best.line ? it : best));
  const items = targets.map((target) => ({ label: target.function, description: `line ${target.line + 1}`, target }));
  const picked = await vscode.window.showQuickPick(items, { title: 'Function' });
  return picked?.target;
}

/** Without lenses, returns name and line of the `def` at the cursor or above. The server finds the rest. */
function definitionAbove({ document, selection }: vscode.TextEditor): RunTarget | undefined {
  for (let line = selection.active.line; line >= 0; line -= 1) {
    const name = /^\s*def\s+(\w+)/.exec(document.lineAt(line).text)?.[1];
    if (name !== undefined) return { uri: document.uri.toString(), function: name, line, dims: [], params: [] };
  }
  return undefined;
}

async function runnable(uri: vscode.Uri): Promise<RunTarget[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 10_000);
  const targets = lenses.map((lens) => (lens.command?.command === RUN ? readTarget(lens.command.arguments ?? []) : undefined));
  return targets.filter((it) => it !== undefined);
}
