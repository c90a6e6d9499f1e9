// What each pass changed, as the page that `relax-lsp report` writes, in an editor. Numbers of lines open the difference.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export class PassPage implements vscode.Disposable {
  #panel: vscode.WebviewPanel | undefined;

  dispose(): void {
    this.#panel?.dispose();
  }

  get isOpen(): boolean {
    return this.#panel !== undefined;
  }

  /** The editors keep the focus. */
  show(page: string): void {
    this.#panel ??= this.#open();
    const nonce = randomBytes(16).toString('base64');
    const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">`;
    const links = page.replace(/href="#(before|after)-(\d+)-(\d+)"/g, (_, side, at, line) => `title="Open the difference" href="command:relax.comparePass?${encodeURIComponent(JSON.stringify([side, Number(at), line - 1]))}"`);
    this.#panel.webview.html = links.replace('<title>', `${policy}<title>`).replace('<script>', `<script nonce="${nonce}">`);
  }

  /** Scrolls to a pass. */
  reveal(stage: number): void {
    void this.#panel?.webview.postMessage(`stage-${stage}`);
  }

  #open(): vscode.WebviewPanel {
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: true };
    const options = { enableScripts: true, enableCommandUris: ['relax.comparePass'], localResourceRoots: [], retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel('relax.passPage', 'Passes', place, options);
    panel.onDidDispose(() => (this.#panel = undefined));
    return panel;
  }
}
