// The launch configuration of the debugger, with the values of the function's last run. Knows no editor.

import type { Form } from '../panel/messages';

/** VS Code's name for sessions of `relax-lsp dap`. */
export const DEBUG_TYPE = 'relax';

export interface Launch {
  type: typeof DEBUG_TYPE;
  request: 'launch';
  name: string;
  program: string;
  function: string;
  dims: Readonly<Record<string, number>>;
  inputs: Readonly<Record<string, string>>;
  params: readonly string[];
  seed: number;
  stopOnEntry: boolean;
}

/** Without a breakpoint in the file, the run stops at the first statement, as it would otherwise end at once. */
export function launchOf(program: string, name: string, { dims, inputs, weights, seed }: Pick<Form, 'dims' | 'inputs' | 'weights' | 'seed'>, hasBreakpoint: boolean): Launch {
  return { type: DEBUG_TYPE, request: 'launch', name: `Debug ${name}`, program, function: name, dims, inputs, params: weights, seed, stopOnEntry: !hasBreakpoint };
}

/** Defaults from the settings. */
export interface Defaults {
  dim: number;
  tvm: string | undefined;
}

/** Fills in the settings' values where a configuration has none. */
export function completed<T extends Record<string, unknown>>(configuration: T, { dim, tvm }: Defaults): T {
  const release = configuration['tvm'] ?? tvm;
  return { ...configuration, defaultDim: configuration['defaultDim'] ?? dim, ...(release === undefined ? {} : { tvm: release }) };
}
