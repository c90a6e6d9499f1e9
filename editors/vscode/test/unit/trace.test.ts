// A trace beside the lines, and as a flame chart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trace, TracedBinding, Value } from '../../src/protocol';
import { flame, timeline } from '../../src/runs/flame';
import { annotationOf, lineNotes, placeOf } from '../../src/runs/lineNotes';

const tensor = (more: Partial<Extract<Value, { kind: 'tensor' }>> = {}): Value => ({
  kind: 'tensor', shape: [2, 4], dtype: 'float32', min: -1, max: 2, mean: 0, nan: 0, inf: 0, first: [], ...more,
});

const binding = (line: number, name: string, callee: string, seconds: number, more: Partial<TracedBinding> = {}): TracedBinding => ({
  function: 'main', name, callee, start: 0, seconds, value: tensor(), kept: `binding.${line}`,
  range: { start: { line, character: 0 }, end: { line, character: 9 } }, ...more,
});

const trace = (...bindings: TracedBinding[]): Trace => ({ bindings, dropped: 0, profile: [], peak: 0 });

test('a line says what its binding got', () => {
  const notes = lineNotes(trace(binding(3, 'y', 'relax.add', 0.001)));
  assert.deepEqual(notes.get(3), {
    text: 'f32[2, 4] · 1 ms · -1 … 2', detail: 'y = relax.add: f32[2, 4] · 1 ms · -1 … 2', bad: false, kept: 'binding.3',
  });
});

test('only the binding that made a NaN is bad, not those that carry it on', () => {
  const notes = lineNotes(trace(
    binding(1, 'a', 'relax.add', 0),
    binding(2, 'b', 'relax.log', 0, { value: tensor({ nan: 3 }) }),
    binding(3, 'c', 'relax.add', 0, { value: tensor({ nan: 3, inf: 1 }) }),
    binding(4, 'd', 'relax.add', 0, { value: tensor({ nan: 3, inf: 1 }) }),
  ));
  assert.deepEqual([1, 2, 3, 4].map((line) => notes.get(line)?.bad), [false, true, true, false]);
  assert.equal(notes.get(2)?.text, '⚠ first NaN · f32[2, 4] · 0 µs · -1 … 2 · 3 NaN');
});

test('a line that ran twice shows the last value and the time of both', () => {
  const notes = lineNotes(trace(binding(1, 'a', 'relax.add', 0.001), binding(1, 'a', 'relax.add', 0.002, { value: tensor({ shape: [9] }) })));
  assert.equal(notes.get(1)?.text, 'f32[9] · 3 ms in 2 runs · -1 … 2');
});

test('equal values and values that are not tensors are short', () => {
  const notes = lineNotes(trace(
    binding(1, 'a', 'relax.zeros', 0, { value: tensor({ min: 0, max: 0 }) }),
    binding(2, 's', 'relax.shape_of', 0, { value: { kind: 'shape', values: [2, 4] } }),
  ));
  assert.equal(notes.get(1)?.text, 'f32[2, 4] · 0 µs · all 0');
  assert.equal(notes.get(2)?.text, 'shape[2, 4] · 0 µs');
});

test('the flame chart groups bindings by operator, most time first', () => {
  const bars = flame(trace(binding(1, 'a', 'relax.add', 1), binding(2, 'b', 'relax.matmul', 6), binding(3, 'c', 'relax.add', 3)), 'main');
  assert.deepEqual(bars.map(({ label, start, width, depth }) => [depth, label, start, width]), [
    [0, 'main', 0, 1],
    [1, 'relax.matmul', 0, 0.6],
    [2, 'b', 0, 0.6],
    [1, 'relax.add', 0.6, 0.4],
    [2, 'c', 0.6, 0.3],
    [2, 'a', 0.6 + 0.3, 0.1],
  ]);
});

test('a call of a traced function does not count its time twice', () => {
  const inner = binding(9, 'z', 'relax.exp', 4, { function: 'helper' });
  const bars = flame(trace(inner, binding(1, 'a', 'helper', 5), binding(2, 'b', 'relax.add', 4)), 'main');
  assert.deepEqual(bars.filter(({ depth }) => depth === 1).map(({ label, width }) => [label, width]), [['relax.exp', 0.5], ['relax.add', 0.5]]);
});

test('nothing that took no time is drawn', () => {
  assert.deepEqual(flame(trace(binding(1, 'a', 'relax.add', 0)), 'main'), []);
});

test('the timeline keeps the order, with the bindings of a function below its call', () => {
  const bars = timeline(trace(
    binding(9, 'z', 'relax.exp', 2, { function: 'helper', start: 11 }),
    binding(1, 'a', 'helper', 4, { start: 10 }),
    binding(2, 'b', 'relax.add', 6, { start: 14 }),
  ));
  assert.deepEqual(bars.map(({ label, start, width, depth }) => [depth, label, start, width]), [
    [0, 'a = helper', 0, 0.4],
    [1, 'z = relax.exp', 0.1, 0.2],
    [0, 'b = relax.add', 0.4, 0.6],
  ]);
});

test('a note stands behind the name that is bound, else at the end of the line', () => {
  const name = '    lv: R.Tensor = R.add(x, y)';
  assert.equal(placeOf(name), '    lv'.length);
  assert.equal(placeOf('  y = f(x)'), 3);
  const long = '    lv: R.Tensor((1, 4), dtype="float32") = R.add(x, y, axis=1)';
  assert.deepEqual(annotationOf(long), ['    lv'.length, long.indexOf(' = R.add')]);
  assert.deepEqual([annotationOf('  y = f(x)'), annotationOf('  return y')], [undefined, undefined]);
  for (const line of ['    return R.add(x, y)', '  R.add(x, y)', '    x == y', '']) assert.equal(placeOf(line), line.length, line);
});
