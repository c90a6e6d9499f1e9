// What Axe finds on a page: barriers for people who use a keyboard or a screen reader.

import fs from 'node:fs';
import { createRequire } from 'node:module';

const SOURCE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Each frame is asked by itself. Nodes of a graph show a shortened text, and have the whole one as their name.
const OPTIONS = { iframes: false, rules: { 'label-content-name-mismatch': { enabled: false } } };

/** The findings, each with the elements that it is about. `page` may be a frame. */
export async function barriers(page) {
  const body = await page.locator('body').elementHandle();
  const frame = await body.ownerFrame();
  // As text, it is not subject to the page's policy.
  await frame.evaluate(SOURCE);
  const violations = await frame.evaluate(`axe.run(document, ${JSON.stringify(OPTIONS)}).then((it) => it.violations)`);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}
