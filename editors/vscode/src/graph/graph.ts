// The dataflow graph of a function: validates the server's answer, and finds nodes in it. Knows no editor.

import { type Position, type Range, isObject, list, number, readRange, text } from '../protocol';

export const SHOW_GRAPH = 'relax.showGraph';
export const DIFF = 'relax.diff';
export const COST = 'relax.cost';

/** Any other kind is drawn as a value. */
export type Kind = 'parameter' | 'constant' | 'operator' | 'call' | 'tuple' | 'match_cast' | 'branch' | 'function' | 'value' | 'result';

export interface GraphNode {
  kind: Kind;
  /** The variable; empty for a value inside an expression. */
  name: string;
  /** The operation that computes the value: `matmul`, `call_tir`, `[0]`, `if`. */
  operation: string;
  callee?: string;
  /** The family of the operator: `linalg`, `nn_conv`. */
  family: string;
  structInfo: string;
  /** The same in short notation: `f32[n, 4]`. */
  type: string;
  arguments: readonly { name: string; value: string }[];
  /** The operands that are drawn inside of the node. */
  weights: readonly Weight[];
  /** The statement, or the expression. */
  range: Range;
  /** The range to select: the name. */
  selection: Range;
  group?: number;
  /** The number of edges from and to nodes that are not part of this graph. */
  omitted: { inputs: number; outputs: number };
  /** The difference from the previous stage, in a comparison. */
  change?: Change;
}

/** A binding, parameter or constant. */
type Part = Pick<GraphNode, 'kind' | 'name' | 'range'>;

/** A parameter or constant that only this operator reads. */
export interface Weight {
  /** The operator's parameter. */
  argument: string;
  /** `qkv_weight(768, 256)ᵀ` */
  label: string;
  /** The whole name, the type, and the operators that arrange it. */
  description: string;
  /** The parameter or constant, then the operators that arrange it. */
  steps: readonly Part[];
}

/** The ranges of removed nodes are in the text before the change. */
export interface Change {
  kind: 'added' | 'removed' | 'changed';
  /** The parts that differ: parameters of the operator, `StructInfo`. */
  parts: readonly string[];
}

export interface GraphEdge {
  from: number;
  to: number;
  argument: string;
  shape: string;
}

export interface GraphGroup {
  kind: string;
  label: string;
  parent?: number;
  /** The first module beside it that computes the same. */
  alike?: number;
}

export interface Graph {
  function: string;
  /** The range of the whole function. */
  range: Range;
  /** The line of the `def`. */
  line: number;
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  groups: readonly GraphGroup[];
  focus?: number;
  /** The number of nodes of the whole function. */
  total: number;
  dot: string;
}

const NOWHERE: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Returns `undefined` if it is not a graph. Edges and groups with missing ends are left out. */
export function readGraph(answer: unknown): Graph | undefined {
  if (!isObject(answer) || !Array.isArray(answer.nodes)) return undefined;
  const groups = list(answer.groups).map(readGroup);
  const nodes = list(answer.nodes).map((it) => readNode(it, groups.length));
  const at = (value: unknown, count = nodes.length): number | undefined => within(value, count);
  const edges = list(answer.edges).flatMap((it): GraphEdge[] => {
    if (!isObject(it)) return [];
    const [from, to] = [at(it.from), at(it.to)];
    return from === undefined || to === undefined ? [] : [{ from, to, argument: string(it.argument), shape: string(it.shape) }];
  });
  const graph: Graph = {
    function: string(answer.function),
    range: readRange(answer.range) ?? NOWHERE,
    line: readRange(answer.selection)?.start.line ?? 0,
    nodes,
    edges,
    groups,
    total: number(answer.total) ?? nodes.length,
    dot: string(answer.dot),
  };
  const focus = at(answer.focus);
  if (focus !== undefined) graph.focus = focus;
  return graph;
}

function string(value: unknown): string {
  return text(value) ?? '';
}

function objects(value: unknown): Record<string, unknown>[] {
  return list(value).filter(isObject);
}

function readPart(it: Record<string, unknown>): Part {
  return { kind: string(it.kind) as Kind, name: string(it.name), range: readRange(it.range) ?? NOWHERE };
}

