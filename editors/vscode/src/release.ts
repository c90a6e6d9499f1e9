// The release of TVM of a file: reads the server's answer, and formats it for the status item. Knows no editor: plain
// data in, plain data out.

import { isObject, text } from './protocol';

/** The server's command, and the extension's command that changes the release. */
export const RELEASE = 'relax.release';
export const CHOOSE_RELEASE = 'relax.chooseRelease';

export interface FileRelease {
  since: string;
  until: string;
  /** The release that the file is written for, and the source of that. */
  target?: { release: string; origin: string };
}

/**
 * Reads the server's answer; `undefined` for a document without TVMScript, or if the server does not know the command.
 */
export function fileRelease(answer: unknown): FileRelease | undefined {
  if (!isObject(answer)) return undefined;
  const [since, until] = [text(answer.since), text(answer.until)];
  if (since === undefined || until === undefined) return undefined;
  if (!isObject(answer.target)) return { since, until };
  const [release, origin] = [text(answer.target.release), text(answer.target.origin)];
  return release === undefined || origin === undefined ? { since, until } : { since, until, target: { release, origin } };
}

export interface Shown {
  text: string;
  detail: string;
}

export function shown({ since, until, target }: FileRelease): Shown {
  if (target !== undefined) return { text: title(target.release), detail: `by ${target.origin.replaceAll('`', '')}` };
  const interval = since === until ? title(until) : `TVM ${since} to ${until}`;
  return { text: interval, detail: 'by what the file uses' };
}

function title(release: string): string {
  return /^\d/.test(release) ? `TVM ${release}` : release;
}

export interface ReleaseChoice {
  label: string;
  description: string;
  /** The value of `relax.tvm`. */
  value: string;
}

/** Returns the choices for `relax.tvm`: first the project's own release, then all releases, newest first. */
export function releaseChoices(setting: unknown, now: string): ReleaseChoice[] {
  if (!isObject(setting) || !Array.isArray(setting.enum)) return [];
  const values = setting.enum.filter((it): it is string => typeof it === 'string');
  const [auto, ...releases] = values;
  const ordered = auto === undefined ? [] : [auto, ...releases.reverse()];
  return ordered.map((value) => ({
    value,
    label: value === 'auto' ? 'As the project or the file says' : title(value),
    description: value === now ? 'in force' : '',
  }));
}
