// Converts the server's Markdown to HTML. It may contain text of the program, which is not trusted.

import DOMPurify from 'dompurify';
import { Marked } from 'marked';

const marked = new Marked();

/** Removes scripts, links and anything that loads or sends data. */
export function sanitized(html: string): string {
  return DOMPurify.sanitize(html, { USE_PROFILES: { html: true }, FORBID_TAGS: ['form', 'input', 'button', 'style', 'img', 'video', 'audio'], FORBID_ATTR: ['style'] });
}

export function rendered(markdown: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = sanitized(marked.parse(markdown, { async: false }));
  return template.content;
}
