// The migration of a file or of a workspace to another release of TVM, as the server answers it.
// Knows no editor: plain data in, plain data out.

import { isObject, text } from './protocol';
import type { ReleaseChoice } from './release';

/** The server's command, and the extension's that ask for it. */
export const MIGRATE = 'relax.migrate';
export const MIGRATE_FILE = 'relax.migrateFile';
export const MIGRATE_WORKSPACE = 'relax.migrateWorkspace';

/** Something without an equivalent, at its place after the edit. */
export interface Left {
  uri: string;
  line: number;
  column: number;
  message: string;
}

export interface Migration {
  /** The edit as the protocol has it. */
  edit: object;
  /** How many files it changes. */
  files: number;
  left: readonly Left[];
}

/** The server's answer; nothing for one of another form. */
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
  return choices.filter((it) => it.value !== 'auto').map((it) => ({ ...it, description: '' }));
}

/** A line for each thing that stays, with its place as a reader counts. */
export function leftLines(all: readonly Left[], path: (uri: string) => string): string[] {
  return all.map(({ uri, line, column, message }) => `${path(uri)}:${line + 1}:${column + 1}: ${message}`);
}

/** The message after a migration; none where every place was migrated. */
export function outcome({ files, left }: Migration, release: string): string | undefined {
  if (left.length > 0) return `${left.length} ${left.length === 1 ? 'place has' : 'places have'} no equivalent in ${release}.`;
  return files === 0 ? `There is nothing to migrate to ${release}.` : undefined;
}
