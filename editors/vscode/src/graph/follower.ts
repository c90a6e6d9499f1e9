// Keeps the graph of a function in step with its source: an edit redraws it, the binding at the cursor is marked, and a
// node leads to its line. Knows no editor.

import type { Ask, Position, Range, TracedBinding } from '../protocol';
import { fileName } from '../results';
import { COST, DIFF, type Graph, SHOW_GRAPH, nodeAt, readGraph, shiftedLine } from './graph';
import type { FromGraphPage, ToGraphPage } from './messages';

/** Larger graphs are neither requested nor laid out as a whole. */
const LIMIT = 400;
/** The limit if most nodes are inside closed boxes. */
const LIMIT_IN_BOXES = 10_000;
/** The pause in typing before a redraw, in milliseconds. If answers take longer, waits as long as the last one took. */
const REST = 200;
const LONGEST_REST = 3000;

/** The function that is drawn. */
export interface GraphSubject {
  uri: string;
  function: string;
  /** The line of the `def`, from 0. */
  line: number;
  /** The position around which a part of a large graph is shown. */
  position: Position;
  /** The module that the function is compared with. */
  before?: string;
}

/** The part of the editor that the graph needs. */
export interface GraphHost {
  ask: Ask;
  post(message: ToGraphPage): void;
  /** Whether the page is visible. */
  visible(): boolean;
  /** The cursor's position in a document, if the document is visible. */
  cursor(uri: string): Position | undefined;
  goTo(uri: string, range: Range): Promise<void>;
  copy(text: string, told: string): Promise<void>;
  /** Writes what a data URL holds to a file that the user chooses. */
  save(name: string, url: string): Promise<void>;
  /** The bindings of a document's last traced run, if the text has not changed since. */
  traced(uri: string): readonly TracedBinding[];
}

/** An edit, in lines of the text before it. */
export interface LineEdit {
  start: number;
  end: number;
  text: string;
}

export class GraphFollower {
  readonly #host: GraphHost;
  #subject: GraphSubject | undefined;
  #graph: Graph | undefined;
  #asked: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The duration of the last request, in milliseconds. */
  #took = 0;
  /** Whether something has changed while the page was hidden. */
  #stale = false;

  constructor(host: GraphHost) {
    this.#host = host;
  }

  get graph(): Graph | undefined {
    return this.#graph;
  }

  async show(subject: GraphSubject): Promise<void> {
    this.#subject = subject;
    this.#graph = undefined;
    await this.#draw();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#subject = undefined;
  }

  /** The page has become visible. */
  shown(): void {
    if (this.#stale) this.drawSoon();
  }

  drawSoon(): void {
    clearTimeout(this.#timer);
    const rest = Math.min(LONGEST_REST, Math.max(REST, this.#took));
    this.#timer = setTimeout(() => void this.#draw(), rest);
  }

  async #draw(): Promise<void> {
    const subject = this.#subject;
    if (subject === undefined) return;
    this.#stale = !this.#host.visible();
    if (this.#stale) return;
    this.#asked?.abort();
    const asked = new AbortController();
    this.#asked = asked;
    const before = performance.now();
    const late = (): boolean => asked.signal.aborted || this.#subject !== subject;
    try {
      const { uri, before: earlier, function: name } = subject;
      const limits = { limit: LIMIT, limitInBoxes: LIMIT_IN_BOXES };
      const answer =
        earlier === undefined
          ? this.#host.ask(SHOW_GRAPH, { ...subject, ...limits }, asked.signal)
          : this.#host.ask(DIFF, { before: earlier, after: uri, function: name, graph: true, ...limits }, asked.signal);
      if (answer === undefined) throw new Error('The Relax server is not running.');
      const graph = readGraph(await answer);
      if (late() || graph === undefined) return;
      this.#took = performance.now() - before;
      subject.line = graph.line;
      this.#graph = graph;
      this.#tell();
    } catch (error) {
      // An edit makes earlier answers obsolete, and redraws the graph itself.
      if (!late()) this.#host.post({ kind: 'problem', message: error instanceof Error ? error.message : String(error) });
    }
  }

  #tell(): void {
    if (this.#graph === undefined || this.#subject === undefined) return;
    this.#host.post({ kind: 'graph', file: fileName(this.#subject.uri), graph: this.#graph });
    const cursor = this.#host.cursor(this.#subject.uri);
    if (cursor !== undefined) this.#mark(nodeAt(this.#graph, cursor));
  }

  /** Requests the costs and times of the bindings. */
  async #measure(): Promise<void> {
    const [subject, graph] = [this.#subject, this.#graph];
    if (subject === undefined || graph === undefined) return;
    // There are no costs for a stage without an editor, or for a function that cannot be lowered.
    const costs = await this.#host.ask(COST, { uri: subject.uri, function: subject.function })?.catch(() => undefined);
    if (this.#graph !== graph) return;
    this.#host.post({ kind: 'measures', costs, traced: this.#host.traced(subject.uri) });
  }

  #mark(node: number | undefined): void {
    this.#host.post(node === undefined ? { kind: 'mark' } : { kind: 'mark', node });
  }

  edited(uri: string, edits: readonly LineEdit[]): void {
    const subject = this.#subject;
    if (subject === undefined || uri !== subject.uri || edits.length === 0) return;
    for (const { start, end, text } of edits) subject.line = shiftedLine(subject.line, start, end, text.split('\n').length - 1);
    this.drawSoon();
  }

  /** The cursor has moved. */
  follow(uri: string, position: Position): void {
    const [subject, graph] = [this.#subject, this.#graph];
    if (subject === undefined || graph === undefined || uri !== subject.uri) return;
    subject.position = position;
    const node = nodeAt(graph, position);
    this.#mark(node);
    const { start, end } = graph.range;
    const partly = graph.nodes.length < graph.total;
    if (node === undefined && partly && position.line >= start.line && position.line <= end.line) this.drawSoon();
  }

  async hear(message: FromGraphPage): Promise<void> {
    const subject = this.#subject;
    if (message.kind === 'ready') return this.#tell();
    if (subject === undefined || this.#graph === undefined) return;
    if (message.kind === 'measure') return await this.#measure();
    if (message.kind === 'save') return await this.#host.save(message.name, message.url);
    if (message.kind === 'copy') return this.#host.copy(this.#graph.dot, 'Copied as DOT');
    const line: Range = { start: { line: subject.line, character: 0 }, end: { line: subject.line, character: 0 } };
    const node = message.kind === 'go' ? this.#graph.nodes[message.node] : undefined;
    if (message.kind === 'go' && message.centre && node !== undefined) {
      subject.position = node.selection.start;
      await this.#draw();
    }
    const isGone = node?.change?.kind === 'removed';
    await this.#host.goTo((isGone ? subject.before : undefined) ?? subject.uri, node?.selection ?? line);
  }
}
