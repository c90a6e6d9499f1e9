// Computations of the graph's page: layers, routes, views, keyboard steps, colours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Graph, type GraphNode, readGraph } from '../../src/graph/graph';
import { hueOf } from '../../webview/graph/colours';
import { type Drawing, path, place, shownGroups } from '../../webview/graph/layout';
import { spread } from '../../webview/graph/spread';
import { centred, fitted, moved, opening, showing, zoomed } from '../../webview/graph/view';
import { step } from '../../webview/graph/walk';

function graph(nodes: object[], edges: [number, number][], groups: object[] = []): Graph {
  const read = readGraph({ nodes, groups, edges: edges.map(([from, to]) => ({ from, to, shape: '(4,)' })) });
  assert.ok(read !== undefined);
  return read;
}

function placed(it: Graph): Drawing {
  return place(it, it.nodes.map(() => ({ width: 80, height: 38 })), it.edges.map(() => ({ width: 30, height: 14 })));
}

const PARAMETER = { kind: 'parameter', name: 'x' };
const operator = (group?: number): object => ({ kind: 'operator', name: 'y', ...(group === undefined ? {} : { group }) });

/** A diamond: one value, two made of it, one made of both. */
const DIAMOND = graph([PARAMETER, operator(), operator(), operator()], [[0, 1], [0, 2], [1, 3], [2, 3]]);

test('what is made of a value stands below it, and what is beside does not overlap', () => {
  const { nodes, width, height } = placed(DIAMOND);
  const [top, left, right, bottom] = nodes;
  assert.ok(top && left && right && bottom);
  assert.ok(top.y + top.height < left.y && left.y + left.height < bottom.y);
  assert.equal(left.y, right.y);
  assert.ok(Math.abs(left.x - right.x) >= left.width);
  assert.ok(nodes.every(({ x, y, width: w, height: h }) => x >= 0 && y >= 0 && x + w <= width && y + h <= height));
});

test('an edge goes from its value to what is made of it, with its label between', () => {
  const { nodes, edges } = placed(DIAMOND);
  const [from, to] = [nodes[0], nodes[1]];
  const route = edges[0];
  assert.ok(from && to && route?.label);
  assert.ok(Math.abs((route.points[0]?.y ?? 0) - (from.y + from.height)) < 1);
  assert.ok(Math.abs((route.points.at(-1)?.y ?? 0) - to.y) < 1);
  assert.ok(route.label.y > from.y + from.height && route.label.y < to.y);
});

test('several operands of one value are several edges', () => {
  const { edges } = placed(graph([PARAMETER, operator()], [[0, 1], [0, 1]]));
  assert.notDeepEqual(edges[0]?.label, edges[1]?.label);
});

test('branches are boxes around their nodes, also one within another', () => {
  const groups = [{ kind: 'then' }, { kind: 'else' }, { kind: 'then', parent: 0 }];
  const drawing = placed(graph([PARAMETER, operator(0), operator(2), operator(1)], [[0, 1], [1, 2], [0, 3]], groups));
  const contains = (group: number, node: number): boolean => {
    const [outer, inner] = [drawing.groups.get(group), drawing.nodes[node]];
    return outer !== undefined && inner !== undefined && inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;
  };
  assert.ok(contains(0, 1) && contains(0, 2) && contains(2, 2) && contains(1, 3));
  assert.ok(!contains(0, 3) && !contains(2, 1));
});

test('a dataflow block is drawn where bindings stand beside it', () => {
  const block = [{ kind: 'dataflow' }];
  assert.deepEqual([...shownGroups(graph([PARAMETER, operator(0), { kind: 'result', name: '' }], [], block))], []);
  assert.deepEqual([...shownGroups(graph([PARAMETER, operator(0), operator()], [], block))], [0]);
});

test('an empty graph has a layout', () => assert.deepEqual(placed(graph([], [])).nodes, []));

test('a route is a line, or a line with round corners through all its points', () => {
  assert.equal(path([]), '');
  assert.equal(path([{ x: 0, y: 0 }, { x: 0, y: 9 }]), 'M0,0L0,9');
  assert.equal(path([{ x: 0, y: 0 }, { x: 5, y: 5 }, { x: 5, y: 20 }]), 'M0,0Q5,5 5,20');
  assert.match(path([{ x: 0, y: 0 }, { x: 5, y: 5 }, { x: 5, y: 20 }, { x: 0, y: 30 }]), /^M0,0Q5,5 5,12\.5Q5,20 0,30$/);
});

