// Serves the page: by the program's own command, or from a folder of files.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** `relax-lsp playground`. */
export async function command(server) {
  const child = spawn(server, ['playground', '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${server} has ended with ${code}`)));
    createInterface(child.stdout).on('line', (line) => {
      const found = /http:\S+/.exec(line);
      if (found !== null) resolve(found[0]);
    });
  });
  return { address, end: () => child.kill() };
}

const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

/** A folder that `npm run playground:wasm` has made, as a host of files serves it. */
export async function files(folder) {
  const server = http.createServer(({ url }, response) => {
    const name = path.join(folder, new URL(url, 'http://localhost').pathname.replace(/\/$/, '/index.html'));
    if (!name.startsWith(folder) || !fs.existsSync(name)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': KINDS[path.extname(name)] ?? 'application/octet-stream' });
    return fs.createReadStream(name).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, end: () => server.close() };
}
