// The light or dark theme: the system's, until the user chooses one. The frames use the same.

export type Theme = 'light' | 'dark';

const KEY = 'theme';
const system = matchMedia('(prefers-color-scheme: dark)');

export function theme(): Theme {
  const chosen = localStorage.getItem(KEY);
  return chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light';
}

export function toggle(): void {
  localStorage.setItem(KEY, theme() === 'dark' ? 'light' : 'dark');
  dress(document);
  for (const frame of document.querySelectorAll('iframe')) if (frame.contentDocument) dress(frame.contentDocument);
}

export function dress({ documentElement, body }: Document): void {
  documentElement.dataset['theme'] = theme();
  // Canvases get their colours from the class, as in VS Code.
  body.className = `vscode-${theme()}`;
}

system.addEventListener('change', () => dress(document));
