// The channel that protocol traces go to. The language client writes traces only when the channel's own
// log level is Trace; this one takes its level from the setting `relax.trace.server`, as users expect.

import * as vscode from 'vscode';

const SETTING = 'relax.trace.server';

function level(): vscode.LogLevel {
  const wanted = vscode.workspace.getConfiguration().get<string>(SETTING, 'off');
  return wanted === 'off' ? vscode.LogLevel.Info : vscode.LogLevel.Trace;
}

export class TraceChannel implements vscode.LogOutputChannel {
  readonly #channel: vscode.OutputChannel;
  readonly #changed = new vscode.EventEmitter<vscode.LogLevel>();
  readonly #listener: vscode.Disposable;

  readonly onDidChangeLogLevel = this.#changed.event;
  logLevel = level();

  readonly name: string;

  constructor(name: string) {
    this.name = name;
    this.#channel = vscode.window.createOutputChannel(name);
    this.#listener = vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(SETTING)) return;
      this.logLevel = level();
      this.#changed.fire(this.logLevel);
    });
  }

  trace(message: string): void {
    this.#channel.appendLine(`${new Date().toISOString()} ${message}`);
  }
  debug(message: string): void {
    this.trace(message);
  }
  info(message: string): void {
    this.trace(message);
  }
  warn(message: string): void {
    this.trace(message);
  }
  error(error: string | Error): void {
    this.trace(String(error));
  }
  append(value: string): void {
    this.#channel.append(value);
  }
  appendLine(value: string): void {
    this.#channel.appendLine(value);
  }
  replace(value: string): void {
    this.#channel.replace(value);
  }
  clear(): void {
    this.#channel.clear();
  }
  show(): void {
    this.#channel.show(true);
  }
  hide(): void {
    this.#channel.hide();
  }
  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
    this.#channel.dispose();
  }
}
