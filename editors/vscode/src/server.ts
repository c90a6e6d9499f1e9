// Finds the server's binary: the one in the settings, in the selected Python environment (`pip install .` in a clone), in
// the extension, or in the PATH, in this order. Accesses files only through `exists`.

import * as path from 'node:path';

export interface Places {
  /** `relax.server.path`, as typed. */
  setting: string;
  /** The folder of the selected Python's program, if the workspace is trusted. */
  environment?: string | undefined;
  extensionFolder: string;
  home: string;
  /** The PATH variable. */
  searchPath: string;
  platform: NodeJS.Platform;
  exists(file: string): boolean;
}

export type Found =
  | { kind: 'found'; file: string; from: 'setting' | 'Python environment' | 'extension' | 'PATH' | 'running server' }
  | { kind: 'missing'; why: string };

export function findServer(places: Places): Found {
  const setting = places.setting.trim();
  if (setting !== '') {
    const file = fromSetting(setting, places);
    if (file !== undefined) return { kind: 'found', file, from: 'setting' };
    return { kind: 'missing', why: `The setting relax.server.path says “${setting}”, and there is no such file.` };
  }
  if (places.environment !== undefined) {
    const file = join(places, places.environment, binary('relax-lsp', places));
    if (places.exists(file)) return { kind: 'found', file, from: 'Python environment' };
  }
  const bundled = join(places, places.extensionFolder, 'server', binary('relax-lsp', places));
  if (places.exists(bundled)) return { kind: 'found', file: bundled, from: 'extension' };
  const onPath = fromPath('relax-lsp', places);
  if (onPath !== undefined) return { kind: 'found', file: onPath, from: 'PATH' };
  return {
    kind: 'missing',
    why: 'This build of the extension carries no relax-lsp, and there is none on the PATH.',
  };
}

function fromSetting(setting: string, places: Places): string | undefined {
  const { platform, home } = places;
  const flavour = platform === 'win32' ? path.win32 : path.posix;
  const expanded = setting === '~' || /^~[/\\]/.test(setting) ? home + setting.slice(1) : setting;
  if (flavour.isAbsolute(expanded)) {
    return [expanded, binary(expanded, places)].find((file) => places.exists(file));
  }
  // A bare name is looked up in the PATH. A relative path would depend on the editor's working directory.
  return /[/\\]/.test(expanded) ? undefined : fromPath(expanded, places);
}

function fromPath(name: string, places: Places): string | undefined {
  const separator = places.platform === 'win32' ? ';' : ':';
  const folders = places.searchPath.split(separator).filter((folder) => folder !== '');
  return folders.map((folder) => join(places, folder, binary(name, places))).find((file) => places.exists(file));
}

function binary(name: string, places: Places): string {
  return places.platform === 'win32' && !name.endsWith('.exe') ? `${name}.exe` : name;
}

function join(places: Places, ...parts: string[]): string {
  return (places.platform === 'win32' ? path.win32 : path.posix).join(...parts);
}
