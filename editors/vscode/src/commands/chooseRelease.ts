// “Relax: Choose TVM Release”: sets the release for which the files of the workspace are written.

import * as vscode from 'vscode';
import { releaseChoices } from '../release';

export async function chooseRelease(extension: vscode.Extension<unknown>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('relax');
  const declared = extension.packageJSON.contributes.configuration.properties['relax.tvm'];
  const choices = releaseChoices(declared, configuration.get('tvm', 'auto'));
  const choice = await vscode.window.showQuickPick(choices, { title: 'The release of TVM that files are written for' });
  if (choice === undefined) return;
  const inWorkspace = vscode.workspace.workspaceFolders !== undefined;
  const place = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await configuration.update('tvm', choice.value === 'auto' ? undefined : choice.value, place);
}
