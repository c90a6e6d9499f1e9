// Requests tensors from the extension; answers arrive by number.

import type { TensorRequest, TensorView } from '../src/protocol';
import { host } from './host';

const waiting = new Map<number, { resolve: (view: TensorView) => void; reject: (error: Error) => void }>();
let last = 0;

export function ask(request: TensorRequest): Promise<TensorView> {
  last += 1;
  host.postMessage({ kind: 'tensor', ask: last, request });
  return new Promise((resolve, reject) => waiting.set(last, { resolve, reject }));
}

export function answered(number: number, view: TensorView | undefined, error: string | undefined): void {
  const asked = waiting.get(number);
  waiting.delete(number);
  if (view !== undefined) asked?.resolve(view);
  else asked?.reject(new Error(error));
}
