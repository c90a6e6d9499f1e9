// The migration of a file or a workspace to another release of TVM, from the server's answer. Knows no editor.

import { isObject, text } from './protocol';
import type { ReleaseChoice } from './release';

/** The server's command, and the extension's commands that use it. */
export const MIGRATE = 'relax.migrate';
export const MIGRATE_FILE = 'relax.migrateFile';
export const MIGRATE_WORKSPACE = 'relax.migrateWorkspace';

/** Something without an equivalent, with its position after the edit. */
export interface Left {
  uri: string;
  line: number;
  column: number;
  message: string;
}

export interface Migration {
  /** The edit in the protocol's form. */
  edit: object;
  /** The number of files that change. */
  files: number;
  left: readonly Left[];
}

/** Reads the server's answer; returns `undefined` if it is invalid. */
export function migration(answer: unknown): Migration | undefined {
  if (!isObject(answer) || !isObject(answer.edit) || !Array.isArray(answer.left)) return undefined;
  const { changes, documentChanges } = answer.edit;
  const documents = Array.isArray(documentChanges) ? documentChanges.length : isObject(changes) ? Object.keys(changes).length : 0;
  return { edit: answer.edit, files: documents, left: answer.left.flatMap((it: unknown) => left(it) ?? []) };
}

function left(it: unknown): Left | undefined {
  if (!isObject(it) || !isObject(it.range) || !isObject(it.range.start)) return undefined;
  const [uri, message] = [text(it.uri), text(it.message)];
  const { line, character } = it.range.start;
  if (uri === undefined || message === undefined || typeof line !== 'number' || typeof character !== 'number') return undefined;
  return { uri, line, column: character, message };
}

/** The releases that a file can be migrated to. */
export function releasesOf(choices: readonly ReleaseChoice[]): ReleaseChoice[] {
  return choices.filter((it) => /^\d/.test(it.value)).map((it) => ({ ...it, description: '' }));
}

/** Returns a line for each thing that remains, with its position counted from 1. */
export function leftLines(all: readonly Left[], path: (uri: string) => string): string[] {
  return all.map(({ uri, line, column, message }) => `${path(uri)}:${line + 1}:${column + 1}: ${message}`);
}

/** Returns the message after a migration. */
export function outcome({ files, left }: Migration, release: string): string {
  const changed = files === 0 ? `Nothing to migrate to ${release}` : `Migrated ${files === 1 ? '1 file' : `${files} files`} to ${release}`;
  if (left.length === 0) return `${changed}.`;
  return `${changed}; ${left.length} ${left.length === 1 ? 'place has' : 'places have'} no equivalent.`;
}
