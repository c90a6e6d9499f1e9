// A story is a workbench of its own and steps in it; a step that fails ends its story and leaves pictures and logs.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GraphPage } from './graphPage.mjs';
import { start, until } from './host.mjs';
import { Panel } from './panel.mjs';

export class Teller {
  failed = 0;
  #host;
  #vsix;
  #only;

  constructor({ host, vsix, only, shots }) {
    this.#host = host;
    this.#vsix = vsix;
    this.#only = new RegExp(only);
    this.shots = shots;
  }

  async tell({ title, workbench: wanted = {}, steps }) {
    if (!this.#only.test(title)) return;
    console.log(title);
    // A copy of the files, so that nothing a test types reaches the repository or another story.
    const work = fs.mkdtempSync(path.join(os.tmpdir(), 'relax-files-'));
    fs.cpSync(path.join(import.meta.dirname, 'files'), work, { recursive: true });
    const workbench = await start(this.#host, { vsix: this.#vsix, ...wanted });
    const scene = new Scene(workbench, work, this.shots);
    const step = async (what, act) => {
      const before = Date.now();
      try {
        const note = await act();
        const took = Date.now() - before;
        console.log(`  ok   ${what} (${took} ms)${note === undefined ? '' : `: ${note}`}`);
        return took;
      } catch (error) {
        this.failed += 1;
        console.log(`  FAIL ${what}: ${error.message}`);
        throw error;
      }
    };
    try {
      await steps(scene, step);
    } catch (error) {
      const file = (ending) => path.join(this.shots, `fail-${this.failed}.${ending}`);
      fs.mkdirSync(this.shots, { recursive: true });
      await workbench.shot(file('png')).catch(() => undefined);
      fs.writeFileSync(file('log'), `${error.stack}\n${workbench.logs()}`);
      fs.writeFileSync(file('txt'), await workbench.text().catch(() => ''));
    } finally {
      await workbench.stop();
      fs.rmSync(work, { recursive: true, force: true });
    }
  }
}

/** Helpers that every story needs beside the workbench. */
class Scene {
  constructor(workbench, work, shots) {
    Object.assign(this, { workbench, work, shots, panel: new Panel(workbench), graph: new GraphPage(workbench) });
  }

  file(name) {
    return path.join(this.work, name);
  }

  /** A picture of the whole window. */
  shot(what) {
    return this.workbench.shot(path.join(this.shots, `${what}.png`));
  }

  /** A picture of the editor and the panels beside and below it, for a page of the documentation. */
  picture(what) {
    return this.workbench.picture(path.join(this.shots, `${what}.png`));
  }

  notification(pattern, milliseconds) {
    return until(`a notification like ${pattern}`, async () => (await this.workbench.notifications()).find((text) => pattern.test(text)), milliseconds);
  }

  /** Waits for so many lenses with that text. */
  lenses(text, count) {
    return until(`${count} lenses “${text}”`, async () => {
      const found = (await this.workbench.lenses()).filter((it) => it.includes(text));
      return found.length >= count && found;
    }, 60_000);
  }

  /** The workspace's settings from now on. */
  settings(values) {
    const folder = path.join(this.work, '.vscode');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(values, undefined, 2));
  }
}
