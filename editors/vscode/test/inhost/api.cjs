// Runs inside the extension host, against the real API: what other extensions and keybindings get from this one.
// `run` is called by the host; what it finds goes to the file in RELAX_INHOST.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const ask = (command, ...args) => vscode.commands.executeCommand(command, ...args);

/** Waits for something that arrives by itself. */
async function until(what, probe) {
  const end = Date.now() + 30_000;
  while (Date.now() < end) {
    const found = await probe();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited for ${what}`);
}

async function open(name) {
  const folder = vscode.workspace.workspaceFolders[0].uri;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, name));
  await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  return document;
}

function place(document, text, offset = 0) {
  const at = document.getText().indexOf(text);
  assert.ok(at >= 0, text);
  return document.positionAt(at + offset);
}

async function lenses(document) {
  return until('lenses', async () => {
    const found = (await ask('vscode.executeCodeLensProvider', document.uri, 100)) ?? [];
    return found.some((lens) => lens.command?.command === 'relax.run') && found;
  });
}

/** The innermost frame of a session that has stopped. */
async function frame(session) {
  const { stackFrames } = await session.customRequest('stackTrace', { threadId: 1 });
  return stackFrames[0];
}

async function target(document) {
  const found = await lenses(document);
  return found.find((lens) => lens.command.command === 'relax.run').command.arguments[0];
}

const STANDARD_TYPES = ['namespace', 'class', 'type', 'function', 'parameter', 'variable', 'decorator'];
const STANDARD_MODIFIERS = ['declaration', 'modification', 'deprecated', 'defaultLibrary'];

const TESTS = {
  'every command of the manifest is registered once a model is open': async () => {
    await lenses(await open('mlp.py'));
    const extension = vscode.extensions.getExtension('relax-lsp.relax-lsp');
    assert.ok(extension.isActive);
    const known = await vscode.commands.getCommands(true);
    for (const { command } of extension.packageJSON.contributes.commands) assert.ok(known.includes(command), command);
  },
  'the debugger stops at a breakpoint, shows variables and steps': async () => {
    const document = await open('mlp.py');
    const line = place(document, 'active = ').line;
    const breakpoint = new vscode.SourceBreakpoint(new vscode.Location(document.uri, new vscode.Position(line, 0)));
    vscode.debug.addBreakpoints([breakpoint]);
    const given = await target(document);
    assert.ok(await ask('relax.debug', given));
    const session = await until('a session', () => vscode.debug.activeDebugSession);
    assert.equal(session.type, 'relax');
    const stopped = () => until('a stop', () => vscode.debug.activeStackItem?.session === session && frame(session));
    assert.equal((await stopped()).line, line + 1);
    const { result } = await session.customRequest('evaluate', { expression: 'x.ndim', frameId: 1 });
    assert.equal(result, '2');
    const ended = new Promise((resolve) => vscode.debug.onDidTerminateDebugSession(resolve));
    vscode.debug.removeBreakpoints([breakpoint]);
    await session.customRequest('continue', { threadId: 1 });
    assert.equal(await ended, session);
  },
  'a hover shows the StructInfo': async () => {
    const document = await open('mlp.py');
    const [hover] = await ask('vscode.executeHoverProvider', document.uri, place(document, 'matmul(active', 8));
    assert.match(hover.contents.map((it) => it.value).join('\n'), /batch, 32/);
  },
  'hints, symbols and definitions are there': async () => {
    const document = await open('mlp.py');
    const hints = await ask('vscode.executeInlayHintProvider', document.uri, new vscode.Range(0, 0, 99, 0));
    assert.ok(hints.length >= 8, `${hints.length} hints`);
    const symbols = await ask('vscode.executeDocumentSymbolProvider', document.uri);
    assert.deepEqual(symbols.map((it) => it.name), ['Module']);
    const [found] = await ask('vscode.executeDefinitionProvider', document.uri, place(document, 'matmul(active', 8));
    assert.equal((found.range ?? found.targetRange).start.line, place(document, 'active = ').line);
  },
  'every kind of name that the server tells apart is declared': async () => {
    const document = await open('mlp.py');
    const legend = await ask('vscode.provideDocumentSemanticTokensLegend', document.uri);
    const { semanticTokenTypes, semanticTokenModifiers } = vscode.extensions.getExtension('relax-lsp.relax-lsp').packageJSON.contributes;
    const types = new Set([...STANDARD_TYPES, ...semanticTokenTypes.map((it) => it.id)]);
    const modifiers = new Set([...STANDARD_MODIFIERS, ...semanticTokenModifiers.map((it) => it.id)]);
    assert.deepEqual(legend.tokenTypes.filter((it) => !types.has(it)), []);
    assert.deepEqual(legend.tokenModifiers.filter((it) => !modifiers.has(it)), []);
    const tokens = await ask('vscode.provideDocumentSemanticTokens', document.uri);
    assert.ok(tokens.data.length > 0);
  },
  'a rename changes every use': async () => {
    const document = await open('mlp.py');
    const edit = await ask('vscode.executeDocumentRenameProvider', document.uri, place(document, 'hidden = '), 'inner');
    assert.deepEqual(edit.entries().map(([uri, edits]) => [uri.toString(), edits.length]), [[document.uri.toString(), 2]]);
  },
  'an edit that breaks the model becomes a diagnostic with a code, and goes with it': async () => {
    const document = await open('mlp.py');
    const start = place(document, 'nn.relu', 3);
    const edit = async (range, text) => {
      const change = new vscode.WorkspaceEdit();
      change.replace(document.uri, range, text);
      await vscode.workspace.applyEdit(change);
    };
    await edit(new vscode.Range(start, start.translate(0, 4)), 'rellu');
    const [found] = await until('a diagnostic', () => {
      const all = vscode.languages.getDiagnostics(document.uri);
      return all.length > 0 && all;
    });
    const code = typeof found.code === 'object' ? found.code.value : found.code;
    assert.deepEqual([code, found.range.start.line], ['unknown-operator', start.line]);
    await edit(new vscode.Range(start, start.translate(0, 5)), 'relu');
    await until('none', () => vscode.languages.getDiagnostics(document.uri).length === 0);
  },
  'a run answers with its outputs, and its tensors can be looked at': async () => {
    const document = await open('cube.py');
    const result = await ask('relax.run', { ...(await target(document)), dims: { n: 2 }, inputs: { x: 'arange' } });
    assert.equal(result.ok, true, JSON.stringify(result));
    assert.deepEqual([result.outputs[0].shape, result.outputs[0].max], [[2, 2, 3], 22]);
    const view = await ask('relax.tensor', { run: result.run, name: 'out', slice: { at: [1, 0, 0] } });
    assert.deepEqual(view.slice.values, [[12, 14, 16], [18, 20, 22]]);
    assert.ok(fs.statSync(path.join(result.folder, 'out.npy')).size > 80);
  },
  'a failure says where': async () => {
    const document = await open('mlp.py');
    const found = (await lenses(document)).map((lens) => lens.command.arguments?.[0]).find((it) => it?.function === 'Module.narrow');
    const result = await ask('relax.run', { ...found, dims: { n: 2 } });
    assert.equal(result.ok, false);
    assert.equal(result.error.range.start.line, place(document, 'y = R.match_cast').line);
  },
  'a trace tells every binding': async () => {
    const document = await open('nan.py');
    const result = await ask('relax.trace', await target(document));
    const { bindings } = result.trace;
    const roots = bindings.find((it) => it.name === 'roots');
    assert.deepEqual([roots.callee, roots.value.nan], ['relax.sqrt', 2]);
    const view = await ask('relax.tensor', { run: result.run, name: roots.kept, slice: {} });
    assert.deepEqual(view.slice.values, [['nan', 'nan', 0, 1]]);
  },
  'a stage is a read-only document beside the source': async () => {
    const document = await open('nan.py');
    await ask('relax.showLowered', { ...(await target(document)), stage: 'bytecode' });
    const shown = vscode.workspace.textDocuments.find((it) => it.uri.scheme === 'relax-lowered');
    assert.match(shown.getText(), /relax\.sqrt/);
  },
  'a graph opens beside the source and is answered': async () => {
    const document = await open('mlp.py');
    const graph = await ask('relax.showGraph', await target(document));
    assert.deepEqual(graph.nodes.map((it) => it.name).filter((it) => it !== ''), ['x', 'hidden', 'active', 'logits', 'probs']);
    assert.match(graph.dot, /^digraph "Module\.forward"/);
    await until('its tab', () => vscode.window.tabGroups.all.some((group) => group.tabs.some((tab) => tab.label === 'Graph Module.forward')));
  },
  'the example opens unsaved and runs': async () => {
    await ask('relax.openExample');
    const { document } = vscode.window.activeTextEditor;
    assert.deepEqual([document.uri.scheme, document.languageId], ['untitled', 'python']);
    const result = await ask('relax.run', { ...(await target(document)), dims: { batch: 2 } });
    assert.deepEqual(result.outputs[0].shape, [2, 4], JSON.stringify(result));
  },
};

exports.run = async () => {
  const told = [];
  for (const [name, test] of Object.entries(TESTS)) {
    const before = Date.now();
    try {
      await test();
      told.push({ name, took: Date.now() - before });
    } catch (error) {
      told.push({ name, took: Date.now() - before, problem: String(error?.stack ?? error) });
    }
  }
  const file = process.env.RELAX_INHOST;
  fs.writeFileSync(`${file}.part`, JSON.stringify(told));
  fs.renameSync(`${file}.part`, file);
};
