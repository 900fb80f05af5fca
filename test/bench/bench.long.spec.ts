import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contestants } from '../../bench/src/contestants/index.js';
import { httpContestants } from '../../bench/src/http/index.js';
import { plannedSeconds } from '../../bench/src/measure-all.js';
import { modes } from '../../bench/src/mode.js';
import { allPartNames, partNames } from '../../bench/src/parts/bench.js';
import type { Report } from '../../bench/src/report/report.js';
import { trickRows } from '../../bench/src/tricks/trick-rows.js';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';

const RESULTS = `node-${process.versions.node.split('.')[0]}.json`;

// The packages have to be built: it measures what users install.
describe('the smoke test of the benchmark', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  let code: number;
  let output: string;
  let report: Report;

  beforeAll(async () => {
    for (const page of ['README.md', 'limits.md']) {
      writeFileSync(join(folder, page), 'Before.\n\n<!-- results -->\n\n<!-- end of results -->\n\nAfter.\n');
    }
    ({ code, output } = await bench('--smoke', '--out', folder));
    report = JSON.parse(readFileSync(join(folder, RESULTS), 'utf8')) as Report;
  }, 900_000);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('ends well', () => {
    expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
  });

  it('runs every part', () => {
    const measured = [
      ...report.tables.map(({ part }) => part as string),
      ...report.footprints.map(({ where }) => (where === 'redis' ? 'bytes' : 'memory')),
    ];

    expect(new Set(measured)).toEqual(new Set(partNames));
  });

  it('has every contestant measured', () => {
    const measured = new Set(report.tables.flatMap(({ rows }) => rows.map(({ contestant }) => contestant)));
    // Rows of the ledger have contestants of their own.
    for (const row of Object.values(trickRows)) if ('contestant' in row) measured.add(row.contestant);
    const entered = [...contestants, ...httpContestants.filter(({ store }) => store !== 'none')];

    expect(entered.map(({ name }) => name).filter((name) => !measured.has(name))).toEqual([]);
  });

  it('finds no contestant that fails, or that denies other keys than it has to', () => {
    const troubles = report.tables.flatMap(({ title, rows }) =>
      rows.flatMap(({ contestant, trouble }) => (trouble === undefined ? [] : [`${title}: ${contestant}: ${trouble}`])),
    );

    // A pause of the machine is longer than the time that Redis is given, and than a slice.
    const pauses = /answered (by local|without the store)|no request was answered/;
    expect(troubles.filter((trouble) => !pauses.test(trouble))).toEqual([]);
  });

  it('writes the bars into the page of the folder, and pictures', () => {
    const page = readFileSync(join(folder, 'README.md'), 'utf8');
    const pictures = [...page.matchAll(/!\[.+\]\((.+\.svg)\)/g)].map(([, file]) => file);

    expect(page).toContain(`[${RESULTS}](${RESULTS})`);
    expect(page).toContain('| uniform, 64 in flight: fixed-window ');
    expect(readdirSync(folder).filter((file) => file.endsWith('.svg'))).toEqual(expect.arrayContaining(pictures));
    expect(pictures.length).toBeGreaterThan(0);
  });

  it('fills the places of the pages that have one', () => {
    const [readme, limits] = ['README.md', 'limits.md'].map((page) => readFileSync(join(folder, page), 'utf8'));

    expect(readme).toMatch(
      /^Before\.[^]+\| uniform, 64 in flight: fixed-window [^]+!\[.+\]\(keys\.svg\)[^]+After\.\n$/,
    );
    expect(limits).toMatch(/^Before\.[^]+\| memory: bytes a key in Redis \| +\d+ \|[^]+After\.\n$/);
  });

  it('counts what a lease and the deny cache answer', () => {
    // A lease begins with the 128th request of a key, and a pause of the machine may leave a slice fewer.
    const enough = 256 / (modes.smoke.slice / 1_000);
    const answered = (workload: string, name: string) =>
      report.tables
        .filter((table) => table.workload === workload)
        .flatMap(({ rows }) => rows.filter(({ contestant, rate }) => contestant === name && rate >= enough))
        .map(({ fromProcess }) => fromProcess);

    expect(answered('hot', 'Sluice fixed-window, lease').every((part) => part > 0)).toBe(true);
    expect(answered('hot', 'Sluice fixed-window').every((part) => part === 0)).toBe(true);
    expect(answered('attack', 'Sluice fixed-window').every((part) => part > 0.8)).toBe(true);
    expect(answered('attack', 'Sluice fixed-window, no deny cache').every((part) => part === 0)).toBe(true);
  });
});

it.each([
  ['short', 6],
  ['full', 43],
] as const)('the %s mode is planned to end within %f minutes', (name, minutes) => {
  const seconds = plannedSeconds({ mode: modes[name], parts: partNames });

  expect(seconds / 60).toBeLessThan(minutes);
});

it('the benchmark names its parts when the command line names another', async () => {
  const { code, output } = await bench('--only', 'everything');

  expect(code).toBe(2);
  expect(output).toContain(`there is no part "everything": ${allPartNames.join(', ')}`);
});

async function bench(...args: readonly string[]): Promise<{ code: number; output: string }> {
  const start = ['--expose-gc', '--import', './test/tools/typescript.mjs', join('bench', 'src', 'main.ts')];
  const child = spawn(process.execPath, [...start, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
