// The messages about runs between extension and server, validated on arrival. Knows no editor: plain data in, plain
// data out.

/** The names of the server's commands, which lenses also use. The extension adds the values. */
export const RUN = 'relax.run';
export const TRACE = 'relax.trace';
export const SHOW_LOWERED = 'relax.showLowered';
export const TENSOR = 'relax.tensor';

/** Executes a command of the server; `undefined` if no server is running. Aborting the signal cancels the request. */
export type Ask = (command: string, argument: unknown, signal?: AbortSignal) => Promise<unknown> | undefined;

export interface Param {
  name: string;
  /** The StructInfo in the file's dialect. */
  type: string;
}

/** The arguments of a lens. Its dimensions are names without values. */
export interface RunTarget {
  uri: string;
  function: string;
  /** The line of the `def`, from 0. */
  line: number;
  /** The names of the dimensions, or their values if they are already given. */
  dims: readonly string[] | Readonly<Record<string, number>>;
  params: readonly Param[];
  /** Set for a PrimFunc, which has no dataflow graph. */
  primFunc?: boolean;
  seed?: number;
  /**
   * By parameter: random, zeros, ones, arange, formula, a number, a .npy file, or `$NAME`, an object from an earlier
   * run.
   */
  inputs?: Readonly<Record<string, string>>;
  /** Weight files, for parameters that are not in `inputs`. */
  weights?: readonly string[];
}

export interface RunRequest {
  uri: string;
  function: string;
  line: number;
  dims: Readonly<Record<string, number>>;
  seed?: number;
  inputs?: Readonly<Record<string, string>>;
  weights?: readonly string[];
}

/** JSON has no NaN and no infinity, so a number may be a string. */
export type Scalar = number | string | boolean | null;

export type Output = { name: string } & Value;

export type Value =
  | {
      kind: 'tensor';
      shape: readonly number[];
      dtype: string;
      min?: Scalar;
      max?: Scalar;
      mean?: Scalar;
      nan: number;
      inf: number;
      first: readonly Scalar[];
    }
  | { kind: 'shape'; values: readonly Scalar[] }
  | { kind: 'prim'; value: Scalar }
  /** A value of a Relay constructor. A reference is `ref` with one field; a tuple has no head. */
  | { kind: 'tree'; head: string; fields: readonly Value[] }
  | { kind: 'other'; text: string };

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface RunError {
  message: string;
  uri?: string;
  range?: Range;
}

/** A binding of a traced run, in execution order. */
export interface TracedBinding {
  function: string;
  name: string;
  /** The operator or function that computed it. */
  callee: string;
  range?: Range;
  /** When it began, in seconds since the run did. */
  start: number;
  seconds: number;
  value: Value;
  /** The name under which the server keeps the tensor. */
  kept?: string;
}

export interface Trace {
  bindings: readonly TracedBinding[];
  /** The number of bindings that are not listed. */
  dropped: number;
  /** The time by operator or function, the largest first. */
  profile: readonly { callee: string; calls: number; seconds: number }[];
  /** The maximum size of all tensors at one time, in bytes. */
  peak: number;
}

interface Kept {
  /** The server's number of the run, which identifies its tensors. */
  run: number;
  /** The folder of the tensors, as .npy files. */
  folder?: string;
  trace?: Trace;
  /** All objects from runs of this document that later runs can take: `Module.create_cache`. */
  objects?: readonly string[];
}

export type RunResult = Partial<Kept> & (
  | {
      ok: true;
      function: string;
      dims: Readonly<Record<string, number>>;
      seconds: number;
      outputs: readonly Output[];
      /** Weights in the files that no parameter takes. */
      unusedWeights?: readonly string[];
      stdout: string;
    }
  | { ok: false; cancelled: boolean; error: RunError }
);

/** A slice of a tensor: the axes for rows and columns, and the index along every other axis. */
export interface Choice {
  rows?: number;
  columns?: number;
  at?: readonly number[];
  /** Top, left, height, width within the slice. */
  part?: readonly [number, number, number, number];
}

