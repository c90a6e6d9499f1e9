// The drawing as a picture that stands alone: SVG with the colours and fonts of the page, and PNG.

import { svg } from '../elements';
import type { Picture } from './draw';

/** The properties that the style sheet sets. */
const PROPERTIES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linejoin', 'paint-order', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'text-decoration-line'] as const;
/** The properties of text alone. */
const OF_TEXT: ReadonlySet<string> = new Set(['font-family', 'font-size', 'font-weight', 'text-anchor', 'text-decoration-line', 'paint-order']);
/** Only for readers and the keyboard. */
const ATTRIBUTES = ['class', 'role', 'tabindex', 'aria-label', 'aria-current', 'data-from', 'data-to', 'style'];
/** Browsers refuse larger canvases. */
const LARGEST = 16_000;

/** Returns the drawing as the text of an SVG file. */
export function svgText(picture: Picture, marker: SVGMarkerElement, title: string): string {
  const { width, height } = picture.drawing;
  const size = { width: Math.ceil(width), height: Math.ceil(height) };
  const background = getComputedStyle(document.body).getPropertyValue('--vscode-editor-background') || 'white';
  const drawing = styled(picture.element);
  drawing.removeAttribute('transform');
  const whole = svg(
    'svg',
    { ...size, viewBox: `0 0 ${size.width} ${size.height}` },
    svg('title', {}, title),
    svg('defs', {}, styled(marker)),
    svg('rect', { ...size, fill: background }),
    drawing,
  );
  return new XMLSerializer().serializeToString(whole);
}

/** Returns a copy with the styles as attributes. */
function styled(element: Element): Element {
  const copy = element.cloneNode(true) as Element;
  const copies = [copy, ...copy.querySelectorAll('*')];
  [element, ...element.querySelectorAll('*')].forEach((original, at) => {
    const it = copies[at];
    if (it === undefined) return;
    for (const name of ATTRIBUTES) it.removeAttribute(name);
    if (original.tagName === 'g') return;
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property);
      const isDefault = value === '' || value === 'none' && property !== 'fill' || value === '1' && property.endsWith('opacity');
      if (isDefault || (OF_TEXT.has(property) && original.tagName !== 'text')) continue;
      it.setAttribute(property === 'text-decoration-line' ? 'text-decoration' : property, plain(value));
    }
  });
  return copy;
}

/** `rgb(…)` of `color(srgb …)`, which only browsers know. */
function plain(colour: string): string {
  const parts = /^color\(srgb ([\d.e+-]+) ([\d.e+-]+) ([\d.e+-]+)/.exec(colour)?.slice(1);
  return parts === undefined ? colour : `rgb(${parts.map((it) => Math.round(Number(it) * 255)).join(', ')})`;
}

export function svgUrl(text: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

/** Returns the data URL of a PNG. */
export async function pngUrl(text: string, { width, height }: { width: number; height: number }): Promise<string> {
  const image = new Image();
  image.src = svgUrl(text);
  await image.decode();
  const scale = Math.min(2, LARGEST / width, LARGEST / height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}
