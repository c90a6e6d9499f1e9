// Sends runs to the server, one at a time, and keeps their results. Listeners show them: the panel, the notes beside
// the lines, the log. Knows no editor.

import { Emitter } from '../emitter';
import type { Form, Past, State, Subject } from '../panel/messages';
import { type Ask, type RunRequest, type RunResult, type RunTarget, type TensorRequest, type TensorView, RUN, TENSOR, TRACE, readResult, readTensor } from '../protocol';
import { fileName, formatDims, headline } from '../results';
import { type Run, RunBook, changes } from './book';
import type { FormMemory } from './memory';

/** The part of the editor that runs need. */
export interface RunHost {
  ask: Ask;
  /** The initial form for a document. */
  defaults(uri: string): { dim: number; seed: number };
  warn(message: string): void;
}

export class Runs {
  readonly #host: RunHost;
  readonly #memory: FormMemory;
  readonly #book = new RunBook();
  readonly #changed = new Emitter<void>();
  readonly #ended = new Emitter<Run>();
  /** The objects from runs of a document that the server keeps, by document. */
  readonly #objects = new Map<string, readonly string[]>();
  #subject: Subject | undefined;
  #form: Form = { dims: {}, inputs: {}, weights: [], seed: 0, rerunOnSave: false, turn: 0 };
  #shown: number | undefined;
  #compared: number | undefined;
  #active: { kind: 'run' | 'trace'; source: AbortController; done: Promise<unknown> } | undefined;

  /** Fires if anything that a panel shows has changed. */
  readonly onDidChange = this.#changed.event;
  readonly onDidEnd = this.#ended.event;

  constructor(host: RunHost, memory: FormMemory) {
    this.#host = host;
    this.#memory = memory;
  }

  dispose(): void {
    this.cancel();
    this.#changed.dispose();
    this.#ended.dispose();
  }

  get subject(): Subject | undefined {
    return this.#subject;
  }

  get shown(): Run | undefined {
    return this.#book.find(this.#shown);
  }

  /** Makes `target` the subject of the panel, with the values of its last run. */
  about(target: RunTarget): void {
    this.#subject = { uri: target.uri, file: fileName(target.uri), function: target.function, line: target.line, dims: dimNames(target), params: target.params };
    this.#form = this.formOf(target);
    this.#changed.fire();
  }

  /** Returns the values of the last run of `target`, or else those of the settings. */
  formOf(target: RunTarget): Form {
    const names = dimNames(target);
    const defaults = this.#host.defaults(target.uri);
    const known = this.#memory.recall(target.uri, target.function);
    const given = Array.isArray(target.dims) ? {} : (target.dims as Readonly<Record<string, number>>);
    const dims = Object.fromEntries(names.map((name) => [name, given[name] ?? known.dims?.[name] ?? defaults.dim]));
    const inputs = target.inputs ?? Object.fromEntries(Object.entries(known.inputs ?? {}).filter(([name]) => target.params.some((it) => it.name === name)));
    const weights = target.weights ?? known.weights ?? [];
    return { dims, inputs: { ...inputs }, weights: [...weights], seed: target.seed ?? known.seed ?? defaults.seed, rerunOnSave: known.rerunOnSave ?? false, turn: this.#form.turn + 1 };
  }

  /** Stores the values of the form without a run. Ignores a form for another function. */
  async fill(form: Form): Promise<void> {
    if (this.#subject === undefined || form.turn !== this.#form.turn) return;
    this.#form = form;
    await this.#memory.remember(this.#subject.uri, this.#subject.function, form);
  }

  /** Runs the panel's subject. Cancels a run in progress. */
  async start(kind: 'run' | 'trace'): Promise<RunResult | undefined> {
    const subject = this.#subject;
    if (subject === undefined) return undefined;
    this.cancel();
    await this.#active?.done;
    await this.#memory.remember(subject.uri, subject.function, this.#form);
    const { dims, inputs, weights, seed } = this.#form;
    const request: RunRequest = { uri: subject.uri, function: subject.function, line: subject.line, dims: { ...dims }, inputs: { ...inputs }, weights: [...weights], seed };
    const source = new AbortController();
    const answer = this.#host.ask(kind === 'run' ? RUN : TRACE, request, source.signal);
    if (answer === undefined) {
      this.#host.warn('The Relax server is not running.');
      return undefined;
    }
    const done = received(answer, source.signal);
    const active = { kind, source, done };
    this.#active = active;
    this.#changed.fire();
    const result = await done;
    if (this.#active === active) this.#active = undefined;
    this.#objects.set(subject.uri, result.objects ?? []);
    const before = this.#shown;
    const run = this.#book.add({ when: Date.now(), traced: kind === 'trace', request, result });
    if (result.ok || !result.cancelled) this.#shown = run.id;
    // If the same function ran before, show the difference.
    const last = this.#book.find(before);
    this.#compared = last?.result.ok === true && result.ok && sameFunction(last, run) ? last.id : undefined;
    this.#changed.fire();
    this.#ended.fire(run);
    return result;
  }

  cancel(): void {
    this.#active?.source.abort();
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

  /** The server that kept the tensors has ended. */
  forget(): void {
    this.cancel();
    this.#book.clear();
    this.#objects.clear();
    this.#shown = undefined;
    this.#compared = undefined;
    this.#changed.fire();
  }

  async saved(uri: string): Promise<void> {
    if (this.#form.rerunOnSave && uri === this.#subject?.uri) await this.start(this.shown?.traced === true ? 'trace' : 'run');
  }

  async tensor(request: TensorRequest): Promise<TensorView> {
    const view = readTensor(await this.#host.ask(TENSOR, request));
    if (view === undefined) throw new Error('The server has no answer.');
    return view;
  }

  state(): State | undefined {
    if (this.#subject === undefined) return undefined;
    const state: State = { subject: this.#subject, form: this.#form, objects: this.#objects.get(this.#subject.uri) ?? [], history: this.#book.all.map(past) };
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

async function received(answer: Promise<unknown>, signal: AbortSignal): Promise<RunResult> {
  try {
    return readResult(await answer) ?? failure('the server gave no result');
  } catch (error) {
    if (signal.aborted) return { ...failure('The run was cancelled.'), cancelled: true };
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

function dimNames({ dims }: RunTarget): readonly string[] {
  return Array.isArray(dims) ? (dims as readonly string[]) : Object.keys(dims);
}
