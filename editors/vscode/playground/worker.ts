// Runs the server (`server.ts`) as WebAssembly in a web worker.

import { byId } from '../webview/elements';
import type { Open } from './connection';

export const open: Open = async (gone) => {
  const worker = new Worker('server.js', { name: 'server' });
  worker.addEventListener('error', () => {
    byId('gone').textContent = 'The server has failed. Load the page again; the program stays here.';
    gone();
  });
  await new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }));
  return {
    send: (message) => worker.postMessage(message),
    listen: (hear) => worker.addEventListener('message', ({ data }: MessageEvent<string>) => hear(data)),
  };
};
