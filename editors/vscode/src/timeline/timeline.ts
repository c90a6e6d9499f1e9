// The stages of a compilation: validates the server's answer, and forms the rows of a tree. Knows no editor.

import { type Range, isObject, list, number, readRange, text } from '../protocol';

export const PASSES = 'relax.passes';

export interface Side {
  name: string;
  /** The range of the name in the `def`. */
  range: Range;
  /** From its first decorator to its end. */
  whole: Range;
}

export interface ChangedFunction {
  outcome: string;
  /** The related functions of the other stage. */
  functions: readonly string[];
  before?: Side;
  after?: Side;
}

export interface StageError {
  code: string;
  message: string;
  range: Range;
}

export interface Stage {
  uri: string;
  /** `003_FuseOps` */
  label: string;
  pass: string;
  /** The stage of the pass that runs this one. */
  parent?: number;
  /** The stage that it is compared with. */
  before?: number;
  /** Whether its module has not been read yet. */
  unread: boolean;
  partial: boolean;
  unchanged: boolean;
  summary: string;
  plannedBytes?: string;
  storages: number;
  /** The number of Relax functions, PrimFuncs, bindings, operators and calls. */
  counts: readonly [relax: number, prim: number, bindings: number, operators: number, calls: number];
  changed: readonly ChangedFunction[];
  errors: readonly StageError[];
}

/** The outcome of a stage, run on the same inputs as all others. */
export type Ran = 'same' | 'differs' | { why: string; skipped: boolean };

/** The first value that a pass changed. */
export interface ValueDifference {
  stage: number;
  before: number;
  what: string;
  /** The binding after the pass; missing if only the result differs. */
  binding?: { name: string; range: Range };
}

export interface Runs {
  function: string;
  /** `equal`, `differs`, `stops`, `incomplete` or `nothing-compared`. */
  verdict: string;
  /** One for each stage. */
  stages: readonly Ran[];
  first?: ValueDifference;
}

export interface Timeline {
  stages: readonly Stage[];
  firstIllFormed?: number;
  runs?: Runs;
}

const NOWHERE: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Returns `undefined` if the answer is not a timeline. */
export function readTimeline(answer: unknown): Timeline | undefined {
  if (!isObject(answer) || !Array.isArray(answer.stages)) return undefined;
  const timeline: Timeline = { stages: answer.stages.map(readStage) };
  const [first, runs] = [number(answer.firstIllFormed), readRuns(answer.run)];
  if (first !== undefined) timeline.firstIllFormed = first;
  if (runs !== undefined) timeline.runs = runs;
  return timeline;
}

/** Adds stages that were sent before the answer. */
export function withPart(timeline: Timeline | undefined, part: unknown): Timeline | undefined {
  const read = readTimeline(part);
  const at = isObject(part) ? number(part.at) : undefined;
  if (read === undefined || at === undefined) return timeline;
  const stages = [...(timeline?.stages ?? [])];
  stages.splice(at, read.stages.length, ...read.stages);
  return { ...timeline, stages };
}

function readRuns(value: unknown): Runs | undefined {
  if (!isObject(value)) return undefined;
  const stages = list(value.stages).map((it): Ran => {
    if (!isObject(it)) return { why: '', skipped: false };
    if (it.ran !== true) return { why: text(it.why) ?? '', skipped: it.stopped === undefined };
    return it.same === false ? 'differs' : 'same';
  });
  const runs: Runs = { function: text(value.function) ?? '', verdict: text(value.verdict) ?? '', stages };
  const first = value.firstDifference;
  const [stage, before] = isObject(first) ? [number(first.stage), number(first.before)] : [];
  if (!isObject(first) || stage === undefined || before === undefined) return runs;
  runs.first = { stage, before, what: text(first.what) ?? '' };
  const binding = isObject(first.binding) ? first.binding : {};
  const [name, range] = [text(binding.name), readRange(binding.range)];
  if (name !== undefined && range !== undefined) runs.first.binding = { name, range };
  return runs;
}

function readStage(value: unknown): Stage {
  const it = isObject(value) ? value : {};
  const counted = [it.relaxFunctions, it.primFuncs, it.bindings, it.operators, it.calls].map((count) => number(count) ?? 0);
  const stage: Stage = {
    uri: text(it.uri) ?? '',
    label: text(it.label) ?? '',
    pass: text(it.pass) ?? '',
    unread: it.unread === true,
    partial: it.partial === true,
    unchanged: it.unchanged === true,
    summary: text(it.summary) ?? '',
    storages: number(it.storages) ?? 0,
    counts: counted as unknown as Stage['counts'],
    changed: list(it.changed).map(readChanged),
    errors: list(it.errors).filter(isObject).map((error) => ({ code: text(error.code) ?? '', message: text(error.message) ?? '', range: readRange(error.range) ?? NOWHERE })),
  };
  const [parent, before, planned] = [number(it.parent), number(it.before), text(it.plannedBytes)];
  if (parent !== undefined) stage.parent = parent;
  if (before !== undefined) stage.before = before;
  if (planned !== undefined) stage.plannedBytes = planned;
  return stage;
}