export interface TensorRequest {
  run: number;
  name: string;
  /** The run whose tensor of the same name is subtracted. */
  minus?: number;
  slice?: Choice;
  /** Whether to list all elements; the server does so unless there are too many. */
  list?: boolean;
}

export interface Slice {
  rows: number | null;
  columns: number | null;
  at: readonly number[];
  part: readonly [number, number, number, number];
  /** A cell stands for this many rows and columns of elements, and has the value of largest magnitude, or NaN. */
  pool: readonly [number, number];
  values: readonly (readonly Scalar[])[];
}

/** The server's answer about a tensor. */
export interface TensorView {
  shape: readonly number[];
  dtype: string;
  min: number | null;
  max: number | null;
  mean: number | null;
  nan: number;
  inf: number;
  histogram: { from: number; to: number; counts: readonly number[]; every: number } | null;
  slice?: Slice;
  list?: readonly Scalar[] | null;
}

type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function scalar(value: unknown): Scalar | undefined {
  const plain = value === null || ['number', 'string', 'boolean'].includes(typeof value);
  return plain ? (value as Scalar) : undefined;
}

function scalars(value: unknown): Scalar[] {
  if (!Array.isArray(value)) return [];
  return value.map(scalar).filter((it) => it !== undefined);
}

function numbers(value: unknown): Record<string, number> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).filter((it): it is [string, number] => number(it[1]) !== undefined);
  return Object.fromEntries(entries);
}

/** Returns the argument of a lens or a keybinding; `undefined` if it gives no function. */
export function readTarget(args: readonly unknown[]): RunTarget | undefined {
  const arg = args[0];
  if (!isObject(arg)) return undefined;
  const uri = text(arg.uri);
  const name = text(arg.function);
  if (uri === undefined || name === undefined) return undefined;
  const dims = Array.isArray(arg.dims)
    ? arg.dims.filter((it) => typeof it === 'string')
    : numbers(arg.dims);
  const params = Array.isArray(arg.params) ? arg.params.map(readParam).filter((it) => it !== undefined) : [];
  const target: RunTarget = { uri, function: name, line: number(arg.line) ?? 0, dims, params };
  if (arg.kind === 'primFunc') target.primFunc = true;
  const seed = number(arg.seed);
  if (seed !== undefined) target.seed = seed;
  if (isObject(arg.inputs)) target.inputs = texts(arg.inputs);
  if (Array.isArray(arg.weights)) target.weights = arg.weights.filter((it) => typeof it === 'string');
  return target;
}

function readParam(value: unknown): Param | undefined {
  if (!isObject(value)) return undefined;
  const name = text(value.name);
  return name === undefined ? undefined : { name, type: text(value.type) ?? '' };
}

function texts(value: Json): Record<string, string> {
  const entries = Object.entries(value).map(([name, it]) => [name, typeof it === 'number' ? String(it) : text(it)] as const);
  return Object.fromEntries(entries.filter((it): it is readonly [string, string] => it[1] !== undefined));
}

function readOutput(value: unknown, index: number): Output {
  const name = (isObject(value) && text(value.name)) || `out.${index}`;
  return { name, ...readValue(value) };
}

function readValue(value: unknown): Value {
  if (!isObject(value)) return { kind: 'other', text: JSON.stringify(value) ?? 'nothing' };
  if (value.kind === 'tensor') {
    const output: Value = {
      kind: 'tensor',
      shape: Array.isArray(value.shape) ? value.shape.map((it) => number(it) ?? 0) : [],
      dtype: text(value.dtype) ?? '',
      nan: number(value.nan) ?? 0,
      inf: number(value.inf) ?? 0,
      first: scalars(value.first),
    };
    for (const key of ['min', 'max', 'mean'] as const) {
      const found = scalar(value[key]);
      if (found !== undefined && found !== null) output[key] = found;
    }
    return output;
  }
  if (value.kind === 'shape') return { kind: 'shape', values: scalars(value.values) };
  if (value.kind === 'prim') return { kind: 'prim', value: scalar(value.value) ?? null };
  if (value.kind === 'adt') return { kind: 'tree', head: text(value.constructor) ?? '', fields: values(value.fields) };
  if (value.kind === 'tuple') return { kind: 'tree', head: '', fields: values(value.fields) };
  if (value.kind === 'ref') return { kind: 'tree', head: 'ref', fields: [readValue(value.value)] };
  if (value.kind === 'string') return { kind: 'other', text: JSON.stringify(value.value) };
  if (value.kind === 'object') return { kind: 'other', text: text(value.what) ?? 'object' };
  const { name: _, ...rest } = value;
  return { kind: 'other', text: JSON.stringify(rest) };
}

