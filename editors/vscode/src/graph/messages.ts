// The messages between the page of the graph and the extension. Plain data; both sides use this file.

import type { TracedBinding } from '../protocol';
import type { Graph } from './graph';

export type ToGraphPage =
  | { kind: 'graph'; file: string; graph: Graph }
  /** What the overlays of the current graph are made of: the answer to `relax.cost`, and the last traced run. */
  | { kind: 'measures'; costs: unknown; traced: readonly TracedBinding[] }
  /** The reason why there is no new graph. The old one stays. */
  | { kind: 'problem'; message: string }
  /** The node at the cursor, or none. */
  | { kind: 'mark'; node?: number };

export type FromGraphPage =
  | { kind: 'ready' }
  /** Shows a node in the source. In a partial graph, `centre` requests the part around it. */
  | { kind: 'go'; node: number; centre: boolean }
  /** Shows the function in the source. */
  | { kind: 'reveal' }
  | { kind: 'copy' }
  /** Writes a picture, given as a data URL, to a file of that name. */
  | { kind: 'save'; name: string; url: string }
  /** The page asks for the overlays. */
  | { kind: 'measure' };
