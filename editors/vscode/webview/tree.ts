// A value of constructors: one line if it is short, otherwise a tree whose branches open and close.

import type { Value } from '../src/protocol';
import { typeOf } from '../src/results';
import { h } from './elements';

/** The maximum length of a line. */
const WIDTH = 60;
/** The depth to which branches are open at first. */
const OPEN = 8;

export function tree(value: Value, depth = 0): HTMLElement {
  const line = typeOf(value);
  if (value.kind !== 'tree' || value.fields.length === 0 || line.length <= WIDTH) return h('code', {}, line);
  const fields = value.fields.map((field) => h('li', {}, tree(field, depth + 1)));
  return h('details', { open: depth < OPEN }, h('summary', {}, h('code', {}, value.head || 'tuple')), h('ul', { class: 'tree' }, ...fields));
}
