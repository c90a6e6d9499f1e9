// Connects to `relax-lsp playground` over a WebSocket.

import type { Open } from './connection';

export const open: Open = async (gone) => {
  const address = new URL('lsp', location.href);
  address.protocol = 'ws:';
  address.hash = '';
  const socket = new WebSocket(address);
  socket.addEventListener('close', gone);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  return {
    send: (message) => socket.send(message),
    listen: (hear) => socket.addEventListener('message', ({ data }: MessageEvent<string>) => hear(data)),
  };
};
