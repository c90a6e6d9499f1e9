// “Open Pass Timeline”: shows the passes of a compilation as a tree in the side bar. Enter opens a stage; two stages,
// or one function of them, are compared in VS Code's diff editor.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { ExecuteCommandRequest, ProgressType } from 'vscode-languageclient/node';
import type { Server } from '../client';
import type { GraphPanel } from '../graph/panel';
import { isObject, text } from '../protocol';
import { FunctionTexts, rangeOf } from './functionTexts';
import { PassPage } from './page';
import { type Mark, type Ran, type Row, type Stage, type Timeline, PASSES, descriptionOf, headlineOf, isDump, markOf, readTimeline, rowsBelow, toldOf, withPart } from './timeline';

const VIEW = 'relax.timeline';
/** The pause after a dump is written before it is read, in milliseconds. */
const QUIET = 500;

const ICONS: Readonly<Record<Mark, vscode.ThemeIcon>> = {
  unread: new vscode.ThemeIcon('loading~spin'),
  'other values': new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('list.errorForeground')),
  'ill-formed': new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
  changed: new vscode.ThemeIcon('circle-filled'),
  unchanged: new vscode.ThemeIcon('circle-outline'),
  partial: new vscode.ThemeIcon('circle-slash'),
  first: new vscode.ThemeIcon('debug-start'),
};

