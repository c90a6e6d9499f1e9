// The messages between the panel's page and the extension. Plain data; both sides use this file.

import type { Param, RunResult, TensorRequest, TensorView } from '../protocol';
import type { Change } from '../runs/book';

/** The contents of the form, which determine a run. */
export interface Form {
  dims: Record<string, number>;
  /** By parameter. Parameters that are missing here are random. */
  inputs: Record<string, string>;
  /** Weight files, for parameters that are not in `inputs`. */
  weights: string[];
  seed: number;
  rerunOnSave: boolean;
  /** Counts how often the panel has got a new subject. In between, only the page changes the form. */
  turn: number;
}

export interface Subject {
  uri: string;
  file: string;
  function: string;
  /** The line of the `def`, from 0. */
  line: number;
  dims: readonly string[];
  params: readonly Param[];
}

/** A line of the history. */
export interface Past {
  id: number;
  when: number;
  function: string;
  dims: string;
  outcome: 'ok' | 'error' | 'cancelled';
  summary: string;
}

export interface Shown {
  id: number;
  result: RunResult;
}

export interface State {
  subject: Subject;
  form: Form;
  /** Objects from earlier runs of this document that a parameter can take. */
  objects: readonly string[];
  /** The kind of run in progress. */
  running?: 'run' | 'trace';
  shown?: Shown;
  history: readonly Past[];
  /** The run that the one shown is compared with. */
  comparison?: { id: number; run?: number; changes: readonly Change[] };
}

export type ToPage =
  /** `files`: whether inputs and tensors can be files, and the program is saved in one. */
  | { kind: 'state'; state: State; files: boolean }
  | { kind: 'tensor'; ask: number; view?: TensorView; error?: string }
  /** Show the tensor of a binding that was clicked in the editor. */
  | { kind: 'open'; name: string }
  /** A file was chosen for a parameter. */
  | { kind: 'chosen'; param: string; file: string }
  | { kind: 'chosenWeights'; files: string[] };

export type FromPage =
  | { kind: 'ready' }
  | { kind: 'run' | 'trace'; form: Form }
  | { kind: 'form'; form: Form }
  | { kind: 'cancel' }
  | { kind: 'tensor'; ask: number; request: TensorRequest }
  | { kind: 'copy' | 'save'; name: string }
  /** Without a line: the position of the error. */
  | { kind: 'reveal'; line?: number }
  | { kind: 'choose'; param: string }
  | { kind: 'chooseWeights' }
  | { kind: 'select'; id: number }
  | { kind: 'compare'; id: number | null };
