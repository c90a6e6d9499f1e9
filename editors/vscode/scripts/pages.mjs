// The files of the playground's page, bundled. Knows not where they go.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { modules, notices } from './notices.mjs';
import { samples } from './samples.mjs';

export const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const PAGES = {
  frame: 'playground/frame.ts',
  panel: 'webview/main.ts',
  graph: 'webview/graph/main.ts',
  standalone: 'webview/graph/standalone.ts',
  'playground-style': 'playground/playground.css',
  theme: 'playground/theme.css',
  'panel-style': 'webview/panel.css',
  'graph-style': 'webview/graph.css',
};

/** The texts of scripts, styles, samples and licences by their names. `scripts` are entry points besides those of each page; `works`
 *  are what comes with the page besides the modules. */
export async function pages(scripts, { alias = {}, works = [] } = {}) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: here,
    entryPoints: { ...PAGES, ...scripts },
    alias,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    loader: { '.py': 'text' },
    metafile: true,
    write: false,
    outdir: here,
  });
  const files = new Map(outputFiles.map((file) => [path.basename(file.path).replace('-style', ''), file.text]));
  files.set('passes.json', samples());
  files.set('licences.txt', notices([...works, ...bundled(Object.keys(metafile.inputs))]));
  return files;
}

/** A file that is not a bundle. */
export function plain(name) {
  return fs.readFileSync(path.join(here, 'playground', name), 'utf8');
}

/** The modules that the inputs are of. */
function bundled(inputs) {
  const names = new Set(inputs.map((it) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(it)?.[1]));
  return modules().filter((it) => names.has(it.name));
}
