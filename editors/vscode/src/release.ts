// The releases of TVM that a file may be written for, as the server says it and as the status item shows it.
// Knows no editor: plain data in, plain data out.

import { isObject, text } from './protocol';

/** The server's command, and the extension's that changes the answer. */
export const RELEASE = 'relax.release';
export const CHOOSE_RELEASE = 'relax.chooseRelease';

export interface FileRelease {
  since: string;
  until: string;
  /** The release that the file is written for, and the source of that. */
  target?: { release: string; origin: string };
}

/** The server's answer; nothing for a document without TVMScript, and from a server that does not know the command. */
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

/** The values of `relax.tvm`: first the one that leaves it to the project, then the releases, newest first. */
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
