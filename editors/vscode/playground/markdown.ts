// Markdown of the server as elements of the page. It may hold parts of the program, which may be anyone's.

import DOMPurify from 'dompurify';
import { Marked } from 'marked';

const marked = new Marked();

/** HTML without anything that acts, loads or sends. */
export function sanitized(html: string): string {
  return DOMPurify.sanitize(html, { USE_PROFILES: { html: true }, FORBID_TAGS: ['form', 'input', 'button', 'style', 'img', 'video', 'audio'], FORBID_ATTR: ['style'] });
}

export function rendered(markdown: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = sanitized(marked.parse(markdown, { async: false }));
  return template.content;
}
