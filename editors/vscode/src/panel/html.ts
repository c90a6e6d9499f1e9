// The HTML of a panel: one script and one style sheet, and nothing from other origins.

import { randomBytes } from 'node:crypto';

export interface Sources {
  title: string;
  script: string;
  style: string;
  /** The origin of the webview's own files. */
  origin: string;
}

export function page({ title, script, style, origin }: Sources, nonce = randomBytes(16).toString('base64')): string {
  const policy = `default-src 'none'; style-src ${origin}; img-src data:; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>${title}</title>
</head>
<body>
<main id="page"></main>
<div id="tip" role="tooltip" hidden></div>
<div id="say" role="status" aria-live="polite" class="unseen"></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
