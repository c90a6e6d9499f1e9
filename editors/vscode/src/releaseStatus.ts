// The status item that shows the release of the active file, and changes it.

import * as vscode from 'vscode';
import { DOCUMENTS, type Server } from './client';
import { CHOOSE_RELEASE, RELEASE, fileRelease, shown } from './release';

/** The pause after an edit before the release is requested again, in milliseconds. */
const QUIET = 500;

export class ReleaseStatus implements vscode.Disposable {
  readonly #item = vscode.languages.createLanguageStatusItem('relax.release', []);
  readonly #client: () => Server['client'];
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: () => Server['client']) {
    this.#client = client;
    this.#item.name = 'Relax: TVM Release';
    this.#item.command = { title: 'Change', command: CHOOSE_RELEASE };
  }

  /** Requests the release of the active document. */
  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    const document = vscode.window.activeTextEditor?.document;
    const client = this.#client();
    const here = document !== undefined && vscode.languages.match(DOCUMENTS, document) > 0;
    const question = { command: RELEASE, arguments: [{ uri: document?.uri.toString() }] };
    // A server of another version may not know the command.
    const answer = here && client !== undefined ? await client.sendRequest('workspace/executeCommand', question).catch(() => undefined) : undefined;
    if (asked !== this.#asked) return;
    const release = fileRelease(answer);
    this.#item.selector = release === undefined ? [] : DOCUMENTS;
    if (release !== undefined) Object.assign(this.#item, shown(release));
  }

  /** Requests it after a pause in typing. */
  refreshSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(), QUIET);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#item.dispose();
  }
}
