import { script, style } from './page.js';

/** A file of the page. Its name changes with its text, so browsers may keep it for ever. */
export interface PageFile {
  readonly type: string;
  readonly text: string;
}

const SCRIPT = `page-${script.hash}.js`;
const STYLE = `page-${style.hash}.css`;

/** The files of the page, by name. */
export const pageFiles: ReadonlyMap<string, PageFile> = new Map([
  [SCRIPT, { type: 'text/javascript; charset=utf-8', text: script.text }],
  [STYLE, { type: 'text/css; charset=utf-8', text: style.text }],
]);

/** The page: nothing of it stands in the HTML, because its policy forbids scripts and styles there. */
export const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Sluice</title>
<link rel="stylesheet" href="${STYLE}">
<link rel="icon" href="data:,">
<script type="module" src="${SCRIPT}"></script>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`;
