// A tensor as NumPy source text. Knows no editor.

import type { Scalar } from '../protocol';
import { shapeText } from '../results';

/** The number of elements per line. */
const PER_LINE = 16;

/** Returns `np.array([...], dtype=np.float32)`, nested by the shape. */
export function numpyText(list: readonly Scalar[], shape: readonly number[], dtype: string): string {
  const type = `dtype=np.${dtype === 'bool' ? 'bool_' : dtype}`;
  if (list.length === 0) return `np.empty(${shapeText(shape)}, ${type})`;
  const texts = list.map((value) => element(value, dtype));
  return `np.array(${nested(texts, shape, 0, '         ')}, ${type})`;
}

function nested(texts: readonly string[], shape: readonly number[], axis: number, indent: string): string {
  if (axis === shape.length) return texts[0] ?? '';
  if (axis === shape.length - 1) {
    const lines: string[] = [];
    for (let at = 0; at < texts.length; at += PER_LINE) lines.push(texts.slice(at, at + PER_LINE).join(', '));
    return `[${lines.join(`,\n${indent} `)}]`;
  }
  const extent = shape[axis] ?? 0;
  const each = texts.length / extent;
  const parts = Array.from({ length: extent }, (_, at) => nested(texts.slice(at * each, (at + 1) * each), shape, axis + 1, `${indent} `));
  return `[${parts.join(`,\n${indent} `)}]`;
}

function element(value: Scalar, dtype: string): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === 'nan' || value === null) return 'np.nan';
  if (value === 'inf') return 'np.inf';
  if (value === '-inf') return '-np.inf';
  if (typeof value === 'number' && dtype.includes('float')) return float(value, dtype);
  return String(value);
}

/** Returns the shortest text that gives the same number in the tensor's precision. */
function float(value: number, dtype: string): string {
  if (dtype === 'float64') return pointed(String(value));
  for (let digits = 1; digits < 10; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return pointed(String(short));
  }
  return pointed(String(value));
}

/** Adds a decimal point to a float without one. */
function pointed(text: string): string {
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
