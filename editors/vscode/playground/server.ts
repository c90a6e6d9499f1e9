// A web worker with an instance of the server. The page's worker starts another worker for each program that runs,
// which it can end at any time.

import init, { Connection, keep, take_saved_values as takeSavedValues, work } from 'relax-lsp-module';

/** The message that starts the thread of a program. */
interface Task {
  module: WebAssembly.Module;
  task: string;
}

/** Its answer: text, and the values to keep, each with its path. */
interface Answer {
  answer: string;
  values: [string, Uint8Array][];
}

/** The global scope of a worker. */
interface Thread {
  name: string;
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void, options?: { once: boolean }): void;
}

const thread = globalThis as unknown as Thread;

async function load(): Promise<WebAssembly.Module> {
  const response = await fetch('server.wasm');
  // Some hosts send files without a content type.
  if (response.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function serve(): Promise<void> {
  const module = await load();
  await init({ module_or_path: module });

  class ProgramWorker {
    readonly #worker = new Worker('server.js', { name: 'program' });

    work(task: string): Promise<string> {
      return new Promise((resolve, reject) => {
        this.#worker.addEventListener('message', ({ data: { answer, values } }: MessageEvent<Answer>) => {
          for (const [path, bytes] of values) keep(path, bytes);
          resolve(answer);
        });
        this.#worker.addEventListener('error', (event) => {
          event.preventDefault();
          reject(event.message);
        });
        this.#worker.postMessage({ module, task } satisfies Task);
      });
    }

    end(): void {
      this.#worker.terminate();
    }
  }
  Object.assign(globalThis, { ProgramWorker });

  const connection = new Connection((message: string) => thread.postMessage(message));
  thread.addEventListener('message', ({ data }: MessageEvent<string>) => connection.receive(data));
  thread.postMessage('ready');
}

async function compute({ data: { module, task } }: MessageEvent<Task>): Promise<void> {
  await init({ module_or_path: module });
  const answer = work(task);
  thread.postMessage({ answer, values: takeSavedValues() } satisfies Answer);
}

/** Throws outside of promises, so that the worker's owner gets the error. */
function fail(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}

if (thread.name === 'program') thread.addEventListener('message', (event) => void compute(event).catch(fail), { once: true });
else void serve().catch(fail);
