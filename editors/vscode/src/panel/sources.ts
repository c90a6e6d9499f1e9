// The sources of a parameter's value in the form. Plain data; knows no page.

/** The value in the protocol, and its label in the form. */
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
 * Returns the choices for a parameter of this StructInfo. `objects` are results of earlier runs. The current choice
 * remains available even if its object is gone, since the run then says which function creates it.
 */
export function sources(type: string, objects: readonly string[], files: boolean, now: string | undefined): readonly Source[] {
  const plain = SOURCES.filter(([value]) => value !== 'file' || files);
  if (OTHER_TYPES.test(type)) return plain;
  const chosen = now?.startsWith('$') === true && !objects.includes(now.slice(1)) ? [now.slice(1)] : [];
  return [...plain, ...[...objects, ...chosen].map((name): Source => [`$${name}`, `result of ${name}`])];
}