function readNode(value: unknown, groups: number): GraphNode {
  const it = isObject(value) ? value : {};
  const omitted = isObject(it.omitted) ? it.omitted : {};
  const node: GraphNode = {
    ...readPart(it),
    operation: string(it.operation),
    family: string(it.family),
    structInfo: string(it.structInfo),
    type: string(it.type),
    arguments: objects(it.arguments).map((arg) => ({ name: string(arg.name), value: string(arg.value) })),
    weights: objects(it.weights).map(readWeight),
    selection: readRange(it.selection) ?? NOWHERE,
    omitted: { inputs: number(omitted.inputs) ?? 0, outputs: number(omitted.outputs) ?? 0 },
  };
  const callee = text(it.callee);
  const group = within(it.group, groups);
  const change = readChange(it.change);
  if (change !== undefined) node.change = change;
  if (callee !== undefined) node.callee = callee;
  if (group !== undefined) node.group = group;
  return node;
}

function readWeight(it: Record<string, unknown>): Weight {
  return { argument: string(it.argument), label: string(it.label), description: string(it.description), steps: objects(it.steps).map(readPart) };
}

function readChange(value: unknown): Change | undefined {
  if (!isObject(value)) return undefined;
  const { kind } = value;
  if (kind !== 'added' && kind !== 'removed' && kind !== 'changed') return undefined;
  return { kind, parts: list(value.parts).map(String) };
}

function readGroup(value: unknown, index: number): GraphGroup {
  const it = isObject(value) ? value : {};
  const group: GraphGroup = { kind: string(it.kind), label: string(it.label) };
  // Outer groups come first.
  const parent = within(it.parent, index);
  if (parent !== undefined) group.parent = parent;
  const alike = within(it.alike, index);
  if (alike !== undefined) group.alike = alike;
  return group;
}

function within(value: unknown, count: number): number | undefined {
  const at = number(value);
  return at !== undefined && Number.isInteger(at) && at >= 0 && at < count ? at : undefined;
}

/** Returns a node and what its weights are made of. */
export function parts(node: GraphNode): readonly Part[] {
  return [node, ...node.weights.flatMap(({ steps }) => steps)];
}

/** Returns the innermost node around a position in the source, or else the node that its line binds. A position in a
 *  weight belongs to the operator that it is drawn in. */
export function nodeAt({ nodes }: Graph, { line, character }: Position): number | undefined {
  let best: { at: number; size: number } | undefined;
  nodes.forEach((node, at) => {
    for (const { kind, name, range: { start, end } } of parts(node)) {
      const after = line > start.line || (line === start.line && character >= start.character);
      const before = line < end.line || (line === end.line && character <= end.character);
      const onLine = line === start.line && (kind === 'result' || (name !== '' && kind !== 'parameter'));
      // An `if` contains its branches.
      const size = (end.line - start.line) * 1e6 + (end.character - start.character) + (kind === 'branch' ? 1e12 : 0);
      if (((after && before) || onLine) && (best === undefined || size < best.size)) best = { at, size };
    }
  });
  return best?.at;
}

/** Returns the new number of a line after an edit that replaced the lines `start` to `end` by `added` lines. */
export function shiftedLine(line: number, start: number, end: number, added: number): number {
  return end < line || (end === line && start < line) ? line + added - (end - start) : line;
}

/** Returns `y = matmul`, or a part of that. */
export function titleOf({ name, operation, callee, kind }: GraphNode): string {
  if (kind === 'parameter' || kind === 'function') return name;
  return callee ?? (operation === '' ? name : operation);
}

/** Returns a description of a node, in lines. */
export function describe(node: GraphNode): string[] {
  const called = [node.operation, node.callee].filter((it) => it !== undefined && it !== '').join(' ');
  const first = node.name === '' ? called : called === '' ? node.name : `${node.name} = ${called}`;
  const args = node.arguments.map(({ name, value }) => (name === '' ? value : `${name}=${value}`));
  const weights = node.weights.map(({ argument, description }) => (argument === '' ? description : `${argument} = ${description}`));
  return [first, node.structInfo, ...weights, args.join(', '), changed(node), hidden(node)].filter((it) => it !== '');
}

function changed({ change }: GraphNode): string {
  if (change === undefined) return '';
  return [change.kind, change.parts.join(', ')].filter((it) => it !== '').join(': ');
}

function hidden({ omitted: { inputs, outputs } }: GraphNode): string {
  const parts = [inputs > 0 && `${inputs} inputs`, outputs > 0 && `${outputs} uses`].filter((it) => it !== false);
  return parts.length === 0 ? '' : `not shown: ${parts.join(', ')}`;
}
