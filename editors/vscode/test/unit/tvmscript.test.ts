// Which Python text holds TVMScript.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsTvmScript, importsTvm } from '../../src/tvmscript';

const yes: Record<string, string> = {
  'an import': 'import numpy\nfrom tvm.script import relax as R\n',
  'an import of the parser': 'from tvm.script.parser import ir as I\n',
  'a whole import': 'import tvm.script\n',
  'an import of the module': 'from tvm import relax, script\n',
  'the comment TVM prints': '# from tvm.script import ir as I\n',
  'an indented import': 'def f():\n    from tvm.script import tir as T\n',
  'a Relax function': 'x = 1\n@R.function\ndef f(): ...\n',
  'a function with options': '@R.function(pure=False)\ndef f(): ...\n',
  'a module': '@I.ir_module\nclass M: ...\n',
  'a module, as the RFC writes it': '@tvm.script.ir_module\nclass M: ...\n',
  'a PrimFunc in a class': 'class M:\r\n    @T.prim_func\r\n    def f(): ...\r\n',
};

const no: Record<string, string> = {
  'plain Python': 'import numpy as np\n@functools.cache\ndef function(): ...\n',
  'TVM without TVMScript': 'import tvm\nfrom tvm import relax\nrelax.build(mod)\n',
  'a word in a string': 's = "@R.function"\n',
  'a longer name': '@R.functional\ndef f(): ...\nfrom tvm.scripting import x\n',
  'nothing': '',
};

for (const [what, text] of Object.entries(yes)) test(`TVMScript: ${what}`, () => assert.equal(holdsTvmScript(text), true));
for (const [what, text] of Object.entries(no)) test(`not TVMScript: ${what}`, () => assert.equal(holdsTvmScript(text), false));

test('a program that imports TVM is read', () => {
  assert.equal(importsTvm('import numpy\nimport tvm\n'), true);
  assert.equal(importsTvm('def f():\n    from tvm.relax import transform\n'), true);
  assert.equal(importsTvm('import re, tvm\n'), true);
  assert.equal(importsTvm('# tvm\nimport tvmlike\n'), false);
  assert.equal(importsTvm('bb = BlockBuilder()\n'), false);
});

test('a long file of Python is looked through in linear time', () => {
  const text = `${'from tvm import '.repeat(20_000)}\n${' '.repeat(200_000)}x\n`;
  assert.equal(holdsTvmScript(text), false);
  assert.equal(importsTvm(text.replaceAll('tvm', 'tvn')), false);
});
