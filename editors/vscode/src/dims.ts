// Values of symbolic dimensions: what a user may type. Knows no editor.

/** A dimension is an int64 of the program, but no tensor that large fits anywhere. */
const LARGEST = 2 ** 31 - 1;

/** Why `typed` is no dimension, or `undefined` when it is one. */
export function dimProblem(typed: string): string | undefined {
  const trimmed = typed.trim();
  if (trimmed === '') return 'A value is needed.';
  if (!/^\d+$/.test(trimmed)) return 'A dimension is a positive whole number.';
  const value = Number(trimmed);
  if (value < 1) return 'A dimension is at least 1.';
  if (value > LARGEST) return `A dimension is at most ${LARGEST}.`;
  return undefined;
}
