// Shows a page of the extension in a frame, with a replacement for VS Code's API.

import { dress } from './theme';

const name = location.search === '?graph' ? 'graph' : 'panel';
const own = location.origin;

Object.assign(globalThis, {
  acquireVsCodeApi: () => ({
    postMessage: (message: unknown) => parent.postMessage(message, own),
    getState: () => undefined,
    setState: () => undefined,
  }),
});
dress(document);
const style = document.createElement('link');
style.rel = 'stylesheet';
style.href = `${name}.css`;
const script = document.createElement('script');
script.src = `${name}.js`;
// The graph measures its text.
style.addEventListener('load', () => document.body.append(script));
document.head.append(style);
