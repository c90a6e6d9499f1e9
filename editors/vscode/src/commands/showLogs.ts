// “Relax: Show Logs”.

import type { Channels } from '../client';

export function showLogs(channels: Channels): void {
  channels.log.show();
}
