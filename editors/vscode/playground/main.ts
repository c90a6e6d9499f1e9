// The playground: connects the editor, the server, and the views beside the editor.

import { formatDocument } from '@codemirror/lsp-client';
import { Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { GraphFollower } from '../src/graph/follower';
import { SHOW_GRAPH } from '../src/graph/graph';
import type { FromGraphPage, ToGraphPage } from '../src/graph/messages';
import type { FromPage, ToPage } from '../src/panel/messages';
import { PanelTalk } from '../src/panel/talk';
import { type Position, type Range, RUN, TRACE } from '../src/protocol';
import { FormMemory } from '../src/runs/memory';
import { Runs } from '../src/runs/runs';
import { byId, download, h, say } from '../webview/elements';
import { askAgain } from './asker';
import { DOCUMENT, type Open, asking, client as newClient, connect } from './connection';
import { editor } from './editor';
import { EXAMPLES } from './examples';
import { Explanation } from './explain';
import { hints } from './hints';
import { type Act, Runnables } from './lenses';
import { Passes } from './passes';
import { focusFix, problems } from './problems';
import { packed, unpacked } from './share';
import { dress, toggle } from './theme';
import { tokens } from './tokens';
import { Frame, Views } from './views';

/** The key under which the program is stored when the tab reloads. */
const KEPT = 'program';
/** The entry in the list of examples for the user's own program. */
const OWN = '';

export async function main(open: Open): Promise<void> {
  dress(document);
  const shared = await unpacked(location.hash);
  const program = shared ?? sessionStorage.getItem(KEPT) ?? EXAMPLES[0].program;
  const client = newClient();
  const ask = asking(client);

  const views = new Views(byId('views').parentElement?.querySelector('.tabs') as HTMLElement, byId('views'));
  const runs = new Runs({ ask, defaults: () => ({ dim: 4, seed: 0 }), warn: say }, new FormMemory(store()));
  const goTo = async (_: string, range: Range): Promise<void> => select(view, range);
  const copy = async (text: string, told: string): Promise<void> => {
    await navigator.clipboard.writeText(text);
    say(told);
  };
  const panel: Frame<ToPage, FromPage> = new Frame('Run', 'panel', '▶ Run computes a function here, on generated inputs: values, statistics, a heat map.', (message) => void talk.hear(message));
  const talk = new PanelTalk(runs, {
    post: (message) => panel.post(message),
    goTo,
    copy,
    copyLarge: async () => say('The tensor is too large to be copied as text.'),
  });
  const graphFrame: Frame<ToGraphPage, FromGraphPage> = new Frame('Graph', 'graph', 'Graph draws here what a function computes from what.', (message) => void graph.hear(message));
  const graph = new GraphFollower({ ask, post: (message) => graphFrame.post(message), visible: () => views.current === graphFrame.name, cursor: () => cursor(view), goTo, copy, save: async (name, url) => download(name, url), traced: () => runs.shown?.result.trace?.bindings ?? [] });
  const explanation = new Explanation();
  const explain = (code: string): void => {
    views.show(explanation.name);
    void explanation.load(code);
  };
  views.add(panel);
  views.add(Object.assign(graphFrame, { shown: () => graph.shown() }));
  views.add(explanation);
  let started: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (started = resolve));
  views.add(new Passes({ client, ask, ready, edit: (program) => put(program) }));
  runs.onDidChange(() => void talk.tell());
  runs.onDidEnd(() => view.dispatch({ effects: askAgain.of() }));

  const act: Act = (command, target) => {
    if (command === SHOW_GRAPH) {
      views.show(graphFrame.name);
      graphFrame.open();
      void graph.show({ uri: DOCUMENT, function: target.function, line: target.line, position: cursor(view) });
    } else {
      views.show(panel.name);
      panel.open();
      runs.about(target);
      void runs.start(command === RUN ? 'run' : 'trace');
    }
  };
  const runnables = new Runnables();
  const atCursor = (command: Parameters<Act>[0]): boolean => {
    const target = runnables.at(cursor(view).line);
    if (target === undefined) say('There is no Relax function here.');
    else act(command, target);
    return true;
  };

  const list = byId('problems');
  const example = byId('example') as HTMLSelectElement;
  const keys = keymap.of([
    { key: 'Mod-Enter', run: () => atCursor(RUN), shift: () => atCursor(TRACE) },
    { key: 'Mod-.', run: () => (focusFix(list, cursor(view).line), true) },
  ]);
  const follow = EditorView.updateListener.of(({ docChanged, changes, startState, selectionSet, state }) => {
    if (docChanged) {
      const text = state.doc.toString();
      sessionStorage.setItem(KEPT, text);
      example.value = exampleOf(text);
      changes.iterChanges((from, to, _, __, inserted) => {
        const line = (at: number): number => startState.doc.lineAt(at).number - 1;
        graph.edited(DOCUMENT, [{ start: line(from), end: line(to), text: inserted.toString() }]);
      });
    }
    if (docChanged || selectionSet) graph.follow(DOCUMENT, cursor({ state }));
  });
  const asked = [problems({ list, explain }), hints, tokens, runnables.lenses(act)];
  const view = editor(byId('editor'), program, [Prec.high(keys), client.plugin(DOCUMENT, 'python'), asked, follow]);
  view.focus();

  const put = (text: string): void => {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
  };
  example.append(...EXAMPLES.map(({ title }, at) => h('option', { value: at }, title)), h('option', { value: OWN, hidden: true }, 'Your own'));
  example.value = exampleOf(program);
  example.addEventListener('change', () => {
    put(EXAMPLES[Number(example.value)]?.program ?? '');
    view.focus();
  });
  addEventListener('hashchange', () => void unpacked(location.hash).then((text) => text !== undefined && put(text)));
  press('run', () => atCursor(RUN));
  press('trace', () => atCursor(TRACE));
  press('graph', () => atCursor(SHOW_GRAPH));
  press('format', () => formatDocument(view));
  press('theme', toggle);
  press('share', async () => {
    const hash = await packed(view.state.doc.toString());
    history.replaceState(undefined, '', hash);
    await copy(location.href, 'Link copied: it holds the program.');
  });
  await connect(client, open, () => {
    byId('gone').hidden = false;
    runs.forget();
  });
  view.dispatch({ effects: askAgain.of() });
  started();
}

function exampleOf(program: string): string {
  const at = EXAMPLES.findIndex((it) => it.program === program);
  return at < 0 ? OWN : String(at);
}

function press(id: string, act: () => unknown): void {
  byId(id).addEventListener('click', () => void act());
}

function cursor({ state }: Pick<EditorView, 'state'>): Position {
  const line = state.doc.lineAt(state.selection.main.head);
  return { line: line.number - 1, character: state.selection.main.head - line.from };
}

function select(view: EditorView, { start, end }: Range): void {
  const { doc } = view.state;
  const offset = ({ line, character }: Position): number => {
    const { from, to } = doc.line(Math.min(line + 1, doc.lines));
    return Math.min(from + character, to);
  };
  view.dispatch({ selection: { anchor: offset(start), head: offset(end) }, effects: EditorView.scrollIntoView(offset(start), { y: 'center' }) });
  view.focus();
}

/** Values typed for each function, kept until the tab is closed. */
function store(): ConstructorParameters<typeof FormMemory>[0] {
  return {
    get: (key) => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined,
    update: async (key, value) => sessionStorage.setItem(key, JSON.stringify(value)),
  };
}
