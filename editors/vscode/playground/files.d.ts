// Files that the bundler includes as text.

declare module '*.py' {
  const text: string;
  export default text;
}

// Types of the module that `packaging/wasm` builds from `crates/lsp-server/src/browser.rs`.

declare module 'relax-lsp-module' {
  export default function init(from: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  export class Connection {
    constructor(send: (message: string) => void);
    receive(message: string): void;
  }
  export function work(task: string): string;
  export function take_saved_values(): [string, Uint8Array][];
  export function keep(path: string, bytes: Uint8Array): void;
}
