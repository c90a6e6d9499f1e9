// Runs of this window: sends them to the server, one at a time, and keeps what came back. What is shown of it is
// the affair of those who listen: the panel, the notes beside the lines, the log.

import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';
import type { Form, Past, State, Subject } from '../panel/messages';
import { type RunRequest, type RunResult, type RunTarget, type TensorRequest, type TensorView, RUN, TENSOR, TRACE, readResult, readTensor } from '../protocol';
import { fileName, formatDims, headline } from '../results';
import { type Run, RunBook, changes } from './book';
import type { FormMemory } from './memory';

export class Runs implements vscode.Disposable {
  readonly #client: () => LanguageClient | undefined;
  readonly #memory: FormMemory;
  readonly #book = new RunBook();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #ended = new vscode.EventEmitter<Run>();
  #subject: Subject | undefined;
  #form: Form = { dims: {}, inputs: {}, seed: 0, rerunOnSave: false, turn: 0 };
  #shown: number | undefined;
  #compared: number | undefined;
  #active: { kind: 'run' | 'trace'; source: vscode.CancellationTokenSource; done: Promise<unknown> } | undefined;

  /** Anything that a panel shows is different now. */
  readonly onDidChange = this.#changed.event;
  readonly onDidEnd = this.#ended.event;

  constructor(client: () => LanguageClient | undefined, memory: FormMemory) {
    this.#client = client;
    this.#memory = memory;
  }

  dispose(): void {
    this.#active?.source.cancel();
    this.#changed.dispose();
    this.#ended.dispose();
  }

  get subject(): Subject | undefined {
    return this.#subject;
  }

  get shown(): Run | undefined {
    return this.#book.find(this.#shown);
  }

  /** Makes `target` what the panel is about, with the values that were last used for it. */
  about(target: RunTarget): void {
    const names = Array.isArray(target.dims) ? (target.dims as readonly string[]) : Object.keys(target.dims);
    this.#subject = { uri: target.uri, file: fileName(target.uri), function: target.function, line: target.line, dims: names, params: target.params };
    const settings = vscode.workspace.getConfiguration('relax.run', vscode.Uri.parse(target.uri));
    const known = this.#memory.recall(target.uri, target.function);
    const given = Array.isArray(target.dims) ? {} : (target.dims as Readonly<Record<string, number>>);
    const dims = Object.fromEntries(names.map((name) => [name, given[name] ?? known.dims?.[name] ?? settings.get<number>('defaultDim', 4)]));
    const inputs = target.inputs ?? Object.fromEntries(Object.entries(known.inputs ?? {}).filter(([name]) => target.params.some((it) => it.name === name)));
    this.#form = { dims, inputs: { ...inputs }, seed: target.seed ?? known.seed ?? settings.get<number>('seed', 0), rerunOnSave: known.rerunOnSave ?? false, turn: this.#form.turn + 1 };
    this.#changed.fire();
  }

  /** Takes over what the form says, without running. What it says of another function comes too late. */
  async fill(form: Form): Promise<void> {
    if (this.#subject === undefined || form.turn !== this.#form.turn) return;
    this.#form = form;
    await this.#memory.remember(this.#subject.uri, this.#subject.function, form);
  }

  /** Runs what the panel is about; a run that is still under way makes room. */
  async start(kind: 'run' | 'trace'): Promise<RunResult | undefined> {
    const subject = this.#subject;
    const client = this.#client();
    if (subject === undefined) return undefined;
    if (client === undefined) {
      void vscode.window.showWarningMessage('The Relax server is not running.');
      return undefined;
    }
    this.cancel();
    await this.#active?.done;
    await this.#memory.remember(subject.uri, subject.function, this.#form);
    const { dims, inputs, seed } = this.#form;
    const request: RunRequest = { uri: subject.uri, function: subject.function, line: subject.line, dims: { ...dims }, inputs: { ...inputs }, seed };
    const source = new vscode.CancellationTokenSource();
    const done = send(client, kind === 'run' ? RUN : TRACE, request, source.token);
    const active = { kind, source, done };
    this.#active = active;
    this.#changed.fire();
    const result = await done;
    if (this.#active === active) this.#active = undefined;
    const before = this.#shown;
    const run = this.#book.add({ when: Date.now(), traced: kind === 'trace', request, result });
    if (result.ok || !result.cancelled) this.#shown = run.id;
    // The same function once more: the difference is what one wants to see.
    const last = this.#book.find(before);
    this.#compared = last?.result.ok === true && result.ok && sameFunction(last, run) ? last.id : undefined;
    this.#changed.fire();
    this.#ended.fire(run);
    return result;
  }

  cancel(): void {
    this.#active?.source.cancel();
  }

  select(id: number): void {
    this.#shown = id;
    this.#compared = undefined;
    this.#changed.fire();
  }

  compare(id: number | undefined): void {
    this.#compared = id;
    this.#changed.fire();
  }

  /** The server that kept the tensors is gone. */
  forget(): void {
    this.#active?.source.cancel();
    this.#book.clear();
    this.#shown = undefined;
    this.#compared = undefined;
    this.#changed.fire();
  }

  async saved(document: vscode.TextDocument): Promise<void> {
    if (this.#form.rerunOnSave && document.uri.toString() === this.#subject?.uri) await this.start(this.shown?.traced === true ? 'trace' : 'run');
  }

  async tensor(request: TensorRequest): Promise<TensorView> {
    const answer: unknown = await this.#client()?.sendRequest(ExecuteCommandRequest.type, { command: TENSOR, arguments: [request] });
    const view = readTensor(answer);
    if (view === undefined) throw new Error('The server has no answer.');
    return view;
  }

  state(): State | undefined {
    if (this.#subject === undefined) return undefined;
    const state: State = { subject: this.#subject, form: this.#form, history: this.#book.all.map(past) };
    if (this.#active !== undefined) state.running = this.#active.kind;
    const shown = this.shown;
    if (shown !== undefined) state.shown = { id: shown.id, result: shown.result };
    const other = this.#book.find(this.#compared);
    if (shown !== undefined && other !== undefined) {
      state.comparison = { id: other.id, changes: changes(other, shown) };
      if (other.result.run !== undefined) state.comparison.run = other.result.run;
    }
    return state;
  }
}

async function send(client: LanguageClient, command: string, request: RunRequest, token: vscode.CancellationToken): Promise<RunResult> {
  try {
    const answer: unknown = await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [request] }, token);
    return readResult(answer) ?? failure('the server gave no result');
  } catch (error) {
    if (token.isCancellationRequested) return { ...failure('The run was cancelled.'), cancelled: true };
    return failure(error instanceof Error ? error.message : String(error));
  }
}

function failure(message: string): Extract<RunResult, { ok: false }> {
  return { ok: false, cancelled: false, error: { message } };
}

function sameFunction(a: Run, b: Run): boolean {
  return a.request.uri === b.request.uri && a.request.function === b.request.function;
}

function past(run: Run): Past {
  const { result, request } = run;
  const outcome = result.ok ? 'ok' : result.cancelled ? 'cancelled' : 'error';
  const text = headline(request, result);
  const dims = formatDims(result.ok ? result.dims : request.dims);
  return { id: run.id, when: run.when, function: request.function, dims, outcome, summary: text.slice(request.function.length).replace(/^(:| →) /, '') };
}
