import { timeChart } from './time-chart.js';

const chart = (value: number) =>
  timeChart({
    title: 'Requests',
    bins: 2,
    panels: [
      {
        caption: 'all',
        height: 100,
        series: [{ name: 'all', style: 'line-admitted', values: [100, 50] }],
        level: { value, text: 'limit' },
      },
    ],
    from: 0,
    to: 2,
    ticks: [0],
    tickLabel: String,
  });

/** How far the text of a level is below its line. */
function textBelowLine(value: number): number {
  const line = /class="level" d="M56 ([\d.]+)H/.exec(chart(value))?.[1];
  const text = / y="([\d.]+)" class="level-text"/.exec(chart(value))?.[1];
  return Number(text) - Number(line);
}

describe('timeChart', () => {
  it('writes the name of a level above its line, and below where the legend is', () => {
    expect(textBelowLine(50)).toBeLessThan(0);
    expect(textBelowLine(100)).toBeGreaterThan(10);
  });
});
