// Tests the colours of TVMScript inside a Python grammar, with the engine of VS Code. The Python grammar here only
// knows comments, strings and names.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createOnigScanner, createOnigString, loadWASM } from 'vscode-oniguruma';
import { type IGrammar, INITIAL, parseRawGrammar, Registry } from 'vscode-textmate';

const PYTHON = {
  scopeName: 'source.python',
  patterns: [
    { name: 'comment.line.python', match: '#.*$' },
    { name: 'string.quoted.python', begin: '"', end: '"' },
    { name: 'variable.python', match: '\\w+' },
  ],
};

const here = path.resolve(__dirname, '..', '..', '..');

async function grammar(): Promise<IGrammar> {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await loadWASM(wasm);
  const injection = fs.readFileSync(path.join(here, 'syntaxes', 'tvmscript.injection.json'), 'utf8');
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => {
      const text = scope === 'source.python' ? JSON.stringify(PYTHON) : injection;
      return parseRawGrammar(text, `${scope}.json`);
    },
    getInjections: (scope) => (scope === 'source.python' ? ['source.python.tvmscript'] : []),
  });
  const loaded = await registry.loadGrammar('source.python');
  assert.ok(loaded);
  return loaded;
}

const loading = grammar();

/**
 * Returns the innermost scope of each coloured piece of text, in order. Adjacent pieces with the same scope are merged.
 */
async function scopes(text: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  let state = INITIAL;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = (await loading).tokenizeLine(line, state);
    state = ruleStack;
    let touching = -1;
    for (const token of tokens) {
      const scope = token.scopes.at(-1) ?? '';
      if (/^(entity|storage|support|keyword|variable\.parameter|comment|string)/.test(scope)) {
        const text = line.slice(token.startIndex, token.endIndex);
        const last = found.at(-1);
        if (last?.[1] === scope && touching === token.startIndex) last[0] += text;
        else found.push([text, scope]);
        touching = token.endIndex;
      }
    }
  }
  return found;
}

test('a decorator', async () => {
  assert.deepEqual(await scopes('    @R.function(pure=False)'), [
    ['R', 'entity.name.namespace.tvmscript'],
    ['function', 'storage.type.function.tvmscript'],
  ]);
});

test('shape variables and a dtype in strings', async () => {
  assert.deepEqual(await scopes('x: R.Tensor(("n", "n * 2", 4), dtype="float32") = "n"'), [
    ['R', 'entity.name.namespace.tvmscript'],
    ['Tensor', 'support.type.struct-info.tvmscript'],
    ['n', 'variable.parameter.shape.tvmscript'],
    ['n * 2', 'variable.parameter.shape.tvmscript'],
    ['float32', 'support.type.dtype.tvmscript'],
    ['"n"', 'string.quoted.python'],
  ]);
});

test('a StructInfo over several lines ends where it ends', async () => {
  const text = 'x: R.Tuple(R.Tensor(("n",), "int8"),\n  R.Object)\ny = "n"';
  assert.deepEqual(
    (await scopes(text)).slice(-3),
    [
      ['n', 'variable.parameter.shape.tvmscript'],
      ['int8', 'support.type.dtype.tvmscript'],
      ['"n"', 'string.quoted.python'],
    ],
  );
});

test('operators, frames and dtypes', async () => {
  assert.deepEqual(await scopes('lv = R.nn.relu(x); R.output(lv); n = T.int64()'), [
    ['R', 'entity.name.namespace.tvmscript'],
    ['nn.', 'entity.name.namespace.tvmscript'],
    ['relu', 'support.function.operator.tvmscript'],
    ['R', 'entity.name.namespace.tvmscript'],
    ['output', 'keyword.control.tvmscript'],
    ['T', 'entity.name.namespace.tvmscript'],
    ['int64', 'support.type.dtype.tvmscript'],
  ]);
});

test('comments and strings keep their colour', async () => {
  assert.deepEqual(await scopes('# R.output(x)\ns = "R.output(x)"'), [
    ['# R.output(x)', 'comment.line.python'],
    ['"R.output(x)"', 'string.quoted.python'],
  ]);
});

test('attributes of other objects are left alone', async () => {
  assert.deepEqual(await scopes('T.mean(x); model.R; my_R.output(x)'), []);
});
