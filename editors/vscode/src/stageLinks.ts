// The text of a lowered stage, with the lines of the source that each of its lines comes from. Knows no editor.

import type { Position } from './protocol';

export interface Link {
  /** A line of the stage, from 0. */
  line: number;
  /** The range in the source. */
  range: { start: Position; end: Position };
}

export interface Listing {
  text: string;
  links: readonly Link[];
}

export function readListing(answer: unknown): Listing {
  const { text, links } = (answer ?? {}) as { text?: unknown; links?: unknown };
  return { text: typeof text === 'string' ? text : '# The server has no answer.\n', links: Array.isArray(links) ? (links as Link[]) : [] };
}

/** Returns the source lines that a line of the stage comes from. */
export function sourceOf(links: readonly Link[], line: number): number[] {
  const found = links.find((link) => link.line === line);
  if (found === undefined) return [];
  const { start, end } = found.range;
  return Array.from({ length: end.line - start.line + 1 }, (_, at) => start.line + at);
}

/** Returns the stage lines that come from a source line: those with the smallest ranges around it. */
export function linesOf(links: readonly Link[], line: number): number[] {
  const extent = ({ range }: Link): number => range.end.line - range.start.line;
  const holding = links.filter(({ range }) => range.start.line <= line && line <= range.end.line);
  const least = Math.min(...holding.map(extent));
  return holding.filter((link) => extent(link) === least).map((link) => link.line);
}
