import { script, style } from './page.js';

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly text: string;
}

const SCRIPT = `page-${script.hash}.js`;
const STYLE = `page-${style.hash}.css`;
const ICON = 'icon.svg';

/** A gate that lets some through. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect width="16" height="16" rx="3.5" fill="#2559c9"/>
<path d="M4 4v8M12 4v8M6.5 8h3" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/>
</svg>
`;

/** The files of the page, by name. */
export const pageFiles: ReadonlyMap<string, PageFile> = new Map([
  [SCRIPT, { type: 'text/javascript; charset=utf-8', text: script.text }],
  [STYLE, { type: 'text/css; charset=utf-8', text: style.text }],
  [ICON, { type: 'image/svg+xml', text: icon }],
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
<link rel="icon" href="${ICON}">
<script type="module" src="${SCRIPT}"></script>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`;
