// The boxes of a graph: which are closed, what a closed one represents, and searching in them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Graph, readGraph } from '../../src/graph/graph';
import { Boxes, fold, found } from '../../webview/graph/fold';

/** Layers in a row between an input and a result; each has an inner box. */
function model(layers: number, alike = true): Graph {
  const groups: object[] = [{ kind: 'module', label: 'layers' }];
  const nodes: object[] = [{ kind: 'parameter', name: 'x' }];
  const edges: object[] = [];
  for (let layer = 0; layer < layers; layer += 1) {
    const outer = groups.length;
    const same = (first: number): object => (alike && layer > 0 ? { alike: first } : {});
    groups.push({ kind: 'module', label: `layers.${layer}`, parent: 0, ...same(1) });
    groups.push({ kind: 'module', label: `layers.${layer}.attn`, parent: outer });
    nodes.push({ kind: 'operator', operation: 'matmul', name: `a${layer}`, group: outer + 1 });
    nodes.push({ kind: 'operator', operation: 'add', name: `b${layer}`, group: outer });
    edges.push({ from: nodes.length - 3, to: nodes.length - 2 }, { from: nodes.length - 2, to: nodes.length - 1 });
  }
  nodes.push({ kind: 'result' });
  edges.push({ from: nodes.length - 2, to: nodes.length - 1 });
  const graph = readGraph({ nodes, groups, edges });
  assert.ok(graph !== undefined);
  return graph;
}

const shown = (graph: Graph, open: Set<number>): string[] => fold(graph, open).graph.nodes.map(({ name, operation }) => `${name} ${operation}`.trim());

test('a closed box is one node, with an edge to and from what is around it', () => {
  const graph = model(3);
  const { graph: drawn, origins } = fold(graph, new Set());
  assert.deepEqual(shown(graph, new Set()), ['x', 'layers 6 values', '']);
  assert.deepEqual(drawn.edges.map(({ from, to }) => [from, to]), [[0, 1], [1, 2]]);
  assert.deepEqual(origins, [{ node: 0 }, { group: 0 }, { node: 7 }]);
});

test('boxes in a row that do the same are one box, and the first of them opens', () => {
  const graph = model(4);
  assert.deepEqual(shown(graph, new Set([0])), ['x', 'layers.0 … 3 4 times the same · 8 values', '']);
  assert.deepEqual(shown(graph, new Set([0, 1])), ['x', 'layers.0.attn 1 values', 'b0 add', 'layers.1 … 3 3 times the same · 6 values', '']);
  assert.deepEqual(shown(graph, new Set([0, 3])), ['x', 'layers.0 2 values', 'layers.1.attn 1 values', 'b1 add', 'layers.2 … 3 2 times the same · 4 values', '']);
});

test('boxes that do something else stand alone', () => {
  assert.deepEqual(shown(model(2, false), new Set([0])), ['x', 'layers.0 2 values', 'layers.1 2 values', '']);
});

test('boxes are open at first as far as there is room, and those around the focus', () => {
  const graph = model(4);
  const boxes = new Boxes(graph);
  assert.deepEqual([...boxes.opened(3)], [0]);
  assert.deepEqual([...boxes.opened(5)], [0, 1, 2]);
  assert.ok([0, 3, 4].every((it) => boxes.opened(3, 3).has(it)));
});

test('nodes of a dataflow block inside of a box count as its own', () => {
  const groups = [{ kind: 'call', label: 'fused' }, { kind: 'dataflow', label: '', parent: 0 }];
  const graph = readGraph({ nodes: [{ kind: 'parameter' }, { group: 1 }, { group: 1 }, { group: 1 }, { group: 0 }], groups });
  assert.ok(graph !== undefined);
  assert.deepEqual([...new Boxes(graph).opened(4)], []);
  assert.deepEqual([...new Boxes(graph).opened(5)], [0]);
});

test('every node of the graph is in one drawn node', () => {
  const graph = model(5);
  const boxes = new Boxes(graph);
  for (const open of [[], [0], [0, 5], [0, 1, 2, 3], [2]]) {
    const { origins } = fold(graph, new Set(open), boxes);
    graph.nodes.forEach(({ group }, at) => {
      const box = boxes.closedAround(group, new Set(open));
      const own = origins.filter((it) => ('node' in it ? it.node === at : it.group === box));
      assert.equal(own.length, 1, `${at} with ${open.join()}`);
    });
  }
});

test('words are found in names, operators and modules', () => {
  const graph = model(2);
  assert.deepEqual(found(graph, 'MatMul'), [1, 3]);
  assert.deepEqual(found(graph, 'layers.1'), [3, 4]);
  assert.deepEqual(found(graph, ' '), []);
});

test('ten thousand nodes are folded while one waits for a frame or two', () => {
  const graph = model(5000);
  assert.equal(graph.nodes.length, 10_002);
  const boxes = new Boxes(graph);
  assert.ok(fold(graph, boxes.opened(60), boxes).graph.nodes.length <= 60);
});
