// The passes of a sample compilation: what each pass changed, and the first pass that changed a value.

import type { LSPClient } from '@codemirror/lsp-client';
import { DIFF } from '../src/graph/graph';
import { type Ask, isObject, text } from '../src/protocol';
import { type ChangedFunction, type Row, type Stage, type Timeline, PASSES, descriptionOf, headlineOf, markOf, readTimeline, rowsBelow, toldOf } from '../src/timeline/timeline';
import { h } from '../webview/elements';
import { type Sample, loadSamples } from './samples';
import type { View } from './views';

/** The folder of a sample: its dumps are documents that are open in the server. */
const FOLDER = 'untitled:passes';

const SIGNS = { unread: '…', 'other values': '≠', 'ill-formed': '✗', changed: '●', unchanged: '○', partial: '◌', first: '▸' } as const;

export interface PassesHost {
  client: LSPClient;
  ask: Ask;
  /** Resolves when the server is there. */
  ready: Promise<void>;
  /** Puts a program into the editor. */
  edit(program: string): void;
}

export class Passes implements View {
  readonly name = 'Passes';
  readonly element = h('div', { class: 'view passes' });
  readonly #host: PassesHost;
  readonly #choice = h('select', { id: 'sample', change: () => void this.#open() });
  readonly #run = h('button', { class: 'secondary', title: 'Run each stage on the same inputs, and compare the values', click: () => void this.#read({ run: {} }) }, '▶ Run all stages');
  readonly #told = h('span', { class: 'told', role: 'status' });
  readonly #list = h('div', { class: 'stages' });
  readonly #detail = h('div', { class: 'detail', tabindex: 0 });
  #samples: readonly Sample[] = [];
  #sample: Sample | undefined;
  #timeline: Timeline | undefined;
  /** Counts the requests, to ignore earlier answers. */
  #asked = 0;