test('what many read is drawn beside each reader, what few read once', () => {
  const readers = graph([PARAMETER, operator(), operator(0), operator()], [[0, 1], [0, 2], [0, 3], [0, 3], [1, 2]], [{ kind: 'then' }]);
  assert.deepEqual(spread(readers).graph, readers);
  const { graph: drawn, origin } = spread(readers, 2);
  assert.deepEqual(origin, [0, 1, 2, 3, 0, 0]);
  assert.deepEqual(drawn.edges.map(({ from, to }) => [from, to]), [[0, 1], [4, 2], [5, 3], [5, 3], [1, 2]]);
  assert.deepEqual(drawn.nodes.slice(4).map(({ name, group }) => [name, group]), [['x', 0], ['x', undefined]]);
});

const WINDOW = { width: 400, height: 300 };

test('a small drawing is shown as a whole, in the middle and no larger than life', () => {
  assert.deepEqual(fitted({ width: 200, height: 100 }, WINDOW), { scale: 1, x: 100, y: 0 });
  assert.deepEqual(opening({ width: 500, height: 300 }, WINDOW, undefined), { scale: 0.8, x: 0, y: 0 });
});

test('a large drawing opens at its focus, at a size that can be read', () => {
  const box = { x: 1000, y: 2000, width: 80, height: 40 };
  const view = opening({ width: 4000, height: 9000 }, WINDOW, box);
  assert.equal(view.scale, 0.9);
  assert.deepEqual([Math.round(1040 * view.scale + view.x), Math.round(2020 * view.scale + view.y)], [200, 150]);
  assert.equal(opening({ width: 4000, height: 9000 }, WINDOW, undefined).y, 0);
});

test('zooming keeps the point under the pointer, within limits', () => {
  const view = zoomed({ scale: 1, x: 0, y: 0 }, 2, { x: 100, y: 50 });
  assert.deepEqual(view, { scale: 2, x: -100, y: -50 });
  assert.equal(zoomed(view, 100, { x: 0, y: 0 }).scale, 3);
  assert.equal(zoomed(view, 0.0001, { x: 0, y: 0 }).scale, 0.1);
});

test('what is on screen is not moved, what is not comes just into it', () => {
  const view = { scale: 1, x: 0, y: 0 };
  const box = { x: 100, y: 100, width: 80, height: 40 };
  assert.deepEqual(showing(view, WINDOW, box), view);
  assert.deepEqual(showing(view, WINDOW, { ...box, y: 500 }), { scale: 1, x: 0, y: -264 });
  assert.deepEqual(showing(view, WINDOW, { ...box, x: -100 }), { scale: 1, x: 124, y: 0 });
  assert.deepEqual(centred(view, WINDOW, box), { scale: 1, x: 60, y: 30 });
  assert.deepEqual(moved(view, 3, -4), { scale: 1, x: 3, y: -4 });
});

test('the keyboard follows operands, uses, and what stands beside', () => {
  const { nodes } = placed(DIAMOND);
  const [left, right] = (nodes[1]?.x ?? 0) < (nodes[2]?.x ?? 0) ? [1, 2] : [2, 1];
  const next = (from: number, key: Parameters<typeof step>[3]): number => step(DIAMOND, nodes, from, key);
  assert.equal(next(left, 'ArrowRight'), right);
  assert.equal(next(left, 'ArrowLeft'), left);
  assert.equal(next(left, 'ArrowUp'), 0);
  assert.equal(next(left, 'ArrowDown'), 3);
  assert.equal(next(0, 'ArrowUp'), 0);
  assert.deepEqual([next(2, 'Home'), next(2, 'End')], [0, 3]);
});

test('operators have the colour of their family, calls one of their own', () => {
  const node = (more: object): GraphNode => graph([more], []).nodes[0] as GraphNode;
  assert.equal(hueOf(node({ kind: 'operator', family: 'linalg' })), 'matrix');
  assert.equal(hueOf(node({ kind: 'call', family: 'calls' })), 'call');
  assert.equal(hueOf(node({ kind: 'operator', family: 'what comes later' })), 'plain');
  assert.equal(hueOf(node({ kind: 'parameter' })), 'plain');
});
