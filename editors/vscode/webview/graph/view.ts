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
/** The smallest scale at which names are readable. */
const LEGIBLE = 0.6;
/** The scale for a drawing that does not fit on the screen. */
const COMFORTABLE = 0.9;

function bounded(scale: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, scale));
}

/** Shows the whole drawing, at most in its natural size. */
export function fitted(drawing: Size, window: Size): View {
  const scale = bounded(Math.min(1, window.width / drawing.width, window.height / drawing.height));
  return { scale, x: Math.max(0, (window.width - drawing.width * scale) / 2), y: 0 };
}

/** Shows the whole drawing if it is readable, otherwise the part around a box or the beginning. */
export function opening(drawing: Size, window: Size, about: Box | undefined): View {
  const whole = fitted(drawing, window);
  if (whole.scale >= LEGIBLE) return whole;
  const scale = COMFORTABLE;
  if (about !== undefined) return centred({ ...whole, scale }, window, about);
  return { scale, x: (window.width - drawing.width * scale) / 2, y: 0 };
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