  constructor(host: PassesHost) {
    this.#host = host;
    const bar = h('div', { class: 'bar' }, h('label', {}, 'Compilation ', this.#choice), this.#run, this.#told);
    this.element.append(bar, this.#list, this.#detail);
  }

  /** The tab was opened. */
  shown(): void {
    if (this.#samples.length === 0) void this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.#samples = await loadSamples();
      this.#choice.replaceChildren(...this.#samples.map(({ title }, at) => h('option', { value: at }, title)));
      await this.#host.ready;
      await this.#open();
    } catch (error) {
      this.#tell(error);
    }
  }

  /** Opens the dumps of the chosen sample in the server, instead of those of the last one. */
  async #open(): Promise<void> {
    const sample = this.#samples[Number(this.#choice.value)];
    if (sample === undefined) return;
    const { client } = this.#host;
    for (const [name] of this.#sample?.stages ?? []) client.notification('textDocument/didClose', { textDocument: { uri: `${FOLDER}/${name}` } });
    for (const [name, program] of sample.stages) client.notification('textDocument/didOpen', { textDocument: { uri: `${FOLDER}/${name}`, languageId: 'python', version: 0, text: program } });
    this.#sample = sample;
    this.#detail.replaceChildren(h('p', { class: 'empty' }, 'A pass shows here what it changed.'));
    await this.#read({});
  }

  async #read(more: { run?: object }): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    this.#run.disabled = true;
    this.#told.textContent = 'Reading …';
    try {
      const timeline = readTimeline(await this.#host.ask(PASSES, { uri: FOLDER, ...more }));
      if (asked !== this.#asked || timeline === undefined) return;
      this.#timeline = timeline;
      this.#list.replaceChildren(this.#rows(timeline));
      this.#told.textContent = timeline.runs === undefined ? `${timeline.stages.length} passes` : toldOf(timeline);
      const first = timeline.runs?.first?.stage;
      if (first !== undefined) this.#select(first);
    } catch (error) {
      if (asked === this.#asked) this.#tell(error);
    } finally {
      if (asked === this.#asked) this.#run.disabled = false;
    }
  }

  #tell(error: unknown): void {
    this.#told.textContent = error instanceof Error ? error.message : String(error);
  }

  #rows(timeline: Timeline, row?: Row): HTMLElement {
    const below = rowsBelow(timeline, row).filter((it) => it.kind !== 'function');
    return h('ul', {}, ...below.map((it) => h('li', {}, ...this.#row(timeline, it))));
  }

  #row(timeline: Timeline, row: Row): HTMLElement[] {
    if (row.kind === 'idle') {
      const names = row.stages.map((at) => timeline.stages[at]?.pass ?? '').join(', ');
      return [h('details', {}, h('summary', {}, `${row.stages.length} unchanged `, h('span', { class: 'what' }, names)), this.#rows(timeline, row))];
    }
    const stage = timeline.stages[row.stage];
    if (stage === undefined) return [];
    const ran = timeline.runs?.stages[row.stage];
    const mark = markOf(stage, ran);
    const sign = h('span', { class: `sign ${mark.replace(' ', '-')}`, title: mark, role: 'img', 'aria-label': mark }, SIGNS[mark]);
    const button = h('button', { class: 'stage', 'data-stage': row.stage, click: () => this.#select(row.stage) }, sign, h('span', { class: 'label' }, stage.label), h('span', { class: 'what' }, descriptionOf(stage, ran)));
    return [button, this.#rows(timeline, row)];
  }

  #select(at: number): void {
    const stage = this.#timeline?.stages[at];
    if (stage === undefined) return;
    for (const button of this.#list.querySelectorAll('.stage')) {
      const chosen = button.getAttribute('data-stage') === String(at);
      button.setAttribute('aria-current', String(chosen));
      if (chosen) button.scrollIntoView({ block: 'nearest' });
    }
    void this.#show(stage);
  }

  /** Shows what a pass changed: in the whole module, or in one function. */
  async #show(stage: Stage, only?: ChangedFunction): Promise<void> {
    const before = stage.before === undefined ? undefined : this.#timeline?.stages[stage.before];
    const program = this.#sample?.stages.find(([name]) => stage.uri === `${FOLDER}/${name}`)?.[1] ?? '';
    const edit = h('button', { class: 'secondary', title: 'Put this module into the editor, to run it and to draw its graph', click: () => this.#host.edit(program) }, 'Open in the editor');
    const whole = h('button', { class: 'link', 'aria-pressed': String(only === undefined), click: () => void this.#show(stage) }, 'All changes');
    const functions = stage.changed.map((it) => {
      const { name, what } = headlineOf(it);
      return h('button', { class: 'link', title: what, 'aria-pressed': String(it === only), click: () => void this.#show(stage, it) }, name);
    });
    const errors = stage.errors.map(({ code, message }) => h('p', { class: 'error' }, h('span', { class: 'mark' }, 'error '), `${message} [${code}]`));
    const heading = h('h2', {}, stage.label);
    const changes = h('pre', { class: 'changes' });
    this.#detail.replaceChildren(h('div', { class: 'bar' }, heading, edit, ...(functions.length > 1 ? [whole, ...functions] : [])), ...errors, changes);
    if (before === undefined) changes.textContent = 'This is the first stage.';
    else if (stage.partial) changes.textContent = 'This dump does not have the whole module.';
    else changes.replaceChildren(...coloured(await this.#difference(before, stage, only)));
  }

  async #difference(before: Stage, after: Stage, only: ChangedFunction | undefined): Promise<string> {
    const functions = only?.before === undefined || only.after === undefined ? {} : { function: only.before.name, afterFunction: only.after.name };
    try {
      const answer = await this.#host.ask(DIFF, { before: before.uri, after: after.uri, ...functions });
      return ((isObject(answer) ? text(answer.text) : undefined) ?? '').replaceAll(`${FOLDER}/`, '');
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** The lines of a difference: those of the stage before, and those of the stage after. */
function coloured(difference: string): HTMLElement[] {
  return difference.split('\n').map((line) => {
    const side = { '-': 'removed', '+': 'added' }[/^ *([+-]) /.exec(line)?.[1] ?? ''];
    return h('span', { class: side ?? (/^\S/.test(line) ? 'headline' : undefined) }, `${line}\n`);
  });
}
