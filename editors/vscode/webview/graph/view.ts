// The visible part of a drawing and its scale: moving, zooming, fitting. Knows no page.

import type { Box, Size } from './layout';

export interface View {
  scale: number;
  /** The position of the drawing's origin in the window. */
  x: number;
  y: number;
}

const SMALLEST = 0.1;
const LARGEST = 3;
/** The smallest scale of a view that the page chooses itself: the names in nodes are 9 pixels high. */
const LEGIBLE = 0.86;
/** The smallest scale of *Fit*: titles of nodes are 9 pixels high. */
const FITTED = 0.75;

function bounded(scale: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, scale));
}

/** Whether the whole drawing fits into the window, and its names can be read. */
export function fits({ width, height }: Size, window: Size): boolean {
  return Math.min(window.width / width, window.height / height) >= FITTED;
}

/** Shows the whole drawing, at most in its natural size. If it would be unreadable, shows its upper end around a box. */
export function fitted(drawing: Size, window: Size, first?: Box, smallest = FITTED): View {
  const scale = Math.max(smallest, Math.min(1, window.width / drawing.width, window.height / drawing.height));
  const view = first === undefined ? { scale, x: (window.width - drawing.width * scale) / 2, y: 0 } : centred({ scale, x: 0, y: 0 }, window, first);
  return { ...within(view, drawing, window), y: 0 };
}

/** Shows the whole drawing if it is readable, otherwise the part around a box or the beginning. */
export function opening(drawing: Size, window: Size, about: Box | undefined, first?: Box): View {
  const whole = fitted(drawing, window, first, LEGIBLE);
  return about === undefined ? whole : within(centred(whole, window, about), drawing, window);
}

/** Moves a view so that as little as possible is empty. */
function within({ scale, x, y }: View, drawing: Size, window: Size): View {
  const rest = { x: window.width - drawing.width * scale, y: window.height - drawing.height * scale };
  return { scale, x: rest.x >= 0 ? rest.x / 2 : Math.max(rest.x, Math.min(0, x)), y: rest.y >= 0 ? 0 : Math.max(rest.y, Math.min(0, y)) };
}

export function centred(view: View, window: Size, { x, y, width, height }: Box): View {
  const { scale } = view;
  return { scale, x: window.width / 2 - (x + width / 2) * scale, y: window.height / 2 - (y + height / 2) * scale };
}

/** Returns the nearest view in which a box is visible. */
export function showing(view: View, window: Size, box: Box, margin = 24): View {
  const along = (at: number, length: number, offset: number, room: number): number => {
    const [from, to] = [at * view.scale + offset, (at + length) * view.scale + offset];
    if (from >= margin && to <= room - margin) return offset;
    return to - from > room - 2 * margin || from < margin ? offset + margin - from : offset + room - margin - to;
  };
  return { scale: view.scale, x: along(box.x, box.width, view.x, window.width), y: along(box.y, box.height, view.y, window.height) };
}

/** Scales by a factor. The point stays in its place. */
export function zoomed(view: View, factor: number, at: { x: number; y: number }): View {
  const scale = bounded(view.scale * factor);
  const real = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * real, y: at.y - (at.y - view.y) * real };
}

export function moved(view: View, x: number, y: number): View {
  return { ...view, x: view.x + x, y: view.y + y };
}
