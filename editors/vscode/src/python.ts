// The Python environment that is selected in VS Code, from the Python extension if it is installed.

import * as path from 'node:path';
import * as vscode from 'vscode';

/** The part of the API of `ms-python.python` that is used here. */
interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

/** Returns the folder of the selected Python's program; `undefined` in an untrusted workspace. */
export async function pythonFolder(): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  if (extension === undefined) return undefined;
  try {
    const { environments } = await extension.activate();
    if (environments === undefined) return undefined;
    const selected = environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    const program = (await environments.resolveEnvironment(selected))?.executable.uri;
    return program === undefined ? undefined : path.dirname(program.fsPath);
  } catch {
    // This extension must start even if another one fails.
    return undefined;
  }
}