export class TimelineView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #server: () => Server | undefined;
  readonly #graph: GraphPanel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #tree: vscode.TreeView<Row>;
  readonly #parts: vscode.Disposable[];
  readonly #texts = new FunctionTexts();
  readonly #page = new PassPage();
  #folder: vscode.Uri | undefined;
  #timeline: Timeline | undefined;
  #watcher: vscode.FileSystemWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Counts the requests, to ignore parts of earlier answers. */
  #asked = 0;
  /** Folders whose timeline was offered. */
  readonly #offered = new Set<string>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(server: () => Server | undefined, graph: GraphPanel) {
    this.#server = server;
    this.#graph = graph;
    this.#tree = vscode.window.createTreeView(VIEW, { treeDataProvider: this, canSelectMany: true, showCollapseAll: true });
    const command = (name: string, run: (row?: Row, all?: Row[]) => unknown): vscode.Disposable => vscode.commands.registerCommand(name, run);
    this.#parts = [
      this.#changed,
      this.#tree,
      this.#texts,
      this.#page,
      this.#tree.onDidChangeSelection(({ selection: [row] }) => {
        if (row !== undefined && row.kind !== 'idle') this.#page.reveal(row.stage);
      }),
      vscode.commands.registerCommand('relax.openTimeline', (folder?: unknown) => this.open(folder instanceof vscode.Uri ? folder : undefined)),
      command('relax.refreshTimeline', () => this.#read(this.#page.isOpen)),
      command('relax.showPassPage', () => this.#read(true)),
      vscode.commands.registerCommand('relax.comparePass', (side: 'before' | 'after', at: number, line: number) => this.#comparePass(side, at, line)),
      command('relax.runStages', () => this.#run()),
      command('relax.showStage', (row) => this.#show(row)),
      command('relax.compareWithPrevious', (row) => this.#compareWithPrevious(row)),
      command('relax.compareFunction', (row) => this.#compareFunction(row)),
      command('relax.compareGraphs', (row) => this.#compareGraphs(row)),
      command('relax.compareStages', (row, all) => this.#compareTwo(row, all)),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watcher?.dispose();
    for (const part of this.#parts) part.dispose();
  }

  get timeline(): Timeline | undefined {
    return this.#timeline;
  }

  /** The explorer gives a folder. Otherwise, it is the folder of the active dump, or one that the user picks. */
  async open(of: vscode.Uri | undefined): Promise<Timeline | undefined> {
    const folder = of ?? (await this.#askForFolder());
    if (folder === undefined) return undefined;
    if (folder.toString() !== this.#folder?.toString()) this.#put(undefined);
    this.#folder = folder;
    this.#offered.add(folder.toString());
    this.#watch(folder);
    await vscode.commands.executeCommand('setContext', 'relax.timeline', true);
    await this.#server()?.start();
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    await this.#read(true);
    const [first] = this.#timeline === undefined ? [] : rowsBelow(this.#timeline);
    if (first !== undefined) await this.#tree.reveal(first, { focus: true });
    return this.#timeline;
  }

  /** Offers the timeline once for each folder of dumps. */
  async offer(folder: vscode.Uri): Promise<void> {
    if (this.#offered.has(folder.toString())) return;
    this.#offered.add(folder.toString());
    const entries = await vscode.workspace.fs.readDirectory(folder).then(undefined, () => []);
    if (entries.filter(([name]) => isDump(`/${name}`)).length < 2) return;
    const choice = await vscode.window.showInformationMessage(`“${path.posix.basename(folder.path)}” holds the passes of a compilation.`, 'Open Pass Timeline');
    if (choice !== undefined) await this.open(folder);
  }

  getChildren(row?: Row): Row[] {
    return this.#timeline === undefined ? [] : rowsBelow(this.#timeline, row);
  }

  getParent(): undefined {
    // Only the outermost rows are revealed.
    return undefined;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    if (row.kind === 'idle') {
      const names = row.stages.map((at) => this.#stage(at)?.pass ?? '');
      const item = new vscode.TreeItem(`${names.length} unchanged`, Collapsed);
      item.description = names.join(', ');
      return item;
    }
    const open: vscode.Command = { command: 'relax.showStage', title: 'Show', arguments: [row] };
    if (row.kind === 'function') {
      const { name, what } = headlineOf(row.changed);
      const item = new vscode.TreeItem(name, None);
      Object.assign(item, { description: what, iconPath: new vscode.ThemeIcon('symbol-function'), contextValue: 'function', command: { ...open, command: 'relax.compareFunction' } });
      return item;
    }
    const stage = this.#stage(row.stage);
    if (stage === undefined) return new vscode.TreeItem('', None);
    const below = this.getChildren(row).length > 0;
    // The sequence of a whole phase is expanded.
    const isOutermost = stage.parent === undefined && this.getChildren(row).some((it) => it.kind === 'stage');
    const item = new vscode.TreeItem(stage.label, isOutermost ? Expanded : below ? Collapsed : None);
    const ran = this.#timeline?.runs?.stages[row.stage];
    const [mark, description] = [markOf(stage, ran), descriptionOf(stage, ran)];
    Object.assign(item, { description, iconPath: ICONS[mark], tooltip: tooltip(stage, mark, ran), command: open });
    item.contextValue = stage.before === undefined ? 'first stage' : 'stage';
    item.accessibilityInformation = { label: `${stage.label}, ${mark}, ${description}` };
    return item;
  }

  #stage(at: number | undefined): Stage | undefined {
    return at === undefined ? undefined : this.#timeline?.stages[at];
  }

  async #askForFolder(): Promise<vscode.Uri | undefined> {
    const here = vscode.window.activeTextEditor?.document.uri;
    if (here?.scheme === 'file' && isDump(here.path)) return vscode.Uri.joinPath(here, '..');
    const options = { title: 'A folder of dumps', canSelectFiles: false, canSelectFolders: true, openLabel: 'Open Pass Timeline' };
    return (await vscode.window.showOpenDialog(options))?.[0];
  }

  #watch(folder: vscode.Uri): void {
    this.#watcher?.dispose();
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*.py'));
    const soon = (): void => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#read(this.#page.isOpen), QUIET);
    };
    watcher.onDidChange(soon);
    watcher.onDidCreate(soon);
    watcher.onDidDelete(soon);
    this.#watcher = watcher;
  }

  /** Shows the passes at once, and each stage as soon as it is read; then the page. */
  async #read(page: boolean): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return;
    const token = `relax/passes/${++this.#asked}`;
    const isNewest = (): boolean => token === `relax/passes/${this.#asked}`;
    const known = this.#timeline;
    let read: Timeline | undefined;
    const take = (part: unknown): void => {
      if (!isNewest()) return;
      read = withPart(read, part);
      // The shown stages stay until all are read again.
      if (known === undefined) this.#put(read);
    };
    try {
      const answer = await this.#ask({ partialResultToken: token, page }, take);
      if (answer === undefined || !isNewest()) return;
      const rest = readTimeline(answer);
      this.#put(rest === undefined ? undefined : { ...rest, stages: read?.stages ?? rest.stages });
      this.#tree.message = '';
      this.#showPage(answer);
    } catch (error) {
      if (!isNewest()) return;
      this.#put(undefined);
      this.#tree.message = error instanceof Error ? error.message : String(error);
    }
  }

  /** Runs all stages on the same inputs, and marks those whose values differ. */
  async #run(): Promise<void> {
    try {
      const answer = await this.#ask({ run: {}, page: this.#page.isOpen });
      const timeline = answer === undefined ? undefined : readTimeline(answer);
      if (timeline === undefined) return;
      this.#put(timeline);
      this.#showPage(answer);
      const told = toldOf(timeline);
      const first = timeline.runs?.first;
      if (first === undefined) {
        void vscode.window.showInformationMessage(told);
        return;
      }
      const choice = await vscode.window.showWarningMessage(told, 'Show Difference');
      const [before, after] = [timeline.stages[first.before], timeline.stages[first.stage]];
      if (choice !== undefined && before !== undefined && after !== undefined) await this.#texts.compare(before, after, first.binding?.range);
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }

  /** Requests the answer about the folder; `take` gets the parts that are sent before it. */
  async #ask(more: { partialResultToken?: string; run?: object; page: boolean }, take?: (part: unknown) => void): Promise<unknown> {
    const [folder, client] = [this.#folder, this.#server()?.client];
    if (folder === undefined) return undefined;
    if (client === undefined) {
      void vscode.window.showErrorMessage('The Relax server is not running.');
      return undefined;
    }
    const token = more.partialResultToken;
    const parts = token === undefined || take === undefined ? undefined : client.onProgress(new ProgressType<unknown>(), token, take);
    try {
      const argument = { uri: client.code2ProtocolConverter.asUri(folder), ...more };
      const ask = (): Promise<unknown> => client.sendRequest(ExecuteCommandRequest.type, { command: PASSES, arguments: [argument] });
      return await vscode.window.withProgress({ location: { viewId: VIEW } }, ask);
    } finally {
      parts?.dispose();
    }
  }

  #put(timeline: Timeline | undefined): void {
    this.#timeline = timeline;
    this.#tree.description = path.posix.basename(this.#folder?.path ?? '');
    this.#changed.fire();
  }

  #showPage(answer: unknown): void {
    const page = isObject(answer) ? text(answer.page) : undefined;
    if (page !== undefined) this.#page.show(page);
  }

  async #show(row: Row | undefined): Promise<void> {
    const at = row ?? this.#tree.selection[0];
    const stage = at === undefined || at.kind === 'idle' ? undefined : this.#stage(at.stage);
    if (stage === undefined) return;
    const [error] = stage.errors;
    const selection = error === undefined ? undefined : rangeOf(error.range);
    await vscode.window.showTextDocument(vscode.Uri.parse(stage.uri), { preserveFocus: true, ...(selection && { selection }) });
  }

  async #compareWithPrevious(given: Row | undefined): Promise<void> {
    const row = given ?? this.#tree.selection[0];
    if (row === undefined || row.kind === 'idle') return;
    const stage = this.#stage(row.stage);
    const before = this.#stage(stage?.before);
    if (stage === undefined || before === undefined) {
      void vscode.window.showInformationMessage('This is the first stage.');
      return;
    }
    const changed = row.kind === 'function' ? row.changed : stage.changed[0];
    await this.#texts.compare(before, stage, (changed?.after ?? changed?.before)?.range);
  }

  /** Compares a stage with the one before it, at a line of either. */
  async #comparePass(side: 'before' | 'after', at: number, line: number): Promise<void> {
    const stage = this.#stage(at);
    const before = this.#stage(stage?.before);
    if (stage === undefined || before === undefined) return;
    const range = { start: { line, character: 0 }, end: { line, character: 0 } };
    await this.#texts.compare(before, stage, range, side);
  }

  /** Compares one function before and after its pass. A new function is compared with the functions it was made from. */
  async #compareFunction(given: Row | undefined): Promise<void> {
    const row = given ?? this.#tree.selection[0];
    const stage = row?.kind === 'function' ? this.#stage(row.stage) : undefined;
    const before = this.#stage(stage?.before);
    if (row?.kind !== 'function' || stage === undefined || before === undefined) return;
    await this.#texts.compareFunction({ stage: before, side: row.changed.before }, { stage, side: row.changed.after });
  }

  /** Draws one graph of a function, with the nodes that the pass added, changed and removed. */
  async #compareGraphs(given: Row | undefined): Promise<void> {
    const row = given ?? this.#tree.selection[0];
    const stage = row?.kind === 'function' ? this.#stage(row.stage) : undefined;
    const [before, after] = [this.#stage(stage?.before), row?.kind === 'function' ? row.changed.after : undefined];
    if (stage === undefined || before === undefined || after === undefined) return;
    await this.#graph.compare(before.uri, stage.uri, after.name, after.range.start.line);
  }

  /** Compares the two selected stages, or two that the user picks. */
  async #compareTwo(row: Row | undefined, all: readonly Row[] | undefined): Promise<void> {
    const selected = (all ?? this.#tree.selection).filter((it) => it.kind === 'stage').map((it) => it.stage);
    let [one, other] = selected.length === 2 ? selected : [row?.kind === 'stage' ? row.stage : undefined];
    one ??= await this.#pick('The stage before');
    if (one === undefined) return;
    other ??= await this.#pick('The stage after');
    const [before, after] = [this.#stage(Math.min(one, other ?? one)), this.#stage(Math.max(one, other ?? one))];
    if (other !== undefined && before !== undefined && after !== undefined) await this.#texts.compare(before, after, undefined);
  }

  async #pick(title: string): Promise<number | undefined> {
    const stages = this.#timeline?.stages ?? [];
    const items = stages.map((stage, at) => ({ label: stage.label, description: descriptionOf(stage), at }));
    return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.at;
  }
}

function tooltip(stage: Stage, mark: Mark, ran: Ran | undefined): vscode.MarkdownString {
  const [relax, prim, bindings, operators, calls] = stage.counts;
  const text = new vscode.MarkdownString().appendText(`${stage.label} (${mark})`).appendMarkdown('\n\n');
  text.appendMarkdown(`${relax} Relax functions, ${prim} PrimFuncs, ${bindings} bindings, ${operators} operators, ${calls} calls\n\n`);
  if (stage.plannedBytes !== undefined && stage.storages > 0) text.appendMarkdown(`${stage.plannedBytes} bytes planned in ${stage.storages} storages\n\n`);
  if (typeof ran === 'object') text.appendText(`Does not run: ${ran.why}`);
  for (const error of stage.errors.slice(0, 3)) {
    text.appendText(`${error.message} [${error.code}]`);
    text.appendMarkdown('\n\n');
  }
  return text;
}