function values(list: unknown): Value[] {
  return Array.isArray(list) ? list.map(readValue) : [];
}

function readPosition(value: unknown): Position | undefined {
  if (!isObject(value)) return undefined;
  const line = number(value.line);
  const character = number(value.character);
  return line === undefined || character === undefined ? undefined : { line, character };
}

function readError(value: unknown): RunError {
  const object = isObject(value) ? value : {};
  const error: RunError = { message: text(object.message) ?? 'the run failed' };
  const uri = text(object.uri);
  if (uri !== undefined) error.uri = uri;
  const range = readRange(object.range);
  if (range !== undefined) error.range = range;
  return error;
}

export function readRange(value: unknown): Range | undefined {
  if (!isObject(value)) return undefined;
  const start = readPosition(value.start);
  const end = readPosition(value.end) ?? start;
  return start === undefined || end === undefined ? undefined : { start, end };
}

function readBinding(value: unknown): TracedBinding | undefined {
  if (!isObject(value)) return undefined;
  const binding: TracedBinding = {
    function: text(value.function) ?? '',
    name: text(value.name) ?? '',
    callee: text(value.callee) ?? '',
    start: number(value.start) ?? 0,
    seconds: number(value.seconds) ?? 0,
    value: readValue(value.value),
  };
  const range = readRange(value.range);
  if (range !== undefined) binding.range = range;
  const kept = text(value.kept);
  if (kept !== undefined) binding.kept = kept;
  return binding;
}

function readTrace(value: unknown): Trace | undefined {
  if (!isObject(value)) return undefined;
  return {
    bindings: list(value.bindings).map(readBinding).filter((it) => it !== undefined),
    dropped: number(value.dropped) ?? 0,
    profile: list(value.profile).filter(isObject).map((row) => ({
      callee: text(row.callee) ?? '',
      calls: number(row.calls) ?? 0,
      seconds: number(row.seconds) ?? 0,
    })),
    peak: (isObject(value.memory) ? number(value.memory.peak) : undefined) ?? 0,
  };
}

function readKept(value: Json): Partial<Kept> {
  const kept: Partial<Kept> = {};
  const run = number(value.run);
  const folder = text(value.folder);
  const trace = readTrace(value.trace);
  if (run !== undefined) kept.run = run;
  if (folder !== undefined) kept.folder = folder;
  if (trace !== undefined) kept.trace = trace;
  const objects = list(value.objects).filter((it) => typeof it === 'string');
  if (objects.length > 0) kept.objects = objects;
  return kept;
}

/** Reads the server's answer to a run; returns `undefined` if it is invalid. */
export function readResult(value: unknown): RunResult | undefined {
  if (!isObject(value) || typeof value.ok !== 'boolean') return undefined;
  const kept = readKept(value);
  if (!value.ok) return { ...kept, ok: false, cancelled: value.cancelled === true, error: readError(value.error) };
  const unusedWeights = list(value.unusedWeights).filter((it) => typeof it === 'string');
  return {
    ...kept,
    ...(unusedWeights.length > 0 && { unusedWeights }),
    ok: true,
    function: text(value.function) ?? '',
    dims: numbers(value.dims),
    seconds: number(value.seconds) ?? 0,
    outputs: Array.isArray(value.outputs) ? value.outputs.map(readOutput) : [],
    stdout: text(value.stdout) ?? '',
  };
}

/** Reads the server's answer about a tensor; returns `undefined` if it is invalid. */
export function readTensor(value: unknown): TensorView | undefined {
  if (!isObject(value) || !Array.isArray(value.shape)) return undefined;
  return value as unknown as TensorView;
}
