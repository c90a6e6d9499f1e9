// Parses and prints the values of symbolic dimensions. Knows no editor.

/** A dimension is an int64 in the program, but no tensor that large fits into memory. */
const LARGEST = 2 ** 31 - 1;

/** Returns the reason why `typed` is not a valid dimension, or `undefined` if it is. */
export function dimProblem(typed: string): string | undefined {
  const trimmed = typed.trim();
  if (trimmed === '') return 'A value is needed.';
  if (!/^\d+$/.test(trimmed)) return 'A dimension is a positive whole number.';
  const value = Number(trimmed);
  if (value < 1) return 'A dimension is at least 1.';
  if (value > LARGEST) return `A dimension is at most ${LARGEST}.`;
  return undefined;
}

/** Parses `n=2048, batch=8`. Returns the values by name, or an error message. */
export function readDims(typed: string): Readonly<Record<string, number>> | string {
  const dims: Record<string, number> = {};
  const parts = typed.split(',').map((part) => part.trim());
  for (const part of parts.filter((it) => it !== '')) {
    const found = /^([^\s=]+)\s*=\s*(.*)$/.exec(part);
    const [, name, value] = found ?? [];
    if (name === undefined || value === undefined) return `Write name=value, not “${part}”.`;
    const problem = dimProblem(value);
    if (problem !== undefined) return `${name}: ${problem}`;
    dims[name] = Number(value);
  }
  return dims;
}

/** Prints values in the same form. */
export function showDims(dims: Readonly<Record<string, number>>): string {
  return Object.entries(dims)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}
