// The texts shown after a run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult } from '../../src/protocol';
import { fileName, formatScalar, formatSeconds, headline, report } from '../../src/results';

const request = { uri: 'file:///models/a%20b.py', function: 'Module.forward', line: 11, dims: { n: 16 } };

const done: RunResult = {
  ok: true,
  function: 'Module.forward',
  dims: { n: 16 },
  seconds: 0.0123,
  stdout: 'one\ntwo\n',
  outputs: [
    { kind: 'tensor', name: 'out.0', shape: [16, 10], dtype: 'float32', min: -0.31249999, max: 0.5, mean: 0.00312345678, nan: 0, inf: 0, first: [0.25, -1] },
    { kind: 'tensor', name: 'out.10', shape: [], dtype: 'bool', nan: 2, inf: 1, first: [true] },
    { kind: 'shape', name: 'out.11', values: [16, 10] },
    { kind: 'prim', name: 'out.12', value: 7 },
    { kind: 'tree', name: 'out.13', head: 'Cons', fields: [{ kind: 'tensor', shape: [], dtype: 'int32', nan: 0, inf: 0, first: [1] }, { kind: 'tree', head: 'Nil', fields: [] }] },
  ],
};

test('a finished run is a table of its outputs', () => {
  assert.equal(
    report(request, done),
    [
      '▶ Module.forward   n = 16   a b.py:12',
      '  one',
      '  two',
      '  out.0    f32[16, 10]     min -0.3125   max 0.5   mean 0.00312346',
      '           [0.25, -1, …]',
      '  out.10   bool[]          ⚠ 2 NaN, 1 Inf',
      '           [true]',
      '  out.11   shape[16, 10]',
      '  out.12   7',
      '  out.13   Cons(1, Nil)',
      '  finished in 12.3 ms',
    ].join('\n'),
  );
});

test('a line of the history has the first outputs, with the first warning', () => {
  assert.equal(headline(request, done), 'Module.forward → f32[16, 10], bool[], shape[16, 10], 2 more (⚠ 2 NaN, 1 Inf) in 12.3 ms');
});

test('an error says where it happened', () => {
  const start = { line: 13, character: 8 };
  const failed: RunResult = { ok: false, cancelled: false, error: { message: 'x has 5 columns\nbut w has 4 rows', range: { start, end: start } } };
  assert.equal(
    report(request, failed),
    ['▶ Module.forward   n = 16   a b.py:12', '  error: x has 5 columns', '  but w has 4 rows', '  at line 14, column 9'].join('\n'),
  );
});

test('a cancelled run says so', () => {
  const cancelled: RunResult = { ok: false, cancelled: true, error: { message: 'stopped' } };
  assert.equal(headline(request, cancelled), 'Module.forward: cancelled');
  assert.match(report(request, cancelled), /\n {2}cancelled$/);
});

test('a function without results returned nothing', () => {
  assert.equal(headline(request, { ...done, outputs: [] }), 'Module.forward → nothing in 12.3 ms');
});

for (const [seconds, text] of [[0.0000415, '42 µs'], [0.5, '500 ms'], [2.3456, '2.35 s'], [75.4, '1 min 15 s']] as const) {
  test(`${seconds} s is written ${text}`, () => assert.equal(formatSeconds(seconds), text));
}

for (const [value, text] of [[1.93447e-6, '1.93447e-6'], [0.00076465312, '0.000764653'], [0, '0'], [-3, '-3'], [1e20, '100000000000000000000'], ['inf', 'inf'], [true, 'true']] as const) {
  test(`${value} is written ${text}`, () => assert.equal(formatScalar(value), text));
}

test('a file has its own name, saved or not', () => {
  assert.deepEqual(['file:///models/a%20b.py', 'untitled:Untitled-1'].map(fileName), ['a b.py', 'Untitled-1']);
});
