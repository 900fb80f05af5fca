import { tag } from './svg.js';
import { CHART_STYLE, COLORS } from './theme.js';

/** A picture with its own style, background and margin, because nothing surrounds it. @param drawn markup of a chart */
export function pictureAlone(drawn: string): string {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(drawn)!;
  const box = `viewBox="-16 -16 ${Number(width) + 32} ${Number(height) + 32}"`;
  const card = tag('rect', { class: 'paper', x: -16, y: -16, width: Number(width) + 32, height: Number(height) + 32 });
  const style = tag('style', {}, `${COLORS.replaceAll(':root', 'svg')}${CHART_STYLE}\n`);
  return `${drawn.replace(/viewBox="[^"]+"/, box).replace('>', `>${style}${card}`)}\n`;
}
