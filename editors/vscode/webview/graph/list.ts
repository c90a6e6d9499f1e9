// The values of a graph as a list, for screen readers and for the keyboard. Knows no page.

import { type Graph, titleOf } from '../../src/graph/graph';

/** Returns a line for each node, in the order of the text: `hidden = matmul(x, w1): f32[batch, 32]`. */
export function lines({ nodes, edges }: Graph): string[] {
  const nameOf = (at: number): string => {
    const node = nodes[at];
    return node === undefined ? '' : node.name === '' ? titleOf(node) : node.name;
  };
  const operands = nodes.map((): string[] => []);
  for (const { from, to } of edges) operands[to]?.push(nameOf(from));
  return nodes.map((node, at) => {
    const { name, kind, type, callee, operation } = node;
    const read = [...(operands[at] ?? []), ...node.weights.map(({ label }) => label)].join(', ');
    const made = kind === 'parameter' || kind === 'function' ? '' : (callee ?? operation);
    // A field of a tuple: `parts[0]`.
    const called = made.startsWith('[') ? `${read}${made}` : made === '' || read === '' ? made + read : `${made}(${read})`;
    const whole = name === '' || called === '' ? name + called : `${name} = ${called}`;
    return type === '' ? whole : `${whole}: ${type}`;
  });
}
