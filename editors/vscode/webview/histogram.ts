// The histogram of a tensor, as a small picture with a text for screen readers.

import type { TensorView } from '../src/protocol';
import { formatScalar } from '../src/results';
import { svg } from './elements';

export function histogram({ histogram: data }: TensorView, width: number, height: number): SVGElement {
  const counts = data?.counts ?? [];
  const most = Math.max(1, ...counts);
  const [from, to] = [formatScalar(data?.from ?? null, 3), formatScalar(data?.to ?? null, 3)];
  const peak = counts.indexOf(most);
  const label = data === null ? 'no finite values' : `histogram from ${from} to ${to}, most values in part ${peak + 1} of ${counts.length}`;
  const picture = svg('svg', { class: 'histogram', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  const step = width / Math.max(1, counts.length);
  counts.forEach((count, bin) => {
    if (count === 0) return;
    // A bin with one value must be visible beside one with a million.
    const tall = Math.max(1, (count / most) * height);
    const low = (data?.from ?? 0) + (((data?.to ?? 0) - (data?.from ?? 0)) * bin) / counts.length;
    const high = (data?.from ?? 0) + (((data?.to ?? 0) - (data?.from ?? 0)) * (bin + 1)) / counts.length;
    const bar = svg('rect', { x: bin * step, y: height - tall, width: Math.max(1, step - 0.5), height: tall });
    bar.append(svg('title', {}, `${formatScalar(low, 3)} … ${formatScalar(high, 3)}: ${count * (data?.every ?? 1)}`));
    picture.append(bar);
  });
  return picture;
}
