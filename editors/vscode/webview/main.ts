// The page of the panel: updates its parts from the extension's state.

import type { State, ToPage } from '../src/panel/messages';
import type { Output, TracedBinding } from '../src/protocol';
import { byId, h, say } from './elements';
import { host } from './host';
import { FormSection } from './form';
import { history } from './history';
import { outcome, outputs } from './outcome';
import { type Chosen, TensorSection } from './tensor';
import { answered } from './tensors';
import { trace } from './trace';

let state: State | undefined;

const form = new FormSection(() => start('run'));
const tensor = new TensorSection();
const head = h('div', { id: 'head' });
const ended = h('div', { id: 'outcome' });
const table = h('div', { id: 'outputs' });
const traced = h('div', { id: 'traced' });
const past = h('div', { id: 'past' });
byId('page').append(head, form.element, ended, table, tensor.element, traced, past);

function start(kind: 'run' | 'trace'): void {
  const problem = form.problem;
  if (problem !== undefined) say(problem);
  else host.postMessage({ kind, form: form.form });
}

function fill(place: HTMLElement, content: HTMLElement | undefined): void {
  const focus = place.contains(document.activeElement) ? document.activeElement?.id : undefined;
  place.replaceChildren(...(content === undefined ? [] : [content]));
  if (focus !== undefined && focus !== '') document.getElementById(focus)?.focus();
}

function header({ subject, running }: State): HTMLElement {
  const place = h('button', { class: 'link', click: () => host.postMessage({ kind: 'reveal', line: subject.line }) }, `${subject.file}:${subject.line + 1}`);
  const buttons =
    running === undefined
      ? [h('button', { id: 'run', click: () => start('run') }, '▶ Run'), h('button', { id: 'trace', class: 'secondary', title: 'Run, and note every binding', click: () => start('trace') }, 'Trace')]
      : [h('button', { id: 'cancel', click: () => host.postMessage({ kind: 'cancel' }) }, 'Cancel')];
  const bar = running !== undefined && h('progress', { 'aria-label': running === 'run' ? 'running' : 'tracing' });
  return h('header', {}, h('div', {}, h('h1', {}, subject.function), place), h('div', { class: 'actions' }, ...buttons), bar);
}

function openOutput(output: Output): void {
  if (output.kind === 'tensor') choose({ name: output.name, title: output.name, dtype: output.dtype, shape: output.shape });
}

function openBinding({ kept, name, value }: TracedBinding): void {
  if (kept !== undefined && value.kind === 'tensor') choose({ name: kept, title: name, dtype: value.dtype, shape: value.shape });
}

function choose(what: Omit<Chosen, 'run' | 'minus'> | undefined): void {
  const run = state?.shown?.result.run;
  const { comparison } = state ?? {};
  const isOutput = what !== undefined && /^out(\.|$)/.test(what.name);
  const minus = isOutput && comparison?.run !== undefined ? { run: comparison.run, id: comparison.id } : undefined;
  tensor.show(what === undefined || run === undefined ? undefined : { ...what, run, ...(minus === undefined ? {} : { minus }) });
  if (state !== undefined) fill(table, outputs(state, openOutput, tensor.chosen?.name));
}

/** Keeps the open tensor if the next run has one of that name; otherwise opens the first output. */
function chooseAgain(): void {
  const result = state?.shown?.result;
  const tensors = result?.ok === true ? result.outputs.filter((it) => it.kind === 'tensor') : [];
  const last = tensor.chosen?.name;
  const binding = result?.trace?.bindings.find(({ kept }) => kept !== undefined && kept === last);
  if (binding !== undefined && binding.name === tensor.chosen?.title) return openBinding(binding);
  const output = tensors.find(({ name }) => name === last) ?? tensors[0];
  if (output !== undefined) openOutput(output);
  else choose(undefined);
}

function openNamed(name: string): void {
  const result = state?.shown?.result;
  const binding = result?.trace?.bindings.find(({ kept }) => kept === name);
  if (binding !== undefined) openBinding(binding);
  else if (result?.ok === true) result.outputs.filter((it) => it.name === name).forEach(openOutput);
  tensor.element.scrollIntoView({ block: 'nearest' });
}

function show(next: State, files: boolean): void {
  const before = state;
  state = next;
  fill(head, header(next));
  form.show(next, files);
  tensor.files = files;
  const again = before?.shown?.id !== next.shown?.id || before?.comparison?.id !== next.comparison?.id;
  if (before !== undefined && !again && before.running === next.running) return;
  fill(past, history(next));
  if (next.running !== undefined) {
    say(next.running === 'run' ? 'running' : 'tracing');
    return;
  }
  fill(ended, outcome(next));
  fill(table, outputs(next, openOutput, tensor.chosen?.name));
  fill(traced, trace(next, openBinding));
  chooseAgain();
  say(ended.textContent ?? '');
}

addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === 'state') show(data.state, data.files);
  else if (data.kind === 'tensor') answered(data.ask, data.view, data.error);
  else if (data.kind === 'open') openNamed(data.name);
  else if (data.kind === 'chosen') form.chosen(data.param, data.file);
  else form.chosenWeights(data.files);
});
host.postMessage({ kind: 'ready' });
