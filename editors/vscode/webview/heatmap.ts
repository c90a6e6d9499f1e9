// A heat map of a slice on a canvas. Shows the value at the pointer, or at a cursor for the arrow keys.

import type { Slice } from '../src/protocol';
import { formatScalar } from '../src/results';
import { describe, elementAt, finite, isPooled } from './cells';
import { type Scale, colourOf, css, inkOn, scaleOf } from './colours';
import { h, say, tip } from './elements';

/** The maximum size of a cell. Large cells show their numbers. */
const LARGEST_CELL = 52;
const TEXT_CELL = 36;
const TALLEST = 420;

export interface HeatMap {
  element: HTMLElement;
  /** Redraws in a new width. */
  resize: (width: number) => void;
}

/** Calls `zoom` with the row and column of an element. */
export function heatMap(slice: Slice, zoom: (row: number, column: number) => void): HeatMap {
  const rows = slice.values.length;
  const columns = slice.values[0]?.length ?? 0;
  const drawn = slice.values.flat().flatMap((value) => finite(value) ?? []);
  const least = (a: number, b: number): number => Math.min(a, b);
  const most = (a: number, b: number): number => Math.max(a, b);
  const scale = scaleOf(drawn.reduce(least, Infinity), drawn.reduce(most, -Infinity));
  const canvas = h('canvas', {
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'heat map',
    'aria-label': `Heat map of ${rows} by ${columns} cells. Arrow keys read the values.`,
  });
  let cell: [number, number] = [1, 1];
  let cursor: [number, number] | undefined;

  const draw = (): void => paint(canvas, slice, scale, cell, document.activeElement === canvas ? cursor : undefined);
  const resize = (width: number): void => {
    const across = Math.max(1, Math.min(LARGEST_CELL, width / Math.max(1, columns)));
    // With many rows or few columns, the cells stay nearly square, and the picture within its height.
    cell = [across, Math.max(1, Math.min(Math.max(across, 12), across > TEXT_CELL ? 24 : LARGEST_CELL, TALLEST / Math.max(1, rows)))];
    draw();
  };
  const at = (event: MouseEvent): [number, number] | undefined => {
    const [row, column] = [Math.floor(event.offsetY / cell[1]), Math.floor(event.offsetX / cell[0])];
    return row >= 0 && column >= 0 && row < rows && column < columns ? [row, column] : undefined;
  };
  canvas.addEventListener('mousemove', (event) => {
    const place = at(event);
    tip(place && describe(slice, ...place), event.clientX, event.clientY);
  });
  canvas.addEventListener('mouseleave', () => tip(undefined));
  canvas.addEventListener('dblclick', (event) => {
    const place = at(event);
    if (place !== undefined && isPooled(slice)) zoom(...elementAt(slice, ...place));
  });
  canvas.addEventListener('focus', () => {
    cursor ??= [0, 0];
    draw();
    say(describe(slice, ...cursor));
  });
  canvas.addEventListener('blur', () => {
    draw();
    tip(undefined);
  });
  canvas.addEventListener('keydown', (event) => {
    const move = MOVES[event.key];
    if (event.key === 'Enter' && cursor !== undefined && isPooled(slice)) zoom(...elementAt(slice, ...cursor));
    if (move === undefined || rows === 0 || columns === 0) return;
    event.preventDefault();
    const [row, column] = cursor ?? [0, 0];
    cursor = move(row, column, rows - 1, columns - 1);
    draw();
    const text = describe(slice, ...cursor);
    const { left, top } = canvas.getBoundingClientRect();
    tip(text, left + (cursor[1] + 0.5) * cell[0], top + (cursor[0] + 0.5) * cell[1]);
    say(text);
  });
  return { element: h('div', { class: 'map' }, canvas, legend(scale)), resize };
}

type Move = (row: number, column: number, bottom: number, right: number) => [number, number];
const MOVES: Record<string, Move> = {
  ArrowUp: (row, column) => [Math.max(0, row - 1), column],
  ArrowDown: (row, column, bottom) => [Math.min(bottom, row + 1), column],
  ArrowLeft: (row, column) => [row, Math.max(0, column - 1)],
  ArrowRight: (row, column, _, right) => [row, Math.min(right, column + 1)],
  Home: (row) => [row, 0],
  End: (row, _, __, right) => [row, right],
  PageUp: (_, column) => [0, column],
  PageDown: (_, column, bottom) => [bottom, column],
};

function paint(canvas: HTMLCanvasElement, slice: Slice, scale: Scale, [width, height]: [number, number], cursor: [number, number] | undefined): void {
  const rows = slice.values.length;
  const columns = slice.values[0]?.length ?? 0;
  const sharp = devicePixelRatio;
  const [wide, tall] = [width * columns, height * rows];
  canvas.width = Math.max(1, Math.round(wide * sharp));
  canvas.height = Math.max(1, Math.round(tall * sharp));
  canvas.style.width = `${wide}px`;
  canvas.style.height = `${tall}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(sharp, sharp);
  const theme = getComputedStyle(document.body);
  const bad = theme.getPropertyValue('--vscode-errorForeground') || 'red';
  context.font = `11px ${theme.getPropertyValue('--vscode-editor-font-family') || 'monospace'}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const gap = width > 8 && height > 8 ? 1 : 0;
  slice.values.forEach((line, row) =>
    line.forEach((value, column) => {
      const number = finite(value);
      const colour = number === undefined ? undefined : colourOf(number, scale);
      context.fillStyle = colour === undefined ? bad : css(colour);
      context.fillRect(column * width, row * height, width - gap + (gap === 0 ? 0.5 : 0), height - gap + (gap === 0 ? 0.5 : 0));
      if (width < TEXT_CELL || height < 14) return;
      context.fillStyle = colour === undefined ? 'white' : inkOn(colour);
      context.fillText(formatScalar(value, 2), (column + 0.5) * width, (row + 0.5) * height, width - 4);
    }),
  );
  if (cursor === undefined) return;
  context.strokeStyle = theme.getPropertyValue('--vscode-focusBorder') || 'white';
  context.lineWidth = 2;
  context.strokeRect(cursor[1] * width + 1, cursor[0] * height + 1, Math.max(2, width - 2), Math.max(2, height - 2));
}

function legend(scale: Scale): HTMLElement {
  const bar = h('canvas', { class: 'scale', width: 120, height: 8, 'aria-hidden': 'true' });
  const context = bar.getContext('2d');
  for (let x = 0; x < 120 && context !== null; x += 1) {
    context.fillStyle = css(colourOf(scale.from + ((scale.to - scale.from) * x) / 119, scale));
    context.fillRect(x, 0, 1, 8);
  }
  return h('div', { class: 'legend' }, h('span', {}, formatScalar(scale.from, 4)), bar, h('span', {}, formatScalar(scale.to, 4)));
}