function readChanged(value: unknown): ChangedFunction {
  const it = isObject(value) ? value : {};
  const changed: ChangedFunction = { outcome: text(it.outcome) ?? '', functions: list(it.functions).map(String) };
  const [before, after] = [readSide(it.before), readSide(it.after)];
  if (before !== undefined) changed.before = before;
  if (after !== undefined) changed.after = after;
  return changed;
}

function readSide(value: unknown): Side | undefined {
  if (!isObject(value)) return undefined;
  const range = readRange(value.range) ?? NOWHERE;
  return { name: text(value.name) ?? '', range, whole: readRange(value.whole) ?? range };
}

/** The element of a row in the tree. */
export type Row =
  | { kind: 'stage'; stage: number }
  /** Passes that changed nothing. */
  | { kind: 'idle'; stages: readonly number[] }
  | { kind: 'function'; stage: number; changed: ChangedFunction };

/**
 * Returns the rows below another one, or the outermost: the passes that a pass ran, then the functions that it changed.
 */
export function rowsBelow(timeline: Timeline, row?: Row): Row[] {
  if (row?.kind === 'function') return [];
  if (row?.kind === 'idle') return row.stages.map((stage) => ({ kind: 'stage', stage }));
  const parent = row?.stage;
  const rows: Row[] = [];
  let idle: number[] = [];
  const fold = (): void => {
    if (idle.length > 0) rows.push({ kind: 'idle', stages: idle });
    idle = [];
  };
  timeline.stages.forEach((stage, at) => {
    if (stage.parent !== parent) return;
    if (stage.unchanged && at !== timeline.firstIllFormed && at !== timeline.runs?.first?.stage) {
      idle.push(at);
      return;
    }
    fold();
    rows.push({ kind: 'stage', stage: at });
  });
  fold();
  if (parent === undefined) return rows;
  const functions = timeline.stages[parent]?.changed ?? [];
  return [...rows, ...functions.map((changed): Row => ({ kind: 'function', stage: parent, changed }))];
}

export type Mark = 'unread' | 'ill-formed' | 'other values' | 'changed' | 'unchanged' | 'partial' | 'first';

export function markOf(stage: Stage, ran?: Ran): Mark {
  if (stage.unread) return 'unread';
  if (stage.errors.length > 0) return 'ill-formed';
  if (ran === 'differs') return 'other values';
  if (stage.partial) return 'partial';
  if (stage.before === undefined) return 'first';
  return stage.unchanged ? 'unchanged' : 'changed';
}

/** The text after the name of a stage. */
export function descriptionOf(stage: Stage, ran?: Ran): string {
  const errors = stage.errors.length;
  const words = [
    ran === 'differs' ? '≠ other values' : typeof ran === 'object' && !ran.skipped ? '✗ stops' : '',
    errors === 0 ? '' : `✗ ${errors} error${errors === 1 ? '' : 's'}`,
    stage.partial ? 'not the whole module' : stage.summary,
    stage.plannedBytes === undefined || stage.storages === 0 ? '' : `${stage.plannedBytes} B planned`,
  ];
  return words.filter((word) => word !== '').join(' · ');
}

/** `fused_matmul_add: merged from matmul, add` */
export function headlineOf({ outcome, functions, before, after }: ChangedFunction): { name: string; what: string } {
  const [old, now] = [before?.name ?? '', after?.name ?? ''];
  const names = functions.join(', ');
  switch (outcome) {
    case 'renamed':
      return { name: now, what: `renamed, was ${old}` };
    case 'merged':
    case 'split':
      return { name: now, what: `${outcome} from ${names}` };
    case 'moved':
      return { name: old, what: `gone, now in ${names}` };
    default:
      return { name: now === '' ? old : now, what: outcome };
  }
}

/** `4 of 5 stages ran main; 003_D is the first with other values: y: 1 of 4 elements differ` */
export function toldOf({ runs, stages }: Timeline): string {
  if (runs === undefined) return '';
  const ran = runs.stages.filter((it) => typeof it === 'string').length;
  const told = `${ran} of ${stages.length} stages ran ${runs.function}`;
  if (runs.first === undefined) return `${told}: ${runs.verdict.replace('-', ' ')}`;
  const { stage, binding, what } = runs.first;
  const where = binding === undefined ? '' : ` in ${binding.name}`;
  return `${told}; ${stages[stage]?.label ?? ''} is the first with other values${where}: ${what}`;
}

/** Returns the nearest stage in a direction that changed something, without sequences. */
export function nextChange(timeline: Timeline, uri: string, back: boolean): string | undefined {
  const at = timeline.stages.findIndex((stage) => stage.uri === uri);
  if (at < 0) return undefined;
  const isLeaf = (index: number): boolean => timeline.stages.every((stage) => stage.parent !== index);
  const leaves = timeline.stages.map((stage, index) => ({ stage, index })).filter(({ stage, index }) => !stage.partial && isLeaf(index));
  const changes = leaves.filter(({ stage }) => !stage.unchanged);
  if (!back) return changes.find(({ index }) => index > at)?.stage.uri;
  // Use the stage before the last change.
  const own = changes.filter(({ index }) => index <= at).at(-1)?.index ?? -1;
  return leaves.filter(({ index }) => index < own).at(-1)?.stage.uri;
}

/** Whether a file is a numbered dump of `DumpIR`. */
export function isDump(path: string): boolean {
  return /[\\/]\d{3}_\w+\.py$/.test(path);
}
