// The sources of a parameter's value in the form. Plain data; knows no page.

/** The word for the server, and what the form calls it. */
export type Source = readonly [value: string, label: string];

const SOURCES: readonly Source[] = [
  ['random', 'random'],
  ['zeros', 'zeros'],
  ['ones', 'ones'],
  ['arange', '0, 1, 2, …'],
  ['constant', 'constant…'],
  ['file', 'from .npy…'],
];

/** Only values that are not tensors, shapes or numbers can be objects. */
const OTHER_TYPES = /\b(Tensor|Shape|Prim|Tuple|Callable|DTensor)\b|\b(int|uint|float)\d/;

/**
 * The choices of a parameter of this StructInfo: `objects` are what earlier runs gave. What is chosen `now` stays a
 * choice, though it be gone: the run says which function gives it.
 */
export function sources(type: string, objects: readonly string[], files: boolean, now: string | undefined): readonly Source[] {
  const plain = SOURCES.filter(([value]) => value !== 'file' || files);
  if (OTHER_TYPES.test(type)) return plain;
  const chosen = now?.startsWith('$') === true && !objects.includes(now.slice(1)) ? [now.slice(1)] : [];
  return [...plain, ...[...objects, ...chosen].map((name): Source => [`$${name}`, `result of ${name}`])];
}
