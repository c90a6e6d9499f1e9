// Formatting: TVMScript as TVM prints it, in a Python file that is otherwise somebody's own.

import { until } from '../host.mjs';

const SCRIPT = [
  'def main(x: R.Tensor(("n", 4), "float32")):',
  '    with R.dataflow():',
  '        y = R.add(x, x)',
  '        z = R.nn.relu(y)',
  '        R.output(z)',
  '    return z',
];
const PYTHON = ["table = {'a':1,", "         'b' : 2}"];

export const formatting = {
  title: 'Formatting',
  workbench: { settings: { 'editor.inlayHints.enabled': 'off' } },
  async steps(scene, step) {
    const { workbench } = scene;
    const becomes = (lines) => until(lines.join(' / '), async () => (await workbench.text()).includes(lines.join('\n')));
    const undo = async () => {
      await workbench.click('main');
      await workbench.page.keyboard.press('Control+Z');
      await becomes(['    y = R.add( x,x )']);
    };
    await step('a document is formatted, and the Python around is left alone', async () => {
      await workbench.open(scene.work, scene.file('crooked.py'));
      await scene.lenses('Run', 1);
      await workbench.command('Format Document');
      await becomes(SCRIPT);
      await becomes(PYTHON);
      await scene.shot('formatted');
    });
    await step('what was formatted is undone in one step', undo);
    await step('the command of the extension does the same, whatever formats the Python', async () => {
      await workbench.command('Relax: Format TVMScript');
      await becomes(SCRIPT);
      await becomes(PYTHON);
      await undo();
    });
    await step('saving formats where the editor is told to', async () => {
      scene.settings({ 'editor.formatOnSave': true });
      await until('the formatted file', async () => {
        // The setting takes effect some time after it is written.
        await workbench.page.keyboard.press('Control+S');
        return (await workbench.text()).includes(SCRIPT.join('\n'));
      });
    });
  },
};
