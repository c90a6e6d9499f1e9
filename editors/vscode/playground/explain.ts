// Shows the page of a diagnostic code beside the editor.

import { h } from '../webview/elements';
import { rendered } from './markdown';
import type { View } from './views';

export class Explanation implements View {
  readonly name = 'Explain';
  readonly element = h('section', { class: 'view text', tabindex: 0 }, h('p', { class: 'empty' }, 'The code of a problem leads to its page: the rule, an example, the fix.'));

  constructor() {
    this.element.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link === null) return;
      event.preventDefault();
      const code = /(?:^|\/)([a-z][a-z0-9-]*)\.md$/.exec(link.getAttribute('href') ?? '')?.[1];
      if (code !== undefined) void this.load(code);
      else if (link.protocol === 'https:') open(link.href, '_blank', 'noopener');
    });
  }

  async load(code: string): Promise<void> {
    const answer = await fetch(`explain/${encodeURIComponent(code)}`);
    if (!answer.ok) return;
    this.element.replaceChildren(rendered(await answer.text()));
    this.element.scrollTop = 0;
  }
}
