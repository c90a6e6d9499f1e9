// The licences of what a package carries that others wrote: the crates in the server, the modules in the extension.
// A work without any text of its licence is an error: we may not pass it on.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.join(here, '..', '..');

/** The platform that programs are built for here. */
function host() {
  return /^host: (.*)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }))[1];
}

/** The crates that the server is made of on a platform, with what they say of their licences. */
export function crates(platform = host()) {
  const options = ['metadata', '--format-version', '1', '--locked', '--filter-platform', platform];
  const metadata = JSON.parse(execFileSync('cargo', options, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }));
  const packages = new Map(metadata.packages.map((it) => [it.id, it]));
  const nodes = new Map(metadata.resolve.nodes.map((it) => [it.id, it]));
  const server = metadata.packages.find((it) => it.name === 'relax-lsp');
  const reached = new Set([server.id]);
  for (const id of reached) {
    for (const dep of nodes.get(id).deps) {
      if (dep.dep_kinds.some((it) => it.kind === null)) reached.add(dep.pkg);
    }
  }
  return [...reached]
    .map((id) => packages.get(id))
    .filter((it) => it.source !== null)
    .map((it) => ({ name: it.name, version: it.version, licence: it.license, folder: path.dirname(it.manifest_path) }));
}

/** The modules that are bundled into the extension. */
export function modules() {
  const lock = JSON.parse(fs.readFileSync(path.join(here, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([where, it]) => where !== '' && it.dev !== true)
    .map(([where, it]) => ({
      name: where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: it.version,
      licence: it.license,
      folder: path.join(here, where),
    }));
}

/** The texts that the author of a work put beside it; where there is a choice, of the licence that is ours too. */
function texts(work) {
  const names = fs.readdirSync(work.folder).filter((it) => /^(licen[cs]e|copying|unlicense|notice)/i.test(it));
  const ours = names.filter((it) => /apache|^notice/i.test(it));
  const chosen = / OR |\//.test(work.licence ?? '') && ours.some((it) => /apache/i.test(it)) ? ours : names;
  const files = chosen.map((it) => path.join(work.folder, it)).filter((it) => fs.statSync(it).isFile());
  return files.map((it) => fs.readFileSync(it, 'utf8').trim());
}

/** The file: each text once, below the works that it is of. */
export function notices(works) {
  const apache = fs.readFileSync(path.join(root, 'LICENSE'), 'utf8').trim();
  const byText = new Map();
  for (const work of works) {
    let found = texts(work);
    if (found.length === 0 && /Apache-2\.0/.test(work.licence ?? '')) found = [apache];
    if (found.length === 0) throw new Error(`${work.name} ${work.version} (${work.licence}) has no text of its licence`);
    for (const text of found) {
      const key = text.replace(/\s+/g, ' ');
      const entry = byText.get(key) ?? { text, works: new Set() };
      entry.works.add(`${work.name} ${work.version} (${work.licence})`);
      byText.set(key, entry);
    }
  }
  const sections = [...byText.values()].map((it) => `${[...it.works].sort().join('\n')}\n\n${it.text}\n`).sort();
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `What others wrote of this package, and under which licences.\n${rule}${sections.join(rule)}`;
}

// `node notices.mjs FILE [PLATFORM]` writes those of the program alone, for archives and wheels.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, platform] = process.argv.slice(2);
  fs.writeFileSync(file, notices(crates(platform)));
}
