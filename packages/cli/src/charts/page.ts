// charts/ draws charts as SVG: time-chart.ts and histogram.ts draw one, and page.ts writes a page of them. Numbers
// enter, and HTML leaves. It imports terminal, for figures, and failure.
import { escapeText, tag } from './svg.js';
import { CHART_STYLE, COLORS } from './theme.js';

const PAGE_STYLE = `
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:960px;margin:0 auto;padding:40px 24px 64px}
h1{font-size:26px;line-height:1.25;margin:0 0 6px;letter-spacing:-.01em}
h2{font-size:17px;margin:40px 0 4px}
p{margin:0 0 12px;max-width:72ch}
.soft{color:var(--soft)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(190px,1fr));gap:12px;margin:24px 0 0;padding:0}
.figure{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:14px 16px}
.figure dt{color:var(--soft);font-size:13px}
.figure dd{margin:0;font-size:26px;font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums}
.figure dd+dd{color:var(--soft);font-size:13px;font-weight:400;line-height:1.4}
.scroll{overflow-x:auto}
svg{display:block;width:100%;min-width:640px;height:auto;margin:8px 0 0}
table{border-collapse:collapse;width:100%;margin:8px 0 0;font-variant-numeric:tabular-nums}
th,td{padding:7px 12px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--soft);font-size:13px;font-weight:500}
th:first-child,td:first-child{text-align:left;padding-left:0}
th:last-child,td:last-child{padding-right:0}
td.name{max-width:360px;overflow:hidden;text-overflow:ellipsis}
.tag{border:1px solid var(--line);border-radius:99px;padding:1px 8px;font-size:12px;color:var(--soft)}
ul{margin:8px 0 0;padding-left:20px;color:var(--soft)}
li{margin:0 0 4px;max-width:72ch}
@media print{main{padding:0}}`;

/** A page in one file: no script, no request, light and dark. @param content markup */
export function page(title: string, content: readonly string[]): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeText(title)}</title>
<style>${COLORS}${PAGE_STYLE}${CHART_STYLE}
</style>
<main>
${content.join('\n')}
</main>
</html>
`;
}

/** A figure and what it means. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly remark?: string | undefined;
}

export function figures(all: readonly Figure[]): string {
  const each = ({ name, value, remark = '' }: Figure) =>
    tag(
      'div',
      { class: 'figure' },
      tag('dt', {}, escapeText(name)),
      tag('dd', {}, escapeText(value)),
      ...(remark === '' ? [] : [tag('dd', {}, escapeText(remark))]),
    );
  return tag('dl', { class: 'figures' }, ...all.map(each));
}

/** A table of texts. The first column is aligned left. */
export function grid(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = tag('tr', {}, ...titles.map((title) => tag('th', { scope: 'col' }, escapeText(title))));
  const body = rows.map((row) =>
    tag(
      'tr',
      {},
      ...row.map((text, column) => tag('td', column === 0 ? { class: 'name', title: text } : {}, escapeText(text))),
    ),
  );
  return scrolling(
    titles.filter(Boolean).join(', '),
    tag('table', {}, tag('thead', {}, head), tag('tbody', {}, ...body)),
  );
}

/** What a narrow window shows a part of. Keys scroll it where it has the focus. @param name for readers that cannot see it */
export function scrolling(name: string, content: string): string {
  return tag('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': name }, content);
}

/** A heading, a sentence and what follows. @param content markup */
export function section(title: string, lead: string, ...content: readonly string[]): string {
  const sentence = lead === '' ? '' : tag('p', { class: 'soft' }, escapeText(lead));
  return tag('section', {}, tag('h2', {}, escapeText(title)), sentence, ...content);
}
