// Reads the server's answer about a graph, and finds the cursor in it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Graph, describe, nodeAt, readGraph, shiftedLine, titleOf } from '../../src/graph/graph';

const range = (line: number, from: number, to: number, last = line): object => ({ start: { line, character: from }, end: { line: last, character: to } });

/** `if c:` in line 2 with a binding in each branch, and a call inside the first. */
const ANSWER = {
  function: 'Module.main',
  range: range(0, 4, 12, 7),
  selection: range(1, 8, 12),
  nodes: [
    { kind: 'parameter', name: 'x', structInfo: 'R.Tensor((4,), dtype="float32")', range: range(1, 13, 14), selection: range(1, 13, 14) },
    { kind: 'operator', name: '', operation: 'exp', family: 'unary', range: range(3, 22, 30), group: 0 },
    { kind: 'operator', name: 'y', operation: 'abs', family: 'unary', range: range(3, 12, 31), group: 0 },
    { kind: 'call', name: 'y', operation: 'call_tir', callee: 'kernel', arguments: [{ name: 'tir_vars', value: 'R.shape([n])' }], range: range(5, 12, 40), group: 1, omitted: { inputs: 2, outputs: 0 } },
    { kind: 'branch', name: 'y', operation: 'if', range: range(2, 8, 40, 5) },
    { kind: 'result', name: '', operation: 'return', range: range(7, 8, 16) },
  ],
  edges: [
    { from: 0, to: 1, argument: 'x', shape: '(4,)' },
    { from: 1, to: 2, argument: 'x', shape: '(4,)' },
  ],
  groups: [{ kind: 'then' }, { kind: 'else' }],
  total: 9,
  dot: 'digraph {}',
};

function read(more: object = {}): Graph {
  const graph = readGraph({ ...ANSWER, ...more });
  assert.ok(graph !== undefined);
  return graph;
}

test('an answer is read, and what it lacks is filled', () => {
  const graph = read({ focus: 2 });
  assert.deepEqual([graph.line, graph.focus, graph.total, graph.nodes.length], [1, 2, 9, 6]);
  assert.deepEqual(graph.nodes[0]?.omitted, { inputs: 0, outputs: 0 });
  assert.equal(graph.nodes[3]?.callee, 'kernel');
});

test('edges and groups that lead nowhere are left out', () => {
  const graph = read({ edges: [{ from: 0, to: 6 }, { from: -1, to: 0 }, 'x', { from: 0, to: 1 }], groups: [{ kind: 'then', parent: 0 }], focus: 17 });
  assert.deepEqual(graph.edges, [{ from: 0, to: 1, argument: '', shape: '' }]);
  assert.equal(graph.groups[0]?.parent, undefined);
  assert.equal(graph.nodes[3]?.group, undefined);
  assert.equal(graph.focus, undefined);
});

for (const answer of [undefined, null, [], 'graph', {}, { nodes: 3 }]) {
  test(`${JSON.stringify(answer)} is not a graph`, () => assert.equal(readGraph(answer), undefined));
}

test('the cursor is at the innermost value around it, or at what its line binds', () => {
  const at = (line: number, character: number): string | undefined => {
    const node = nodeAt(read(), { line, character });
    return node === undefined ? undefined : (read().nodes[node]?.operation ?? '');
  };
  assert.equal(at(3, 25), 'exp');
  assert.equal(at(3, 13), 'abs');
  assert.equal(at(3, 0), 'abs');
  assert.equal(at(2, 9), 'if');
  assert.equal(at(4, 8), 'if');
  assert.equal(at(5, 0), 'call_tir');
  assert.equal(at(7, 0), 'return');
  assert.equal(at(8, 0), undefined);
});

test('a line moves with what is typed above it', () => {
  assert.equal(shiftedLine(10, 3, 3, 1), 11);
  assert.equal(shiftedLine(10, 3, 5, 0), 8);
  assert.equal(shiftedLine(10, 12, 12, 4), 10);
  assert.equal(shiftedLine(10, 10, 10, 1), 10);
});

test('a node is titled by what makes its value, and described in full', () => {
  const [parameter, , , call] = read().nodes;
  assert.ok(parameter !== undefined && call !== undefined);
  assert.deepEqual([titleOf(parameter), titleOf(call)], ['x', 'kernel']);
  assert.deepEqual(describe(parameter), ['x', 'R.Tensor((4,), dtype="float32")']);
  assert.deepEqual(describe(call), ['y = call_tir kernel', 'tir_vars=R.shape([n])', 'not shown: 2 inputs']);
});

test('a weight belongs to the operator that it is drawn in', () => {
  const weight = { argument: 'x2', label: 'w(8, 4)ᵀ', description: 'w: R.Tensor((8, 4)) → permute_dims', steps: [{ kind: 'parameter', name: 'w', range: range(1, 30, 31) }, { kind: 'operator', name: 't', range: range(2, 8, 40) }] };
  const nodes = [{ kind: 'parameter', name: 'x', range: range(1, 13, 14) }, { kind: 'operator', name: 'y', operation: 'matmul', range: range(3, 8, 30), weights: [weight] }];
  const graph = readGraph({ nodes });
  assert.ok(graph?.nodes[1] !== undefined);
  assert.deepEqual([[1, 30], [2, 0], [3, 0], [1, 13], [1, 2]].map(([line = 0, character = 0]) => nodeAt(graph, { line, character })), [1, 1, 1, 0, undefined]);
  assert.deepEqual(describe(graph.nodes[1]), ['y = matmul', 'x2 = w: R.Tensor((8, 4)) → permute_dims']);
});
