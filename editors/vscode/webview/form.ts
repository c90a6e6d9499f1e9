// The form: dimensions, inputs, the seed, and whether saving a file runs again.

import { dimProblem } from '../src/dims';
import type { Form, State, Subject } from '../src/panel/messages';
import { type Source, sources } from '../src/panel/sources';
import { h } from './elements';
import { host } from './host';

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

export class FormSection {
  readonly element = h('form', { class: 'inputs', submit: (event: Event) => (event.preventDefault(), this.#run()) });
  readonly #run: () => void;
  #files = true;
  #form: Form = { dims: {}, inputs: {}, weights: [], seed: 0, rerunOnSave: false, turn: 0 };
  #putWeights: (files: readonly string[]) => void = () => {};
  #objects: readonly string[] = [];
  readonly #choosing = new Map<string, (file: string) => void>();

  constructor(run: () => void) {
    this.#run = run;
  }

  get form(): Form {
    return this.#form;
  }

  /** The problem with a dimension, if any. */
  get problem(): string | undefined {
    const bad = this.element.querySelector<HTMLInputElement>('input[aria-invalid="true"]');
    return bad === null ? undefined : `${bad.name}: ${dimProblem(bad.value)}`;
  }

  /**
   * Redraws the form if the subject or the possible objects have changed. Any other state only repeats what was typed.
   */
  show({ subject, form, objects }: State, files: boolean): void {
    const isSame = form.turn === this.#form.turn;
    if (isSame && objects.join() === this.#objects.join()) return;
    if (!isSame) this.#form = structuredClone(form);
    this.#files = files;
    this.#objects = objects;
    this.#choosing.clear();
    const parts = [this.#dims(subject), subject.params.length > 0 && this.#params(subject), files && subject.params.length > 0 && this.#weights(), this.#rest()];
    this.element.replaceChildren(...parts.filter((it) => it !== false && it !== undefined));
  }

  chosen(param: string, file: string): void {
    this.#choosing.get(param)?.(file);
  }

  chosenWeights(files: readonly string[]): void {
    this.#putWeights(files);
    this.#changed();
  }

  #changed(): void {
    host.postMessage({ kind: 'form', form: this.#form });
  }

  #dims(subject: Subject): HTMLElement | undefined {
    if (subject.dims.length === 0) return undefined;
    const fields = subject.dims.map((name) => {
      const complaint = h('span', { class: 'complaint', id: `problem-${name}` });
      const take = (): void => {
        const problem = dimProblem(box.value);
        complaint.textContent = problem ?? '';
        box.setAttribute('aria-invalid', String(problem !== undefined));
        if (problem !== undefined) return;
        this.#form.dims[name] = Number(box.value);
        this.#changed();
      };
      const box = h('input', { name, type: 'text', inputmode: 'numeric', size: 6, value: this.#form.dims[name], 'aria-describedby': complaint.id, input: take });
      return h('label', {}, h('code', {}, name), ' ', box, complaint);
    });
    return h('div', { class: 'dims', role: 'group', 'aria-label': 'Dimensions' }, h('span', { class: 'note', 'aria-hidden': 'true' }, 'Dimensions'), ...fields);
  }

  #params(subject: Subject): HTMLElement {
    const given = subject.params.some(({ name }) => this.#form.inputs[name] !== undefined);
    const rows = subject.params.map(({ name, type }) =>
      h('tr', {}, h('th', { scope: 'row' }, h('code', {}, name)), h('td', { class: 'type', title: type }, type), h('td', {}, this.#source(name, type))),
    );
    return h('details', { open: given }, h('summary', {}, `Inputs (${subject.params.length})`), h('div', { class: 'scroll' }, h('table', {}, h('tbody', {}, ...rows))));
  }

  #source(name: string, type: string): HTMLElement {
    const now = this.#form.inputs[name];
    const choices = sources(type, this.#objects, this.#files, now);
    const word = choices.some(([value]) => value === now) ? now : undefined;
    const kind = now === undefined ? 'random' : (word ?? (Number.isNaN(Number(now)) ? 'file' : 'constant'));
    const put = (value: string | undefined): void => {
      if (value === undefined || value === 'random') delete this.#form.inputs[name];
      else this.#form.inputs[name] = value;
      this.#changed();
    };
    const number = h('input', { type: 'number', step: 'any', value: kind === 'constant' ? now : 1, 'aria-label': `constant for ${name}`, input: () => put(number.value || '0') });
    const file = h('button', { type: 'button', class: 'link', click: () => host.postMessage({ kind: 'choose', param: name }) });
    file.textContent = kind === 'file' && now !== undefined ? baseName(now) : 'choose…';
    this.#choosing.set(name, (path) => {
      file.textContent = baseName(path);
      put(path);
    });
    const options = choices.map(([value, label]: Source) => h('option', { value, selected: value === kind }, label));
    const show = (): void => {
      number.hidden = select.value !== 'constant';
      file.hidden = select.value !== 'file';
    };
    const pick = (): void => {
      show();
      if (select.value === 'constant') put(number.value || '1');
      else if (select.value === 'file') host.postMessage({ kind: 'choose', param: name });
      else put(select.value);
    };
    const select = h('select', { 'aria-label': `value of ${name}`, change: pick }, ...options);
    show();
    return h('span', { class: 'source' }, select, number, file);
  }

  #weights(): HTMLElement {
    const choose = h('button', { type: 'button', class: 'link', click: () => host.postMessage({ kind: 'chooseWeights' }) });
    const drop = h('button', { type: 'button', class: 'link', click: () => (this.#putWeights([]), this.#changed()) }, 'none');
    this.#putWeights = (files) => {
      this.#form.weights = [...files];
      choose.textContent = files.length === 0 ? 'choose files…' : files.map(baseName).join(', ');
      choose.title = files.join('\n');
      drop.hidden = files.length === 0;
    };
    this.#putWeights(this.#form.weights);
    return h('div', { class: 'weights' }, h('span', { class: 'note' }, 'Weights'), ' ', choose, ' ', drop);
  }

  #rest(): HTMLElement {
    const seed = h('input', { type: 'number', min: 0, value: this.#form.seed, input: () => void ((this.#form.seed = Math.max(0, Math.trunc(Number(seed.value)) || 0)), this.#changed()) });
    const again = h('input', { type: 'checkbox', change: () => void ((this.#form.rerunOnSave = again.checked), this.#changed()) });
    again.checked = this.#form.rerunOnSave;
    return h('div', { class: 'rest' }, h('label', {}, 'Seed ', seed), this.#files && h('label', { class: 'check' }, again, 'Run again on save'));
  }
}
