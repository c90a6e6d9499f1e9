// Addresses of the pages about diagnostics. VS Code opens no `command:` from the hover of a diagnostic, but any
// document; the manifest says that these are shown as previews. Knows no editor.

export const PAGE_SCHEME = 'relax-explain';

/** As the server takes it: with a place for the code. */
export const PAGES = `${PAGE_SCHEME}:/{code}.md`;

export function pageOf(code: string): string {
  return PAGES.replace('{code}', code);
}

/** The diagnostic code in a page's path, if it is one. */
export function codeOfPage(path: string): string | undefined {
  return /^\/([a-z][a-z0-9-]*)\.md$/.exec(path)?.[1];
}
