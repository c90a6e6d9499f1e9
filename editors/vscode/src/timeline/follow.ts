// “Follow Value Forward” and “Back”: goes from a binding to what it becomes in the next stage, or was in the previous
// one. If two stages are visible, the lines that correspond to the cursor's line are marked in the other one.

import * as vscode from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import type { Server } from '../client';
import { goTo } from '../panel/goTo';
import { FOLLOW, type Following, type Place, nameOf, obvious, readFollowing, told } from './following';
import { type Timeline, isDump, nextChange } from './timeline';

/** The pause after a move of the cursor before lines are marked, in milliseconds. */
const REST = 120;
/** The duration of the message in the status bar, in milliseconds. */
const SHOWN = 10_000;

export class Follower implements vscode.Disposable {
  readonly #client: () => Server['client'];
  readonly #timeline: () => Timeline | undefined;
  readonly #parts: vscode.Disposable[];
  readonly #mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  #timer: NodeJS.Timeout | undefined;
  #asked = 0;

  constructor(client: () => Server['client'], timeline: () => Timeline | undefined) {
    this.#client = client;
    this.#timeline = timeline;
    this.#parts = [
      this.#mark,
      vscode.commands.registerCommand('relax.followForward', () => this.follow(false)),
      vscode.commands.registerCommand('relax.followBack', () => this.follow(true)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (kind !== undefined) this.#markSoon(textEditor);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const part of this.#parts) part.dispose();
  }

  async follow(back: boolean): Promise<Following | undefined> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return undefined;
    const timeline = this.#timeline();
    const to = timeline === undefined ? undefined : nextChange(timeline, editor.document.uri.toString(), back);
    try {
      const following = await this.#ask(editor, back, to);
      if (following === undefined) return undefined;
      vscode.window.setStatusBarMessage(told(following), SHOWN);
      const place = obvious(following) ?? (await pick(following));
      if (place !== undefined) await goTo(place.uri, { start: place.range.start, end: place.range.start });
      return following;
    } catch (error) {
      vscode.window.setStatusBarMessage(error instanceof Error ? error.message : String(error), SHOWN);
      return undefined;
    }
  }

  async #ask({ document, selection }: vscode.TextEditor, back: boolean, to: string | undefined): Promise<Following | undefined> {
    const client = this.#client();
    if (client === undefined) return undefined;
    const argument = { uri: client.code2ProtocolConverter.asUri(document.uri), position: selection.active, back, ...(to && { to }) };
    return readFollowing(await client.sendRequest(ExecuteCommandRequest.type, { command: FOLLOW, arguments: [argument] }));
  }

  #markSoon(editor: vscode.TextEditor): void {
    const uri = editor.document.uri.toString();
    if (!isDump(editor.document.uri.path)) return;
    const other = vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() !== uri && sameFolder(it, editor));
    if (other === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#markIn(editor, other), REST);
  }

  /** Marks the lines of one stage that correspond to the cursor's line in another. */
  async #markIn(editor: vscode.TextEditor, other: vscode.TextEditor): Promise<void> {
    const asked = ++this.#asked;
    const to = other.document.uri.toString();
    const back = to < editor.document.uri.toString();
    // A line without an answer has no marks.
    const following = await this.#ask(editor, back, to).catch(() => undefined);
    if (asked !== this.#asked) return;
    const places = following?.places ?? [];
    const marks = places.map(({ range: { start, end }, relation }) => ({
      range: new vscode.Range(start.line, 0, end.line, 0),
      hoverMessage: relation,
    }));
    editor.setDecorations(this.#mark, []);
    other.setDecorations(this.#mark, marks);
    const [first] = marks;
    if (first !== undefined) other.revealRange(first.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

function sameFolder(one: vscode.TextEditor, other: vscode.TextEditor): boolean {
  const folder = (editor: vscode.TextEditor): string => vscode.Uri.joinPath(editor.document.uri, '..').toString();
  return folder(one) === folder(other) && isDump(one.document.uri.path);
}

async function pick(following: Following): Promise<Place | undefined> {
  if (following.places.length === 0) return undefined;
  const items = following.places.map((place) => ({ label: nameOf(place), description: `${place.relation} ${place.function}`, detail: place.text, place }));
  return (await vscode.window.showQuickPick(items, { title: `${nameOf(following.origin)} became`, matchOnDescription: true }))?.place;
}
