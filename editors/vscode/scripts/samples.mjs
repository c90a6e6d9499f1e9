// The sample compilations of the playground: dumps of passes, as one file with each text once.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PASSES = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'tests', 'fixtures', 'passes');

/** `mistake`: a pass that writes something else from then on, as one with a bug does. */
const SAMPLES = [
  { title: 'A perceptron', folder: 'mlp' },
  {
    title: 'A pass with a bug',
    folder: 'mlp',
    mistake: { pass: '018_CallTIRRewrite', right: 'in T.grid(batch, T.int64(10), T.int64(128)):', wrong: 'in T.grid(batch, T.int64(10), T.int64(127)):' },
  },
];

/** `{texts, samples: [{title, stages: [[name, index of the text]]}]}` */
export function samples() {
  const texts = [];
  const indexOf = (text) => {
    if (!texts.includes(text)) texts.push(text);
    return texts.indexOf(text);
  };
  const all = SAMPLES.map(({ title, folder, mistake }) => {
    const stages = fs.readdirSync(path.join(PASSES, folder)).sort().map((name) => {
      const text = fs.readFileSync(path.join(PASSES, folder, name), 'utf8');
      const wrong = mistake !== undefined && name >= mistake.pass;
      return [name, indexOf(wrong ? text.replace(mistake.right, mistake.wrong) : text)];
    });
    return { title, stages };
  });
  return JSON.stringify({ texts, samples: all });
}
