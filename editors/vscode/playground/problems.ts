// Diagnostics: underlined in the editor, and listed below it with their fixes.

import { type Diagnostic as Underline, setDiagnostics } from '@codemirror/lint';
import type { LSPPlugin } from '@codemirror/lsp-client';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { CodeAction, Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver-protocol';
import { h } from '../webview/elements';
import { asker } from './asker';
import { DOCUMENT, request } from './connection';

const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;
/** A longer list is cut, and the rest is counted. */
const MOST = 100;

interface Problem {
  diagnostic: Diagnostic;
  fixes: readonly CodeAction[];
}

async function ask(plugin: LSPPlugin, signal: AbortSignal): Promise<Problem[]> {
  const textDocument = { uri: DOCUMENT };
  const report = await request<DocumentDiagnosticReport>(plugin.client, 'textDocument/diagnostic', { textDocument }, signal);
  const diagnostics = report.kind === 'full' ? report.items : [];
  if (diagnostics.length === 0) return [];
  const { doc } = plugin.view.state;
  const range = { start: { line: 0, character: 0 }, end: plugin.toPosition(doc.length, doc) };
  const context = { diagnostics, only: ['quickfix'] };
  const actions = await request<CodeAction[] | null>(plugin.client, 'textDocument/codeAction', { textDocument, range, context }, signal);
  return diagnostics.map((diagnostic) => ({ diagnostic, fixes: (actions ?? []).filter((it) => ends(it, diagnostic)) }));
}

function ends({ diagnostics, edit }: CodeAction, diagnostic: Diagnostic): boolean {
  const key = JSON.stringify([diagnostic.code, diagnostic.range]);
  return edit !== undefined && (diagnostics ?? []).some((it) => JSON.stringify([it.code, it.range]) === key);
}

/** The element with the list, and a callback that opens the page of a code. */
export interface Shown {
  list: HTMLElement;
  explain(code: string): void;
}

export function problems({ list, explain }: Shown): Extension {
  const show = (found: readonly Problem[], plugin: LSPPlugin, view: EditorView): void => {
    const underlines = found.map((problem) => underline(problem, plugin, view)).sort((one, other) => one.from - other.from);
    view.dispatch(setDiagnostics(view.state, underlines));
    const rows = found.slice(0, MOST).map((problem) => row(problem, plugin, view, explain));
    const more = found.length > MOST ? [h('li', {}, `and ${found.length - MOST} more`)] : [];
    const focused = list.contains(document.activeElement);
    list.replaceChildren(...(rows.length === 0 ? [h('li', { class: 'none' }, 'No problems.')] : rows), ...more);
    // The pressed button disappears together with its problem.
    if (focused) view.focus();
  };
  return asker({ rest: 80, ask: (plugin, _, signal) => ask(plugin, signal) }, show);
}

function underline({ diagnostic, fixes }: Problem, plugin: LSPPlugin, view: EditorView): Underline {
  const { range } = diagnostic;
  return {
    from: plugin.fromPosition(range.start),
    to: plugin.fromPosition(range.end),
    severity: severityOf(diagnostic),
    message: messageOf(diagnostic),
    actions: fixes.slice(0, 3).map((fix) => ({ name: fix.title, apply: () => apply(fix, plugin, view) })),
  };
}

function severityOf({ severity }: Diagnostic): (typeof SEVERITIES)[number] {
  return SEVERITIES[(severity ?? 1) - 1] ?? 'error';
}

function messageOf({ message }: Diagnostic): string {
  return typeof message === 'string' ? message : message.value;
}

function row({ diagnostic, fixes }: Problem, plugin: LSPPlugin, view: EditorView, explain: (code: string) => void): HTMLElement {
  const { range, code } = diagnostic;
  const go = (): void => {
    view.dispatch({ selection: { anchor: plugin.fromPosition(range.start) }, scrollIntoView: true });
    view.focus();
  };
  const severity = severityOf(diagnostic);
  const page = typeof code === 'string' ? h('button', { class: 'link code', title: 'What it means', click: () => explain(code) }, code) : undefined;
  const buttons = fixes.map((fix) => h('button', { class: 'secondary fix', click: () => apply(fix, plugin, view) }, fix.title));
  return h(
    'li',
    { class: severity, 'data-line': range.start.line },
    h('button', { class: 'link', title: 'Go there', click: go }, h('span', { class: 'mark' }, severity), ` line ${range.start.line + 1}`),
    h('span', { class: 'message' }, messageOf(diagnostic)),
    page,
    ...buttons,
  );
}

/** Focuses the first fix of a problem on the line, or the first of all. */
export function focusFix(list: HTMLElement, line: number): void {
  const here = list.querySelector<HTMLElement>(`li[data-line="${line}"] .fix`);
  (here ?? list.querySelector<HTMLElement>('.fix'))?.focus();
}

/** The edit applies to the text in which the problem was found. */
function apply({ edit }: CodeAction, plugin: LSPPlugin, view: EditorView): void {
  const edits = edit?.changes?.[DOCUMENT] ?? [];
  const changes = edits.map(({ range, newText }) => ({ from: plugin.fromPosition(range.start), to: plugin.fromPosition(range.end), insert: newText }));
  view.dispatch({ changes, userEvent: 'input.fix' });
  view.focus();
}
