import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, sluice, sluiceAlone } from './sluice.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-simulate-'));
const inFolder = (name: string) => join(folder, name);

afterAll(() => rmSync(folder, { recursive: true }));

interface Document {
  readonly requests: number;
  readonly clients: number;
  readonly limits: Part;
  readonly against?: Part;
}

interface Part {
  readonly admitted: number;
  readonly denied: number;
  readonly longestWait?: number;
  readonly longestDelay: number;
  readonly tiers: readonly { readonly name: string; readonly worstWindow: number; readonly paced?: number }[];
}

async function simulate(...args: string[]): Promise<Document> {
  return documentOf(await sluice(['simulate', '--json', ...args])) as unknown as Document;
}

describe('sluice simulate', () => {
  it('measures the worst window exactly', async () => {
    const trace = inFolder('trace.txt');
    // One opens the window; the others stand on either side of its end.
    const times = [0, ...Array.from({ length: 99 }, () => 59.9), ...Array.from({ length: 100 }, () => 60.1)];
    writeFileSync(trace, `# seconds\n${times.join('\n')}\n`);
    const worst = async (algorithm: string) => {
      const { limits } = await simulate('--limits', `100/1m ${algorithm}`, '--load', trace);
      return limits.tiers[0]!.worstWindow;
    };

    expect([await worst('fixed-window'), await worst('sliding-window-log')]).toEqual([199, 100]);
  });

  it('counts by the months of the calendar, from a text and from a file of policies', async () => {
    const trace = inFolder('months.txt');
    const month = 31 * 86_400;
    writeFileSync(trace, `${[month - 3, month - 2, month - 1, month, month + 1, month + 2].join('\n')}\n`);
    const policies = inFolder('limits.yaml');
    writeFileSync(
      policies,
      'version: 1\nlimiters:\n  api:\n    tiers:\n      - { name: month, key: ip, algorithm: fixed-window, limit: 2, period: month }\n',
    );

    const runs = await Promise.all(
      ['2/month', policies].map((limits) => simulate('--limits', limits, '--load', trace)),
    );

    const tier = { denied: 2, worstWindow: 4, window: 31 * 86_400_000 };
    expect(runs).toMatchObject([
      { limits: { admitted: 4, denied: 2, tiers: [{ name: '2/month', ...tier }] } },
      { limits: { admitted: 4, denied: 2, tiers: [{ name: 'month', ...tier }] } },
    ]);
  });

  it('tries one limiter of a file of policies that has several, because a load has no routes', async () => {
    const policies = inFolder('several.yaml');
    const tier = (name: string, limit: number) =>
      `    tiers:\n      - { name: ${name}, key: ip, limit: ${limit}, window: 1m }\n`;
    writeFileSync(
      policies,
      `version: 1\nlimiters:\n  api:\n    routes: ['/api/*']\n${tier('api', 90)}  sign-in:\n    routes: ['POST /login']\n${tier('sign-in', 5)}`,
    );
    const args = ['--limits', policies, '--load', 'steady:1/s', '--for', '50s'];

    const [chosen, unclear] = await Promise.all([
      simulate(...args, '--limiter', 'sign-in'),
      sluice(['simulate', ...args]),
    ]);

    expect(chosen).toMatchObject({ limits: { admitted: 5, tiers: [{ name: 'sign-in', limit: 5 }] } });
    expect(unclear.code).toBe(2);
    expect(unclear.stderr).toContain('api and sign-in stand at different routes, and these requests have no path.');
    expect(unclear.stderr).toContain('Pass one, as --limiter api');
  });

  it('is the same for a seed, and another for another seed', async () => {
    const args = ['--limits', '60/1m', '--load', 'poisson:1/s', '--load', 'clients:5', '--for', '2m'];
    const [one, same, other] = await Promise.all([
      simulate(...args),
      simulate(...args),
      simulate(...args, '--seed', '2'),
    ]);

    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one).toMatchObject({ clients: 5 });
    // Five clients for 120 s at 1/s: 600, with a deviation of 24.
    expect(Math.abs(one.requests - 600)).toBeLessThan(5 * 24.5);
  });

  it('takes a file with clients and costs', async () => {
    const trace = inFolder('costs.txt');
    writeFileSync(trace, '0 ada 6\n0.5 ada 6\n0.5 bob 6\n1,ada,4\n');
    const { limits, clients } = await simulate('--limits', '10/1m', '--load', trace);

    expect({ clients, limits }).toMatchObject({ clients: 2, limits: { admitted: 3, denied: 1 } });
    expect(limits.tiers[0]!.worstWindow).toBe(10);
  });

  it('shows the delays of a queue', async () => {
    const { limits } = await simulate(
      '--limits',
      '60/1m leaky-bucket queue=9',
      '--load',
      'bursts:10/1m',
      '--for',
      '1m',
    );

    expect(limits).toMatchObject({ denied: 0, longestDelay: 9_000, tiers: [{ worstWindow: 10, paced: 1 }] });
    expect(limits.longestWait).toBeUndefined();
  });

  it('draws a picture and a page without scripts', async () => {
    const [svg, html] = [inFolder('picture.svg'), inFolder('page.html')];
    const { code, stderr } = await sluiceAlone([
      'simulate',
      '--limits',
      '20/1s+300/1m',
      '--load',
      'steady:4/s',
      '--load',
      'bursts:40/1m',
      '--svg',
      svg,
      '--html',
      html,
    ]);
    const [picture, page] = [readFileSync(svg, 'utf8'), readFileSync(html, 'utf8')];

    expect({ code, stderr }).toEqual({ code: 0, stderr: `wrote ${svg}\nwrote ${html}\n` });
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]+<\/svg>\n$/);
    expect(page).toContain(`default-src 'none'`);
    expect(picture + page).not.toMatch(/<script|NaN|undefined|Infinity/);
  });

  it.each([
    [['--limits', '60/1m', '--load', 'often'], '--load often: write a whole number of requests and a time'],
    [['--limits', '60/1m', '--load', 'poisson:1.5/s'], 'such as steady:10/s, bursts:50/1m or poisson:5/s'],
    [['--limits', '60/1m', '--load', 'steady:1000000/s'], '6.00e+8 requests are too many'],
    [['--limits', '60/1m', '--load', 'poisson:1/d', '--for', '1s'], 'there is no request'],
    [['--limits', '60/1m', '--load', 'steady:1/s', '--seed', 'x'], 'Write a whole number from 0 to 4294967295.'],
    [['--limits', '60/1m burst=5', '--load', 'steady:1/s'], 'burst is an option of token-bucket'],
  ])('says what is wrong with %j, and exits with 2', async (args, message) => {
    const { code, stdout, stderr } = await sluice(['simulate', ...args]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
