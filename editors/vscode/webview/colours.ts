// The colours of a heat map: from dark to bright for values of one sign, two hues otherwise. Knows no page.

export type Rgb = readonly [number, number, number];

export interface Scale {
  from: number;
  to: number;
  /** Whether both signs occur; then zero is in the middle. */
  diverging: boolean;
}

/** Perceptually uniform, and distinguishable without red and green: viridis. */
const SEQUENTIAL: readonly Rgb[] = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];
/** Blue, grey, orange. */
const DIVERGING: readonly Rgb[] = [[33, 102, 172], [103, 169, 207], [209, 221, 229], [247, 247, 247], [253, 219, 199], [239, 138, 98], [178, 24, 43]];

export function scaleOf(min: number | null, max: number | null): Scale {
  const [from, to] = [min ?? 0, max ?? 0];
  if (from < 0 && to > 0) {
    const most = Math.max(-from, to);
    return { from: -most, to: most, diverging: true };
  }
  return { from, to, diverging: false };
}

/** The colour of a finite value. */
export function colourOf(value: number, { from, to, diverging }: Scale): Rgb {
  const stops = diverging ? DIVERGING : SEQUENTIAL;
  const place = to > from ? Math.min(1, Math.max(0, (value - from) / (to - from))) : 0.5;
  const at = place * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const [a, b] = [stops[low] as Rgb, stops[low + 1] as Rgb];
  const mix = (x: number, y: number): number => Math.round(x + (y - x) * (at - low));
  return [mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2])];
}

export function css([red, green, blue]: Rgb): string {
  return `rgb(${red}, ${green}, ${blue})`;
}

/** Whether black or white text is more readable on it. */
export function inkOn([red, green, blue]: Rgb): 'black' | 'white' {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? 'black' : 'white';
}
