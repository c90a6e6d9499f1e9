// The language status item: what the server is doing, its version, and how to restart it. Shown if the active document
// contains TVMScript.

import * as vscode from 'vscode';
import { DOCUMENTS, type Health } from './client';

export class Status implements vscode.Disposable {
  readonly #item: vscode.LanguageStatusItem;

  constructor() {
    this.#item = vscode.languages.createLanguageStatusItem('relax.server', []);
    this.#item.name = 'Relax';
  }

  show(health: Health, relevant: boolean): void {
    const item = this.#item;
    item.selector = relevant ? DOCUMENTS : [];
    item.busy = health.state === 'starting';
    item.severity = vscode.LanguageStatusSeverity.Information;
    item.command = { title: 'Restart', command: 'relax.restart' };
    switch (health.state) {
      case 'idle':
        item.text = 'Relax: not running';
        item.detail = 'The server is stopped.';
        return;
      case 'starting':
        item.text = 'Relax: starting';
        item.detail = '';
        return;
      case 'ready':
        item.text = `Relax ${health.version}`;
        item.detail = 'Ready';
        return;
      case 'missing':
        item.text = 'Relax: no server';
        item.detail = health.why;
        item.severity = vscode.LanguageStatusSeverity.Error;
        item.command = { title: 'Choose…', command: 'relax.openSettings' };
        return;
      case 'failed':
        item.text = 'Relax: stopped';
        item.detail = health.why;
        item.severity = vscode.LanguageStatusSeverity.Error;
        item.command = { title: 'Show Logs', command: 'relax.showLogs' };
        return;
    }
  }

  dispose(): void {
    this.#item.dispose();
  }
}
