// Shows the progress of a run as a notification with a Cancel button, unless the panel shows it. The language client
// shows progress in the status bar, without a way to cancel.

import * as vscode from 'vscode';
import { type Middleware, type ProgressToken, WorkDoneProgressCancelNotification } from 'vscode-languageclient/node';

type Sender = () => { sendNotification: (type: typeof WorkDoneProgressCancelNotification.type, params: { token: ProgressToken }) => Promise<void> } | undefined;
type Reporter = vscode.Progress<{ message?: string; increment?: number }>;

/** Shorter work shows no notification, since it would only flash. */
const PATIENCE = 300;

interface Shown {
  reporter: Reporter | undefined;
  percentage: number;
  /** Reports that arrived before the notification was shown. */
  pending: string | undefined;
  finish: () => void;
}

export class CancellableProgress {
  readonly #shown = new Map<ProgressToken, Shown>();
  readonly #client: Sender;
  /** Whether the panel shows the progress. */
  readonly #elsewhere: () => boolean;

  constructor(client: Sender, elsewhere: () => boolean) {
    this.#client = client;
    this.#elsewhere = elsewhere;
  }

  readonly handle: NonNullable<Middleware['handleWorkDoneProgress']> = (token, params, next) => {
    const shown = this.#shown.get(token);
    if (params.kind === 'begin' && params.cancellable === true && !this.#elsewhere()) {
      this.#begin(token, params.title, params.message);
    } else if (shown === undefined) {
      next(token, params);
    } else if (params.kind === 'report') {
      const increment = params.percentage === undefined ? 0 : Math.max(0, params.percentage - shown.percentage);
      shown.percentage += increment;
      if (shown.reporter === undefined) shown.pending = params.message ?? shown.pending;
      else shown.reporter.report({ increment, ...(params.message === undefined ? {} : { message: params.message }) });
    } else if (params.kind === 'end') {
      shown.finish();
      this.#shown.delete(token);
      next(token, params);
    }
  };

  /** The server has ended, and its work with it. */
  clear(): void {
    for (const shown of this.#shown.values()) shown.finish();
    this.#shown.clear();
  }

  #begin(token: ProgressToken, title: string, message: string | undefined): void {
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const shown: Shown = { reporter: undefined, percentage: 0, pending: message, finish };
    this.#shown.set(token, shown);
    const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
    const work = (reporter: Reporter, cancellation: vscode.CancellationToken): Promise<void> => {
      shown.reporter = reporter;
      if (shown.pending !== undefined) reporter.report({ message: shown.pending });
      cancellation.onCancellationRequested(() => {
        void this.#client()?.sendNotification(WorkDoneProgressCancelNotification.type, { token });
      });
      return finished;
    };
    const timer = setTimeout(() => void vscode.window.withProgress(options, work), PATIENCE);
    void finished.then(() => clearTimeout(timer));
  }
}
