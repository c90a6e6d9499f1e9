// URIs of the pages about diagnostics. The hover of a diagnostic cannot link to a `command:`, but to any document; the
// manifest opens these as previews. Knows no editor.

export const PAGE_SCHEME = 'relax-explain';

/** The template for the server, with a placeholder for the code. */
export const PAGES = `${PAGE_SCHEME}:/{code}.md`;

export function pageOf(code: string): string {
  return PAGES.replace('{code}', code);
}

/** Returns the diagnostic code in a page's path, if there is one. */
export function codeOfPage(path: string): string | undefined {
  return /^\/([a-z][a-z0-9-]*)\.md$/.exec(path)?.[1];
}
