// Bundles the page of `relax-lsp playground` into the server's crate, where Cargo finds it without Node.
//   npm run playground              writes it
//   npm run playground -- --check   fails when what is there is not what would be written

import fs from 'node:fs';
import path from 'node:path';
import { here, pages, plain } from './pages.mjs';

const target = path.join(here, '..', '..', 'crates', 'lsp-server', 'assets', 'playground');
const files = await pages({ playground: 'playground/native.ts' });
for (const name of ['index.html', 'frame.html', 'icon.svg']) files.set(name, plain(name));

const there = new Map(fs.readdirSync(target).map((name) => [name, fs.readFileSync(path.join(target, name), 'utf8')]));
const differing = [...new Set([...files.keys(), ...there.keys()])].filter((name) => files.get(name) !== there.get(name));
if (process.argv.includes('--check')) {
  if (differing.length > 0) {
    console.error(`out of date: ${differing.join(', ')}: npm run playground, and commit what it writes`);
    process.exit(1);
  }
} else {
  for (const name of differing) {
    const file = path.join(target, name);
    if (files.has(name)) fs.writeFileSync(file, files.get(name));
    else fs.rmSync(file);
  }
  const size = [...files.values()].reduce((sum, text) => sum + text.length, 0);
  console.log(`${files.size} files, ${Math.round(size / 1024)} KB; written: ${differing.join(', ') || 'none, all are the same'}`);
}
