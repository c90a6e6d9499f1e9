// The tree of a compilation's passes, and where a value is followed to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { obvious, readFollowing, told } from '../../src/timeline/following';
import { type Row, descriptionOf, headlineOf, isDump, markOf, nextChange, readTimeline, rowsBelow, toldOf, withPart } from '../../src/timeline/timeline';

/** Stages in the order of their numbers: a sequence comes after its members. */
const ANSWER = {
  stages: [
    { uri: 'file:///d/000_A.py', label: '000_A', pass: 'A', parent: 4, before: null, unchanged: false },
    { uri: 'file:///d/001_B.py', label: '001_B', pass: 'B', parent: 4, before: 0, unchanged: true },
    { uri: 'file:///d/002_C.py', label: '002_C', pass: 'C', parent: 4, before: 1, unchanged: true },
    {
      uri: 'file:///d/003_D.py', label: '003_D', pass: 'D', parent: 4, before: 2, unchanged: false, summary: 'main changed', storages: 2, plannedBytes: 'n * 4',
      changed: [{ outcome: 'merged', functions: ['f', 'g'], before: null, after: { name: 'h', range: { start: { line: 3, character: 4 } } } }],
      errors: [{ code: 'undefined-name', message: 'no', range: { start: { line: 1, character: 0 } } }],
    },
    { uri: 'file:///d/004_sequential.py', label: '004_sequential', pass: 'sequential', parent: null, before: null, unchanged: false },
  ],
  firstIllFormed: 3,
};
const timeline = readTimeline(ANSWER)!;

function show(rows: readonly Row[]): string[] {
  return rows.map((row) => (row.kind === 'idle' ? `idle ${row.stages.join(' ')}` : row.kind === 'function' ? `function ${headlineOf(row.changed).name}` : `stage ${row.stage}`));
}

test('passes stand below the sequence that ran them, and those that changed nothing are folded', () => {
  assert.deepEqual(show(rowsBelow(timeline)), ['stage 4']);
  assert.deepEqual(show(rowsBelow(timeline, { kind: 'stage', stage: 4 })), ['stage 0', 'idle 1 2', 'stage 3']);
  assert.deepEqual(show(rowsBelow(timeline, { kind: 'idle', stages: [1, 2] })), ['stage 1', 'stage 2']);
  assert.deepEqual(show(rowsBelow(timeline, { kind: 'stage', stage: 3 })), ['function h']);
});

test('a stage has a mark, and says what its pass did', () => {
  assert.deepEqual(timeline.stages.map((it) => markOf(it)), ['first', 'unchanged', 'unchanged', 'ill-formed', 'first']);
  assert.equal(descriptionOf(timeline.stages[3]!), '✗ 1 error · main changed · n * 4 B planned');
  assert.deepEqual(headlineOf(timeline.stages[3]!.changed[0]!), { name: 'h', what: 'merged from f, g' });
});

test('passes are shown before their stages are read, and each stage takes the place of its pass', () => {
  const unread = ANSWER.stages.map(({ uri, label, pass, parent }) => ({ uri, label, pass, parent, unread: true }));
  const planned = withPart(undefined, { at: 0, stages: unread });
  assert.deepEqual(show(rowsBelow(planned!, { kind: 'stage', stage: 4 })), ['stage 0', 'stage 1', 'stage 2', 'stage 3']);
  const read = withPart(planned, { at: 3, stages: [ANSWER.stages[3]] });
  assert.deepEqual(read!.stages.map((it) => markOf(it)), ['unread', 'unread', 'unread', 'ill-formed', 'unread']);
  assert.equal(withPart(read, { stages: 1 }), read);
});

test('runs mark the stages whose values differ, and tell of the first', () => {
  const range = { start: { line: 5, character: 8 }, end: { line: 5, character: 20 } };
  const stages = [{ ran: true, same: true }, { ran: true, same: false }, { ran: false, stopped: { message: 'out of range' }, why: 'out of range' }, { ran: false, skipped: 'no Relax function', why: 'no Relax function' }];
  const run = { function: 'main', verdict: 'differs', stages, firstDifference: { stage: 1, before: 0, what: '1 of 4 elements differs', binding: { name: 'y', range } } };
  const ran = readTimeline({ ...ANSWER, firstIllFormed: null, run })!;
  assert.equal(toldOf(ran), '2 of 5 stages ran main; 001_B is the first with other values in y: 1 of 4 elements differs');
  assert.equal(markOf(ran.stages[1]!, ran.runs!.stages[1]), 'other values');
  assert.equal(descriptionOf(ran.stages[2]!, ran.runs!.stages[2]), '✗ stops');
  assert.equal(descriptionOf(ran.stages[1]!, ran.runs!.stages[3]), descriptionOf(ran.stages[1]!));
  // A pass that changes no text can still be the first with another value, if an earlier stage does not run.
  assert.deepEqual(show(rowsBelow(ran, { kind: 'stage', stage: 4 })), ['stage 0', 'stage 1', 'idle 2', 'stage 3']);
});

test('a value is followed past the stages in which nothing changed', () => {
  const uri = (at: number): string => timeline.stages[at]!.uri;
  assert.equal(nextChange(timeline, uri(0), false), uri(3));
  assert.equal(nextChange(timeline, uri(3), false), undefined);
  assert.equal(nextChange(timeline, uri(3), true), uri(2));
  assert.equal(nextChange(timeline, uri(2), true), undefined);
  assert.equal(nextChange(timeline, 'file:///elsewhere.py', false), undefined);
});

test('an answer of another form is none', () => {
  for (const answer of [null, undefined, 'x', {}, { stages: 1 }]) assert.equal(readTimeline(answer), undefined);
  assert.equal(readTimeline({ stages: [null] })!.stages[0]!.label, '');
  for (const answer of [null, {}, { origin: {}, stage: 'x' }]) assert.equal(readFollowing(answer), undefined);
});

const location = { uri: 'file:///d/003_D.py', range: { start: { line: 5, character: 8 }, end: { line: 5, character: 20 } } };

test('the value itself is gone to, and what has to do with it is told', () => {
  const places = [
    { relation: 'changed', name: 'lv', function: 'main', parts: ['operator'], location },
    { relation: 'planned in', name: 'storage', function: 'main', location },
  ];
  const following = readFollowing({ origin: { name: 'relu', location }, stage: location.uri, places })!;
  assert.equal(obvious(following)?.name, 'lv');
  assert.equal(told(following), 'relu → lv: changed (operator); planned in storage');
});

test('of several places none is obvious', () => {
  const place = (relation: string): object => ({ relation, name: 'lv', function: 'main', location });
  const of = (places: object[]): ReturnType<typeof readFollowing> => readFollowing({ origin: { name: 'y', location }, stage: location.uri, places });
  assert.equal(obvious(of([place('part of'), place('fused into')])!), undefined);
  assert.equal(obvious(of([place('fused into')])!)?.relation, 'fused into');
  assert.equal(told(of([])!), 'y is gone');
});

test('dumps are known by their numbers', () => {
  assert.deepEqual(['/d/003_FuseOps.py', '/d/model.py', '/d/03_x.py', 'd\\012_sequential.py'].map(isDump), [true, false, false, true]);
});
