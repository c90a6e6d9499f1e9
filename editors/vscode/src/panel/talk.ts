// Connects the panel's page with the runs. The page has no state of its own: it gets the whole state after each change.
// Knows no editor.

import type { Range } from '../protocol';
import type { Run } from '../runs/book';
import { numpyText } from '../runs/numpy';
import type { Runs } from '../runs/runs';
import type { FromPage, State, ToPage } from './messages';

/** The part of the editor that the panel needs. */
export interface PanelHost {
  post(message: ToPage): void;
  goTo(uri: string, range: Range): Promise<void>;
  copy(text: string, told: string): Promise<void>;
  /** Called if a tensor is too large to be copied as text. */
  copyLarge(run: Run, name: string): Promise<void>;
  /** Missing if the page has no access to files. */
  files?: Files;
}

export interface Files {
  save(run: Run, name: string): Promise<void>;
  /** Asks for a file with the value of a parameter. */
  choose(param: string): Promise<string | undefined>;
  /** Asks for weight files. */
  chooseWeights(): Promise<string[] | undefined>;
}

export class PanelTalk {
  readonly #runs: Runs;
  readonly #host: PanelHost;
  /** A tensor to open as soon as the page has loaded. */
  #wanted: string | undefined;

  constructor(runs: Runs, host: PanelHost) {
    this.#runs = runs;
    this.#host = host;
  }

  /** Sends the state to the page, and returns it. */
  tell(): State | undefined {
    const state = this.#runs.state();
    if (state !== undefined) this.#host.post({ kind: 'state', state, files: this.#host.files !== undefined });
    return state;
  }

  /** Shows a tensor of the shown run, as soon as the page is `there`. */
  open(name: string, there: boolean): void {
    this.#wanted = name;
    if (there) this.#tellWanted();
  }

  #tellWanted(): void {
    if (this.#wanted !== undefined) this.#host.post({ kind: 'open', name: this.#wanted });
    this.#wanted = undefined;
  }

  async hear(message: FromPage): Promise<void> {
    const runs = this.#runs;
    switch (message.kind) {
      case 'ready':
        this.tell();
        this.#tellWanted();
        return;
      case 'run':
      case 'trace':
        await runs.fill(message.form);
        await runs.start(message.kind);
        return;
      case 'form':
        await runs.fill(message.form);
        return;
      case 'cancel':
        runs.cancel();
        return;
      case 'tensor':
        this.#host.post(await this.#look(message));
        return;
      case 'copy':
        await this.#copy(message.name);
        return;
      case 'save':
        if (runs.shown !== undefined) await this.#host.files?.save(runs.shown, message.name);
        return;
      case 'reveal':
        await this.#reveal(message.line);
        return;
      case 'choose': {
        const file = await this.#host.files?.choose(message.param);
        if (file !== undefined) this.#host.post({ kind: 'chosen', param: message.param, file });
        return;
      }
      case 'chooseWeights': {
        const files = await this.#host.files?.chooseWeights();
        if (files !== undefined) this.#host.post({ kind: 'chosenWeights', files });
        return;
      }
      case 'select':
        runs.select(message.id);
        return;
      case 'compare':
        runs.compare(message.id ?? undefined);
        return;
    }
  }

  async #look({ ask, request }: Extract<FromPage, { kind: 'tensor' }>): Promise<ToPage> {
    try {
      return { kind: 'tensor', ask, view: await this.#runs.tensor(request) };
    } catch (error) {
      return { kind: 'tensor', ask, error: error instanceof Error ? error.message : String(error) };
    }
  }

  async #copy(name: string): Promise<void> {
    const { shown } = this.#runs;
    const run = shown?.result.run;
    if (shown === undefined || run === undefined) return;
    const view = await this.#runs.tensor({ run, name, list: true });
    if (view.list) await this.#host.copy(numpyText(view.list, view.shape, view.dtype), 'Copied as NumPy');
    else await this.#host.copyLarge(shown, name);
  }

  async #reveal(line: number | undefined): Promise<void> {
    const run = this.#runs.shown;
    if (line !== undefined) {
      const uri = run?.request.uri ?? this.#runs.subject?.uri;
      if (uri !== undefined) await this.#host.goTo(uri, { start: { line, character: 0 }, end: { line, character: 0 } });
    } else if (run !== undefined && !run.result.ok && run.result.error.range !== undefined) {
      await this.#host.goTo(run.result.error.uri ?? run.request.uri, run.result.error.range);
    }
  }
}
