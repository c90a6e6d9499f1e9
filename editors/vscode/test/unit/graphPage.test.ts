// Computations of the graph's page: layers, routes, views, keyboard steps, colours.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Graph, type GraphNode, readGraph } from '../../src/graph/graph';
import { hueOf } from '../../webview/graph/colours';
import { type Box, type Drawing, path, place, shownGroups } from '../../webview/graph/layout';
import { lines } from '../../webview/graph/list';
import { spread } from '../../webview/graph/spread';
import { centred, fits, fitted, moved, opening, showing, zoomed } from '../../webview/graph/view';
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

test('a route is drawn straight where it is vertical, and bends between', () => {
  assert.equal(path([]), '');
  assert.equal(path([{ x: 0, y: 0 }, { x: 0, y: 9 }]), 'M0,0L0,9');
  assert.equal(path([{ x: 0, y: 0 }, { x: 5, y: 10 }, { x: 5, y: 20 }]), 'M0,0C0,5 5,5 5,10L5,20');
});

/** The edges that pass through a node which they do not touch: the ends of each, and the node. */
function crossings({ edges: routes, nodes }: Drawing, { edges }: Graph): string[] {
  return edges.flatMap(({ from, to }, at) => {
    const points = routes[at]?.points ?? [];
    // The path is vertical at its points, so it stays between two points in height, and between their sides.
    const passes = ({ x, y, width, height }: Box): boolean =>
      points.slice(1).some((point, index) => {
        const before = points[index] ?? point;
        const [top, bottom] = [Math.min(before.y, point.y), Math.max(before.y, point.y)];
        const [left, right] = [Math.min(before.x, point.x), Math.max(before.x, point.x)];
        return bottom > y + 0.5 && top < y + height - 0.5 && right > x + 0.5 && left < x + width - 0.5;
      });
    return nodes.flatMap((box, node) => (node !== from && node !== to && passes(box) ? [`${from} → ${to} through ${node}`] : []));
  });
}

test('no edge passes through a node, in graphs of any form', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    let state = seed;
    const random = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const count = 4 + random(30);
    const groups = [{ kind: 'module', label: 'a' }, { kind: 'module', label: 'b' }];
    const nodes = Array.from({ length: count }, () => operator([0, 1, undefined, undefined][random(4)]));
    const edges = Array.from({ length: count + random(2 * count) }, (): [number, number] => {
      const to = 1 + random(count - 1);
      const from = random(to);
      return random(10) === 0 ? [to, from] : [from, to];
    });
    const it = graph(nodes, edges, groups);
    const sizes = it.nodes.map(() => ({ width: 40 + random(200), height: 38 + 14 * random(5) }));
    const drawing = place(it, sizes, it.edges.map(() => ({ width: random(60), height: random(2) * 14 })));
    assert.deepEqual(crossings(drawing, it), [], `seed ${seed}`);
  }
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
  assert.deepEqual(opening({ width: 440, height: 300 }, WINDOW, undefined), { scale: 400 / 440, x: 0, y: 0 });
});

test('a large drawing opens at its focus or its beginning, at a size that can be read', () => {
  const box = { x: 1000, y: 2000, width: 80, height: 40 };
  const view = opening({ width: 4000, height: 9000 }, WINDOW, box, box);
  // The smallest text of a node has 10.5 pixels.
  assert.ok(view.scale * 10.5 >= 9);
  assert.deepEqual([Math.round(1040 * view.scale + view.x), Math.round(2020 * view.scale + view.y)], [200, 150]);
  const first = opening({ width: 4000, height: 9000 }, WINDOW, undefined, box);
  assert.deepEqual([first.y, Math.round(1040 * first.scale + first.x)], [0, 200]);
});

test('a drawing that does not fit is shown from its top, and no smaller than can be read', () => {
  assert.ok(fits({ width: 500, height: 300 }, WINDOW) && !fits({ width: 500, height: 900 }, WINDOW));
  const first = { x: 0, y: 0, width: 80, height: 40 };
  const view = fitted({ width: 4000, height: 9000 }, WINDOW, first);
  assert.ok(view.scale * 12 >= 9);
  assert.deepEqual([view.x, view.y], [0, 0]);
});

test('the list has a line for each value, with its operands and its type', () => {
  const weights = [{ argument: 'x2', label: 'w(4, 4)ᵀ', description: '', steps: [] }];
  const nodes = [PARAMETER, { kind: 'operator', name: 'y', operation: 'matmul', type: 'f32[4]', weights }, { kind: 'operator', name: 'exp', operation: 'exp' }, { kind: 'tuple', operation: '[0]' }, { kind: 'result', operation: 'return' }];
  assert.deepEqual(lines(graph(nodes, [[0, 1], [1, 2], [2, 3], [3, 4]])), ['x', 'y = matmul(x, w(4, 4)ᵀ): f32[4]', 'exp = exp(y)', 'exp[0]', 'return([0])']);
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

test('the theme of pages outside of VS Code has every colour of the panel and of the graph', () => {
  const text = (name: string): string => readFileSync(join(__dirname, '..', '..', '..', name), 'utf8');
  const theme = text('playground/theme.css');
  const used = ['webview/panel.css', 'webview/graph.css'].flatMap((name) => [...text(name).matchAll(/var\((--vscode-[\w-]+)\)/g)].map(([, variable]) => variable));
  assert.deepEqual(used.filter((variable) => !theme.includes(`${variable}:`)), []);
});
