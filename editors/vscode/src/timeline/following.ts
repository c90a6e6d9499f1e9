// The server's answer about a followed value, and its text. Knows no editor.

import { type Range, isObject, list, readRange, text } from '../protocol';

export const FOLLOW = 'relax.follow';

export interface Place {
  /** `unchanged`, `fused into`, `planned in`; empty for the origin. */
  relation: string;
  name: string;
  function: string;
  /** The text of its line. */
  text: string;
  parts: readonly string[];
  uri: string;
  range: Range;
}

export interface Following {
  origin: Place;
  /** The URI of the other module. */
  stage: string;
  places: readonly Place[];
}

export function readFollowing(answer: unknown): Following | undefined {
  if (!isObject(answer)) return undefined;
  const [origin, stage] = [readPlace(answer.origin), text(answer.stage)];
  if (origin === undefined || stage === undefined) return undefined;
  return { origin, stage, places: list(answer.places).map(readPlace).filter((it) => it !== undefined) };
}

function readPlace(value: unknown): Place | undefined {
  if (!isObject(value) || !isObject(value.location)) return undefined;
  const [uri, range] = [text(value.location.uri), readRange(value.location.range)];
  if (uri === undefined || range === undefined) return undefined;
  return {
    relation: text(value.relation) ?? '',
    name: text(value.name) ?? '',
    function: text(value.function) ?? '',
    text: text(value.text) ?? '',
    parts: list(value.parts).map(String),
    uri,
    range,
  };
}

/** Relations that mean the same value. */
const ITSELF = ['unchanged', 'renamed', 'changed'];

/** Returns the only possible target: the value itself, or the only place. */
export function obvious({ places }: Following): Place | undefined {
  const [first] = places;
  if (first === undefined) return undefined;
  return places.length === 1 || ITSELF.includes(first.relation) ? first : undefined;
}

export function nameOf({ name, function: around, text: line }: Place): string {
  if (name !== '') return name;
  return line === '' ? around : line;
}

/** `relu → lv: changed (operator); fused into fused_matmul_relu` */
export function told({ origin, places }: Following): string {
  if (places.length === 0) return `${nameOf(origin)} is gone`;
  const words = places.map((place) => {
    const parts = place.parts.length === 0 ? '' : ` (${place.parts.join(', ')})`;
    const where = ITSELF.includes(place.relation) ? '' : ` ${nameOf(place)}`;
    return `${place.relation}${where}${parts}`;
  });
  const [first] = places;
  const name = first !== undefined && first.relation !== 'unchanged' && ITSELF.includes(first.relation) && nameOf(first) !== nameOf(origin) ? ` → ${nameOf(first)}` : '';
  return `${nameOf(origin)}${name}: ${words.join('; ')}`;
}
