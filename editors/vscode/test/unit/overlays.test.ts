// Overlays of a graph: costs, times, numbers that are not finite, dtypes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Graph, readGraph } from '../../src/graph/graph';
import { costOverlays, told, traceOverlays } from '../../src/graph/overlays';
import type { TracedBinding } from '../../src/protocol';
import { Boxes, fold } from '../../webview/graph/fold';
import { dtypeTints, tints } from '../../webview/graph/overlay';

const range = (line: number): object => ({ start: { line, character: 8 }, end: { line, character: 30 } });
const node = (name: string, line: number, more: object = {}): object => ({ kind: 'operator', name, operation: name, type: 'f32[4]', range: range(line), selection: range(line), ...more });

/** Two layers, each a box with one value. */
const graph = readGraph({
  function: 'Module.main',
  nodes: [node('x', 1, { kind: 'parameter', type: 'i8[4]' }), node('a', 2, { group: 0 }), node('b', 3, { group: 0 }), node('c', 4)],
  edges: [],
  groups: [{ kind: 'module', label: 'layer' }],
}) as Graph;
const closed = fold(graph, new Set());

test('costs colour by their share of the most, and a closed box has the sum of what is in it', () => {
  const bindings = [{ name: 'a', range: range(2), flops: 300, bytes: 'n * 4' }, { name: 'b', range: range(3), flops: 500 }, { name: 'c', range: range(4), flops: 200 }];
  const [operations, bytes] = costOverlays(graph, { functions: [{ bindings }] });
  assert.deepEqual(operations?.measures.map((it) => it?.text), [undefined, '300 FLOP', '500 FLOP', '200 FLOP']);
  const coloured = [undefined, { text: '800 FLOP', share: 1 }, { text: '200 FLOP', share: 0.25 }];
  assert.deepEqual(tints(operations!, new Boxes(graph), closed.origins, new Set()), coloured);
  // As a page gets it from VS Code.
  const sent = JSON.parse(JSON.stringify(operations)) as typeof operations;
  assert.deepEqual(tints(sent!, new Boxes(graph), closed.origins, new Set()), coloured);
  // A formula has only a text.
  assert.deepEqual(bytes?.measures[1], { text: 'n * 4 B' });
});

test('a traced run colours by time and by numbers that are not finite', () => {
  const binding = (name: string, line: number, seconds: number, nan: number): TracedBinding =>
    ({ function: 'main', name, callee: '', range: range(line), seconds, value: { kind: 'tensor', shape: [4], dtype: 'float32', nan, inf: 0, first: [] } }) as unknown as TracedBinding;
  const bindings = [binding('a', 2, 0.001, 0), binding('a', 2, 0.002, 0), binding('c', 4, 0.5, 3), { ...binding('c', 4, 9, 0), function: 'other' }];
  const [time, bad] = traceOverlays(graph, bindings);
  assert.deepEqual(time?.measures.map((it) => it?.text), [undefined, '3 ms', undefined, '500 ms']);
  assert.deepEqual(bad?.measures.map((it) => it?.text), [undefined, 'finite', undefined, '3 not finite']);
});

test('what was not measured gives no overlay', () => {
  for (const answer of [undefined, null, {}, { functions: [{}] }]) assert.deepEqual(costOverlays(graph, answer), []);
  assert.deepEqual(traceOverlays(graph, []), []);
});

test('each dtype has a hue of its own', () => {
  const hues = dtypeTints(graph, fold(graph, new Set([0])).origins).map((it) => it && 'hue' in it && [it.text, it.hue]);
  assert.deepEqual(hues, [['i8', 0], ['f32', 1], ['f32', 1], ['f32', 1]]);
});

test('amounts are told in units', () => {
  assert.deepEqual([told(999, 'B'), told(8_589_934_592, 'FLOP'), told(0.25, 's'), told(0, 'numbers')], ['999 B', '8.59 GFLOP', '250 ms', 'finite']);
});
