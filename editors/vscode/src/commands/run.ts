// “▶ Run”: asks for the values of symbolic dimensions, sends the run to the server, shows what came back.

import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';
import { type DimMemory, type Dims, dimProblem, parseDim } from '../dims';
import { type RunError, type RunRequest, type RunResult, type RunTarget, RUN, readResult, readTarget } from '../protocol';
import { headline, report } from '../results';

export class RunCommand {
  readonly #client: () => LanguageClient | undefined;
  readonly #memory: DimMemory;
  readonly #results: vscode.OutputChannel;

  constructor(client: () => LanguageClient | undefined, memory: DimMemory, results: vscode.OutputChannel) {
    this.#client = client;
    this.#memory = memory;
    this.#results = results;
  }

  /** From a lens, which says what to run, or from the palette, which means the function at the cursor. */
  async execute(args: readonly unknown[]): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      await refuseUntrusted();
      return;
    }
    const target = readTarget(args) ?? (await functionAtCursor());
    if (target === undefined) return;
    const dims = await this.#dimsFor(target);
    if (dims === undefined) return;
    await this.#run({ ...target, dims });
  }

  /** `undefined` when the user backed out. */
  async #dimsFor(target: RunTarget): Promise<Dims | undefined> {
    if (!Array.isArray(target.dims)) return { ...(target.dims as Dims) };
    const names = target.dims as readonly string[];
    const known = this.#memory.recall(target.uri, target.function);
    const dims: Dims = {};
    for (const [index, name] of names.entries()) {
      const step = names.length > 1 ? ` (${index + 1} of ${names.length})` : '';
      const value = await askForDim(target, name, known[name], step);
      if (value === undefined) return undefined;
      dims[name] = value;
    }
    if (names.length > 0) await this.#memory.remember(target.uri, target.function, dims);
    return dims;
  }

  async #run(request: RunRequest): Promise<void> {
    const client = this.#client();
    if (client === undefined) {
      void vscode.window.showWarningMessage('The Relax server is not running.');
      return;
    }
    let result: RunResult | undefined;
    try {
      const answer: unknown = await client.sendRequest(ExecuteCommandRequest.type, { command: RUN, arguments: [request] });
      result = readResult(answer);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      result = { ok: false, cancelled: false, error: { message } };
    }
    result ??= { ok: false, cancelled: false, error: { message: 'the server gave no result' } };
    this.#results.appendLine(`${report(request, result)}\n`);
    await this.#tell(request, result);
  }

  async #tell(request: RunRequest, result: RunResult): Promise<void> {
    if (!result.ok && result.cancelled) {
      vscode.window.setStatusBarMessage(headline(request, result), 5000);
      return;
    }
    this.#results.show(true);
    if (result.ok) {
      void vscode.window.showInformationMessage(headline(request, result));
      return;
    }
    const { error } = result;
    const choices = error.range === undefined ? [] : ['Go to Line'];
    const choice = await vscode.window.showErrorMessage(headline(request, result), ...choices);
    if (choice !== undefined) await goTo(request, error);
  }
}

async function refuseUntrusted(): Promise<void> {
  const choice = await vscode.window.showWarningMessage('Nothing runs in an untrusted workspace.', 'Manage Trust…');
  if (choice !== undefined) await vscode.commands.executeCommand('workbench.trust.manage');
}

async function askForDim(target: RunTarget, name: string, last: number | undefined, step: string): Promise<number | undefined> {
  const scope = vscode.Uri.parse(target.uri);
  const fallback = vscode.workspace.getConfiguration('relax', scope).get<number>('run.defaultDim', 4);
  const typed = await vscode.window.showInputBox({
    title: `Run ${target.function}: ${name}${step}`,
    prompt: `Value of the symbolic dimension ${name}`,
    value: String(last ?? fallback),
    validateInput: dimProblem,
    ignoreFocusOut: true,
  });
  return typed === undefined ? undefined : parseDim(typed);
}

/** The runnable function around the cursor, or the one the user picks. */
async function functionAtCursor(): Promise<RunTarget | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const targets = await runnable(editor.document.uri);
  if (targets.length === 0) {
    void vscode.window.showInformationMessage('There is no Relax function to run in this file.');
    return undefined;
  }
  const cursor = editor.selection.active.line;
  const above = targets.filter((it) => it.line <= cursor);
  if (above.length > 0) return above.reduce((best, it) => (it.line > best.line ? it : best));
  const items = targets.map((target) => ({ label: target.function, description: `line ${target.line + 1}`, target }));
  const picked = await vscode.window.showQuickPick(items, { title: 'Run Function' });
  return picked?.target;
}

async function runnable(uri: vscode.Uri): Promise<RunTarget[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 10_000);
  const targets = lenses.map((lens) => (lens.command?.command === RUN ? readTarget(lens.command.arguments ?? []) : undefined));
  return targets.filter((it) => it !== undefined);
}

async function goTo(request: RunRequest, error: RunError): Promise<void> {
  if (error.range === undefined) return;
  const { start, end } = error.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(error.uri ?? request.uri), { selection });
}
