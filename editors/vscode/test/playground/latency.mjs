// Latency in the page whose server is WebAssembly: from an edit to the diagnostics of the new text.

/** Types at places all over the program, one character after another; the times in milliseconds, sorted. */
export function latency(page, program, strokes) {
  return page.evaluate(
    async ([program, strokes]) => {
      const uri = 'untitled:latency.py';
      const worker = new Worker('server.js', { name: 'server' });
      const waiting = new Map();
      await new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }));
      worker.addEventListener('message', ({ data }) => {
        const { id, method, result } = JSON.parse(data);
        if (method === undefined) waiting.get(id)?.(result);
        else if (id !== undefined) worker.postMessage(JSON.stringify({ jsonrpc: '2.0', id, result: null }));
      });
      let last = 0;
      const tell = (method, params) => worker.postMessage(JSON.stringify({ jsonrpc: '2.0', method, params }));
      const ask = (method, params) =>
        new Promise((resolve) => {
          last += 1;
          waiting.set(last, resolve);
          worker.postMessage(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }));
        });
      await ask('initialize', { processId: null, rootUri: null, capabilities: { textDocument: { diagnostic: {} } } });
      tell('initialized', {});
      tell('textDocument/didOpen', { textDocument: { uri, languageId: 'python', version: 0, text: program } });
      await ask('textDocument/diagnostic', { textDocument: { uri } });
      const lines = program.split('\n');
      const bindings = lines.flatMap((line, at) => (/^\s+\w+.* = R\./.test(line) ? [at] : []));
      const times = [];
      for (let stroke = 0; stroke < strokes; stroke += 1) {
        const line = bindings[(stroke * 37) % bindings.length];
        const character = lines[line].indexOf('R.') + 2;
        // Typed, and then taken away.
        for (const [end, text] of [
          [character, 'x'],
          [character + 1, ''],
        ]) {
          const range = { start: { line, character }, end: { line, character: end } };
          const began = performance.now();
          tell('textDocument/didChange', { textDocument: { uri, version: 2 * stroke + 1 }, contentChanges: [{ range, text }] });
          const { items } = await ask('textDocument/diagnostic', { textDocument: { uri } });
          times.push(performance.now() - began);
          if ((text === '') !== (items.length === 0)) throw new Error(`line ${line + 1}: ${JSON.stringify(items)}`);
        }
      }
      worker.terminate();
      return times.sort((one, other) => one - other);
    },
    [program, strokes],
  );
}
