// Exchanges messages with the extension, or with the page around this one.

import type { FromGraphPage } from '../src/graph/messages';
import type { FromPage } from '../src/panel/messages';

interface Host {
  postMessage(message: FromPage | FromGraphPage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): Host;

export const host = acquireVsCodeApi();
