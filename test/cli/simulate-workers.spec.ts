import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, sluice } from './sluice.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-workers-'));
const inFolder = (name: string) => join(folder, name);

afterAll(() => rmSync(folder, { recursive: true }));

interface Way {
  readonly name: string;
  readonly requests: number;
  readonly worstDenials: number;
  readonly took: number;
  readonly soon: number;
}

async function simulate(...args: string[]) {
  return documentOf(await sluice(['simulate', '--json', ...args])) as unknown as {
    readonly ways: readonly Way[];
    readonly withoutLine?: string;
  };
}

describe('sluice simulate --load workers', () => {
  it.each([
    ['100/1m token-bucket', 20],
    ['100/1m sliding-window-log', 1.1],
    ['50/1m sliding-window', 1.1],
    ['100/1m fixed-window', 1.1],
  ])(
    'needs hardly more than one retry of each worker that is denied with a line, and more without one, at %s',
    async (limits, many) => {
      const { ways } = await simulate('--limits', limits, '--load', 'workers:300');
      const least = 300 + (300 - Number.parseInt(limits, 10));
      const [exact, lined] = [ways[0]!, ways.at(-1)!];

      expect(lined.requests).toBeLessThan(1.02 * least);
      expect(lined.soon).toBe(1);
      // A window gives its units back together, and the line hands them out at the pace of the limit.
      expect(lined.took).toBeLessThan(exact.took + 70_000);
      expect(exact.requests).toBeGreaterThan(many * least);
    },
  );

  it('says why a tier takes no line, and shows the other ways', async () => {
    const { ways, withoutLine } = await simulate('--limits', '5/500ms token-bucket', '--load', 'workers:20');

    expect(ways.map(({ name }) => name).filter((name) => name.includes('line'))).toEqual([]);
    expect(withoutLine).toContain('line');
  });

  it('has the line that the limits have themselves', async () => {
    const file = inFolder('limits.mjs');
    const entry = new URL('../../packages/overload/dist/esm/line.js', import.meta.url).href;
    writeFileSync(
      file,
      `import { line } from '${entry}';
export const tiers = [{ name: 'team', algorithm: 'token-bucket', limit: 60, window: '1m', line: line({ longest: '1h', by: ({ worker }) => worker }) }];\n`,
    );
    const { ways } = await simulate('--limits', file, '--load', 'workers:100');

    expect(ways.map(({ name }) => name).filter((name) => name.includes('line'))).toEqual([]);
    expect(ways[0]).toMatchObject({ requests: 140, worstDenials: 1 });
  });

  it('draws the requests over time of each way', async () => {
    const [svg, html] = [inFolder('workers.svg'), inFolder('workers.html')];
    await sluice(['simulate', '--limits', '20/1m', '--load', 'workers:40', '--svg', svg, '--html', html]);

    expect(readFileSync(svg, 'utf8')).toContain('a line, by retry-after-ms');
    expect(readFileSync(html, 'utf8')).toContain('Jain');
  });

  it.each([
    [['--load', 'workers:1'], 'write 2 to 2000 workers, such as workers:500, got workers:1'],
    [['--load', 'workers:many'], 'got workers:many'],
    [['--load', 'workers:5', '--load', 'steady:1/s'], 'workers come alone'],
    [['--load', 'workers:5', '--against', '5/1m'], 'the ways to come back are compared'],
  ])('answers %j with what to write', async (args, message) => {
    const { code, stderr } = await sluice(['simulate', '--limits', '10/1m', ...args]);

    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });
});
