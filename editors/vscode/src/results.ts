// Formats the result of a run: a report for the output channel, and one line for the history. Knows no editor.

import type { Output, RunRequest, RunResult, Scalar, Value } from './protocol';

/** The maximum number of outputs in a line of the history. */
const MAX_NAMED = 3;
/** Eight values of this many digits fit on one line of the panel. */
const VALUE_DIGITS = 4;

export function formatSeconds(seconds: number): string {
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 1) return `${trim(seconds * 1000, 3)} ms`;
  if (seconds < 60) return `${trim(seconds, 3)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function trim(value: number, digits: number): string {
  const rounded = Number(value.toPrecision(digits));
  // Many zeros after the point make a number hard to read.
  const tiny = rounded !== 0 && Math.abs(rounded) < 1e-4;
  return tiny ? rounded.toExponential() : String(rounded);
}

export function formatScalar(value: Scalar, digits = 6): string {
  if (typeof value !== 'number') return value === null ? 'NaN' : String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return trim(value, digits);
}

export function formatDims(dims: Readonly<Record<string, number>>): string {
  return Object.entries(dims)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}

/** The name of a `file:` or `untitled:` URI. */
export function fileName(uri: string): string {
  return decodeURIComponent(/[^/:]*$/.exec(uri)?.[0] ?? '');
}

/** A shape as Python writes a tuple. */
export function shapeText(shape: readonly Scalar[]): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
}

/** Returns `f32[2, 4]`, as the lens above a function shows it. */
export function typeOf(output: Value): string {
  switch (output.kind) {
    case 'tensor':
      return `${shortDtype(output.dtype)}[${output.shape.join(', ')}]`;
    case 'shape':
      return `shape[${output.values.join(', ')}]`;
    case 'prim':
      return formatScalar(output.value);
    case 'tree':
      return treeText(output.head, output.fields.map(within));
    case 'other':
      return output.text;
  }
}

/** `f32`, `bf16`, `i64`, `u8`, `f8e4m3fn`, `bool` */
function shortDtype(dtype: string): string {
  return dtype.replace(/^(b?f)loat|^(u?i)nt/, '$1$2').replace(/^ui/, 'u').replace('_', '');
}

/** Returns the number, if the tensor has one element. */
function within(value: Value): string {
  const [only] = value.kind === 'tensor' && value.shape.length === 0 ? value.first : [];
  return only === undefined ? typeOf(value) : formatScalar(only, VALUE_DIGITS);
}

/** `Cons(1, Nil)` */
function treeText(head: string, fields: readonly string[]): string {
  return head !== '' && fields.length === 0 ? head : `${head}(${fields.join(', ')})`;
}

export function warnings(output: Value): string | undefined {
  if (output.kind !== 'tensor') return undefined;
  const found = [];
  if (output.nan > 0) found.push(`${output.nan} NaN`);
  if (output.inf > 0) found.push(`${output.inf} Inf`);
  return found.length > 0 ? `⚠ ${found.join(', ')}` : undefined;
}

function summary(output: Output): string {
  if (output.kind !== 'tensor') return '';
  const parts = [];
  for (const key of ['min', 'max', 'mean'] as const) {
    const value = output[key];
    if (value !== undefined) parts.push(`${key} ${formatScalar(value)}`);
  }
  const warning = warnings(output);
  if (warning !== undefined) parts.push(warning);
  return parts.join('   ');
}

export function elements(shape: readonly number[]): number {
  return shape.reduce((product, extent) => product * extent, 1);
}

function firstValues(output: Output): string | undefined {
  if (output.kind !== 'tensor' || output.first.length === 0) return undefined;
  const more = elements(output.shape) > output.first.length ? ', …' : '';
  return `[${output.first.map((it) => formatScalar(it, VALUE_DIGITS)).join(', ')}${more}]`;
}

function head(request: RunRequest, dims: Readonly<Record<string, number>>): string {
  const values = formatDims(dims);
  return `▶ ${request.function}${values === '' ? '' : `   ${values}`}   ${fileName(request.uri)}:${request.line + 1}`;
}

function indented(text: string): string[] {
  return text.replace(/\n$/, '').split('\n').map((line) => `  ${line}`);
}

/** Returns a full report of a run, for the output channel. */
export function report(request: RunRequest, result: RunResult): string {
  const lines: string[] = [];
  if (!result.ok) {
    lines.push(head(request, request.dims));
    lines.push(...indented(result.cancelled ? 'cancelled' : `error: ${result.error.message}`));
    const start = result.error.range?.start;
    if (!result.cancelled && start !== undefined) lines.push(`  at line ${start.line + 1}, column ${start.character + 1}`);
    return lines.join('\n');
  }
  lines.push(head(request, result.dims));
  if (result.stdout !== '') lines.push(...indented(result.stdout));
  const name = Math.max(0, ...result.outputs.map((it) => it.name.length));
  const type = Math.max(0, ...result.outputs.map((it) => typeOf(it).length));
  for (const output of result.outputs) {
    lines.push(`  ${output.name.padEnd(name)}   ${typeOf(output).padEnd(type)}   ${summary(output)}`.trimEnd());
    const values = firstValues(output);
    if (values !== undefined) lines.push(`  ${' '.repeat(name)}   ${values}`);
  }
  lines.push(`  finished in ${formatSeconds(result.seconds)}`);
  return lines.join('\n');
}

/** Returns one line for the history. */
export function headline(request: RunRequest, result: RunResult): string {
  if (!result.ok) {
    return result.cancelled ? `${request.function}: cancelled` : `${request.function}: ${result.error.message}`;
  }
  const named = result.outputs.slice(0, MAX_NAMED).map((it) => typeOf(it));
  const more = result.outputs.length - named.length;
  if (more > 0) named.push(`${more} more`);
  const found = result.outputs.map(warnings).find((it) => it !== undefined);
  const warning = found === undefined ? '' : ` (${found})`;
  return `${request.function} → ${named.join(', ') || 'nothing'}${warning} in ${formatSeconds(result.seconds)}`;
}
