// Bundles the page of `relax-lsp playground` into the server's crate, where Cargo finds it without Node.
//   npm run playground              writes it
//   npm run playground -- --check   fails when what is there is not what would be written

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { modules, notices } from './notices.mjs';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const target = path.join(here, '..', '..', 'crates', 'lsp-server', 'assets', 'playground');

const { outputFiles, metafile } = await build({
  absWorkingDir: here,
  entryPoints: {
    playground: 'playground/main.ts',
    frame: 'playground/frame.ts',
    panel: 'webview/main.ts',
    graph: 'webview/graph/main.ts',
    'playground-style': 'playground/playground.css',
    theme: 'playground/theme.css',
    'panel-style': 'webview/panel.css',
    'graph-style': 'webview/graph.css',
  },
  bundle: true,
  format: 'iife',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  loader: { '.py': 'text' },
  metafile: true,
  write: false,
  outdir: target,
});

const files = new Map(outputFiles.map((file) => [path.basename(file.path).replace('-style', ''), file.text]));
for (const name of ['index.html', 'frame.html', 'icon.svg']) files.set(name, fs.readFileSync(path.join(here, 'playground', name), 'utf8'));
files.set('licences.txt', notices(bundled(Object.keys(metafile.inputs))));

/** The modules that the inputs are of. */
function bundled(inputs) {
  const names = new Set(inputs.map((it) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(it)?.[1]));
  return modules().filter((it) => names.has(it.name));
}

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
