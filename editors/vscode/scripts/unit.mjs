// Runs the compiled unit tests. Node 20 takes no pattern and Node 22 no folder, so the files are named here.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'out', 'test', 'unit');
const files = fs.readdirSync(folder).filter((name) => name.endsWith('.test.js'));
const { status } = spawnSync(process.execPath, ['--test', ...files.map((name) => path.join(folder, name))], { stdio: 'inherit' });
process.exit(status ?? 1);
