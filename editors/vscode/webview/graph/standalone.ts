// Draws the graphs of a page that `relax-lsp graph --format html` or `relax-lsp report` has written. The page holds a
// list of values for each graph, its JSON, and the script of the editors' graph, which runs in a frame.

import { readGraph } from '../../src/graph/graph';
import type { FromGraphPage, ToGraphPage } from '../../src/graph/messages';
import { byId, download, h } from '../elements';

const system = matchMedia('(prefers-color-scheme: dark)');
const theme = (): string => (system.matches ? 'dark' : 'light');
const [style, script] = ['graph-style', 'graph-script'].map((id) => byId(id).textContent);

/** The frame of one graph. It takes the page for an editor. */
function frame(): HTMLIFrameElement {
  const host = 'acquireVsCodeApi=()=>({postMessage:(it)=>parent.postMessage(it,"*"),getState(){},setState(){}})';
  const srcdoc = `<!DOCTYPE html><html lang="en" data-theme="${theme()}"><meta charset="UTF-8"><title>Graph</title><style>${style}</style><main id="page"></main><div id="tip" role="tooltip" hidden></div><div id="say" role="status" aria-live="polite" class="unseen"></div><script>${host}</script><script>${script}</script></html>`;
  return h('iframe', { title: 'Graph', loading: 'lazy', srcdoc });
}

for (const place of document.querySelectorAll('.graph')) {
  const graph = readGraph(JSON.parse(place.querySelector('script')?.textContent ?? 'null'));
  if (graph === undefined) continue;
  const drawing = frame();
  const post = (message: ToGraphPage): void => drawing.contentWindow?.postMessage(message, '*');
  addEventListener('message', ({ source, data }: MessageEvent<FromGraphPage>) => {
    if (source !== drawing.contentWindow) return;
    if (data.kind === 'ready') post({ kind: 'graph', file: '', graph });
    else if (data.kind === 'go') post({ kind: 'mark', node: data.node });
    else if (data.kind === 'save') download(data.name, data.url);
  });
  system.addEventListener('change', () => drawing.contentDocument?.documentElement.setAttribute('data-theme', theme()));
  place.replaceChildren(drawing);
}
