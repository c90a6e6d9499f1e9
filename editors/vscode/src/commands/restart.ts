// “Relax: Restart Server”.

import * as vscode from 'vscode';
import type { Server } from '../client';

export async function restart(server: Server): Promise<void> {
  await server.restart();
  const { health } = server;
  if (health.state === 'ready') vscode.window.setStatusBarMessage(`Relax ${health.version} restarted`, 4000);
}
