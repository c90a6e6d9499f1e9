// Drives the packaged extension in a real VS Code workbench, as a user would, and prints what it saw.
//   npm run test:workbench [-- --vsix FILE] [-- --only REGEXP]
// Exit 77: the host cannot be installed here; a message says so.
// Pictures go to target/workbench/shots; the host is installed into target/workbench, or taken from the
// folder in WORKBENCH_HOST.

import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tryBrowser } from './host.mjs';
import { install } from './install.mjs';
import { STORIES } from './stories/index.mjs';
import { Teller } from './story.mjs';

const extension = path.join(import.meta.dirname, '..', '..');
const scratch = path.join(extension, '..', '..', 'target', 'workbench');
const { values: options } = parseArgs({ options: { vsix: { type: 'string' }, only: { type: 'string', default: '' } } });
const { name, version } = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
const vsix = path.resolve(options.vsix ?? path.join(extension, `${name}-${version}.vsix`));
if (!fs.existsSync(vsix)) {
  console.error(`${vsix} is not there: npm run package`);
  process.exit(2);
}

let host;
try {
  host = install(process.env.WORKBENCH_HOST ?? scratch);
  await tryBrowser(host);
} catch (error) {
  console.error(`skipped: VS Code: its host cannot be had: ${error.message.split('\n')[0]}`);
  process.exit(77);
}
const teller = new Teller({ host, vsix, only: options.only, shots: path.join(scratch, 'shots') });
for (const story of STORIES) await teller.tell(story);
console.log(teller.failed === 0 ? 'all passed' : `${teller.failed} failed`);
process.exit(teller.failed === 0 ? 0 : 1);
