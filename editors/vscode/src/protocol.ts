// What the extension and the server say to each other about a run, checked where it arrives.
// Knows no editor: plain data in, plain data out.

/** The lens and the server's command share this name; the extension adds the values of dimensions on the way. */
export const RUN = 'relax.run';

/** What a lens asks for: the dimensions are names, their values are still to be found. */
export interface RunTarget {
  uri: string;
  function: string;
  /** The line of the `def`, from 0. */
  line: number;
  /** Names to ask for, or values someone has already given. */
  dims: readonly string[] | Readonly<Record<string, number>>;
  seed?: number;
  inputs?: unknown;
}

export interface RunRequest extends Omit<RunTarget, 'dims'> {
  dims: Readonly<Record<string, number>>;
}

/** JSON has no NaN and no infinity, so a number may arrive as text. */
export type Scalar = number | string | boolean | null;

export type Output =
  | {
      kind: 'tensor';
      name: string;
      shape: readonly number[];
      dtype: string;
      min?: Scalar;
      max?: Scalar;
      mean?: Scalar;
      nan: number;
      inf: number;
      first: readonly Scalar[];
    }
  | { kind: 'shape'; name: string; values: readonly Scalar[] }
  | { kind: 'prim'; name: string; value: Scalar }
  | { kind: 'other'; name: string; text: string };

export interface Position {
  line: number;
  character: number;
}

export interface RunError {
  message: string;
  uri?: string;
  range?: { start: Position; end: Position };
}

export type RunResult =
  | {
      ok: true;
      function: string;
      dims: Readonly<Record<string, number>>;
      seconds: number;
      outputs: readonly Output[];
      stdout: string;
    }
  | { ok: false; cancelled: boolean; error: RunError };

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
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

/** The argument of a lens or of a keybinding; `undefined` when it names no function. */
export function readTarget(args: readonly unknown[]): RunTarget | undefined {
  const arg = args[0];
  if (!isObject(arg)) return undefined;
  const uri = text(arg.uri);
  const name = text(arg.function);
  if (uri === undefined || name === undefined) return undefined;
  const dims = Array.isArray(arg.dims)
    ? arg.dims.filter((it) => typeof it === 'string')
    : numbers(arg.dims);
  const target: RunTarget = { uri, function: name, line: number(arg.line) ?? 0, dims };
  const seed = number(arg.seed);
  if (seed !== undefined) target.seed = seed;
  if (arg.inputs !== undefined) target.inputs = arg.inputs;
  return target;
}

function readOutput(value: unknown, index: number): Output {
  const name = (isObject(value) && text(value.name)) || `out.${index}`;
  if (!isObject(value)) return { kind: 'other', name, text: JSON.stringify(value) };
  if (value.kind === 'tensor') {
    const output: Output = {
      kind: 'tensor',
      name,
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
  if (value.kind === 'shape') return { kind: 'shape', name, values: scalars(value.values) };
  if (value.kind === 'prim') return { kind: 'prim', name, value: scalar(value.value) ?? null };
  if (value.kind === 'string') return { kind: 'other', name, text: JSON.stringify(value.value) };
  if (value.kind === 'object') return { kind: 'other', name, text: text(value.what) ?? 'object' };
  const { name: _, ...rest } = value;
  return { kind: 'other', name, text: JSON.stringify(rest) };
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
  const range = isObject(object.range) ? object.range : {};
  const start = readPosition(range.start);
  const end = readPosition(range.end) ?? start;
  if (start !== undefined && end !== undefined) error.range = { start, end };
  return error;
}

/** The server's answer to a run; `undefined` when it is not one. */
export function readResult(value: unknown): RunResult | undefined {
  if (!isObject(value) || typeof value.ok !== 'boolean') return undefined;
  if (!value.ok) return { ok: false, cancelled: value.cancelled === true, error: readError(value.error) };
  return {
    ok: true,
    function: text(value.function) ?? '',
    dims: numbers(value.dims),
    seconds: number(value.seconds) ?? 0,
    outputs: Array.isArray(value.outputs) ? value.outputs.map(readOutput) : [],
    stdout: text(value.stdout) ?? '',
  };
}
