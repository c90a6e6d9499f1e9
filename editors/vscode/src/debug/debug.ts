// “Debug”: debugs a function in VS Code's debugger, through `relax-lsp dap`.

import * as vscode from 'vscode';
import type { Server } from '../client';
import { functionAtCursor } from '../commands/run';
import { readTarget } from '../protocol';
import type { Runs } from '../runs/runs';
import { completed, DEBUG_TYPE, launchOf } from './launch';

export const DEBUG = 'relax.debug';

export class Debugging implements vscode.DebugAdapterDescriptorFactory, vscode.DebugConfigurationProvider, vscode.Disposable {
  readonly #server: Server;
  readonly #runs: Runs;
  readonly #registered: vscode.Disposable[];

  constructor(server: Server, runs: Runs) {
    this.#server = server;
    this.#runs = runs;
    this.#registered = [
      vscode.debug.registerDebugAdapterDescriptorFactory(DEBUG_TYPE, this),
      vscode.debug.registerDebugConfigurationProvider(DEBUG_TYPE, this),
      vscode.commands.registerCommand(DEBUG, (...args: unknown[]) => this.#start(args)),
    ];
  }

  dispose(): void {
    for (const it of this.#registered) it.dispose();
  }

  async createDebugAdapterDescriptor(): Promise<vscode.DebugAdapterDescriptor> {
    const found = await this.#server.find();
    if (found.kind === 'missing') throw new Error(found.why);
    return new vscode.DebugAdapterExecutable(found.file, ['dap']);
  }

  /** Without a configuration, debugs the function at the cursor. */
  async resolveDebugConfiguration(_: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
    return configuration.type === undefined ? this.#configuration([]) : configuration;
  }

  resolveDebugConfigurationWithSubstitutedVariables(folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration): vscode.DebugConfiguration {
    const settings = vscode.workspace.getConfiguration('relax', folder);
    const tvm = settings.get<string>('tvm', 'auto');
    return completed(configuration, { dim: settings.get<number>('run.defaultDim', 4), tvm: tvm === 'auto' ? undefined : tvm });
  }

  /** A lens gives the function; from the palette, it is the function at the cursor. */
  async #start(args: readonly unknown[]): Promise<boolean> {
    const configuration = await this.#configuration(args);
    if (configuration === undefined) return false;
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(configuration['program'] as string));
    return vscode.debug.startDebugging(folder, configuration);
  }

  async #configuration(args: readonly unknown[]): Promise<vscode.DebugConfiguration | undefined> {
    const target = readTarget(args) ?? (await functionAtCursor());
    if (target === undefined) return undefined;
    const uri = vscode.Uri.parse(target.uri);
    if (uri.scheme !== 'file') {
      void vscode.window.showInformationMessage('Save the file first: the debugger reads it from the disk.');
      return undefined;
    }
    const hasBreakpoint = vscode.debug.breakpoints.some(
      (it) => it.enabled && it instanceof vscode.SourceBreakpoint && it.location.uri.toString() === uri.toString(),
    );
    return { ...launchOf(uri.fsPath, target.function, this.#runs.formOf(target), hasBreakpoint) };
  }
}
