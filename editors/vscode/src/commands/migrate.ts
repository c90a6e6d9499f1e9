// “Migrate File to TVM…” and “Migrate Workspace to TVM…”: the edits apply as one step of Undo, and the results list what
// has no equivalent.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { MIGRATE, leftLines, migration, outcome, releasesOf } from '../migration';
import { releaseChoices } from '../release';
import { editorInMind } from './editorInMind';

interface Host {
  client: LanguageClient | undefined;
  extension: vscode.Extension<unknown>;
  results: vscode.OutputChannel;
}

/** A keybinding may give the release. */
export async function migrate({ client, extension, results }: Host, whole: boolean, given: unknown): Promise<void> {
  const document = whole ? undefined : (await editorInMind())?.document;
  if (client === undefined || (document === undefined && !whole)) return;
  const to = typeof given === 'string' ? given : await choose(extension, whole);
  if (to === undefined) return;
  const asked = document?.version;
  const argument = { to, uri: document?.uri.toString() };
  const found = migration(await client.sendRequest('workspace/executeCommand', { command: MIGRATE, arguments: [argument] }));
  // If the user typed meanwhile, the edits no longer fit: drop them.
  if (found === undefined || document?.version !== asked) return;
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(found.edit as never);
  if (found.files > 0 && edit !== undefined && !(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) return;
  const message = outcome(found, `TVM ${to}`);
  if (found.left.length === 0) return void vscode.window.showInformationMessage(message);
  const lines = leftLines(found.left, (uri) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri)));
  results.appendLine(`${message}\n${lines.join('\n')}\n`);
  const shown = await vscode.window.showWarningMessage(message, 'Show');
  if (shown !== undefined) results.show(true);
}

async function choose(extension: vscode.Extension<unknown>, whole: boolean): Promise<string | undefined> {
  const declared = extension.packageJSON.contributes.configuration.properties['relax.tvm'];
  const title = whole ? 'Migrate all files of the workspace to' : 'Migrate this file to';
  const choice = await vscode.window.showQuickPick(releasesOf(releaseChoices(declared, '')), { title });
  return choice?.value;
}
