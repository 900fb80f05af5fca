import { readFileSync } from 'node:fs';
import { PAGE, supportPage, type Support } from './page.js';
import { slugOf } from './row.js';
import { rows } from './rows.js';
import { support } from './support.js';
import { alternativesOf, lineOf } from './version-range.js';

const OUTCOME = { specs: 80, passed: 900, skipped: 0, failed: 0, failures: [], unsteady: [] };
const SUPPORT: Support = {
  node: '>=20.19',
  peers: [{ name: 'ioredis', members: ['ioredis'], range: '^5.11.0 || ^6.0.0', usedBy: ['core', 'express'] }],
  rows: [
    { axis: 'node', name: 'Node 24' },
    { axis: 'servers', name: 'Valkey 9' },
  ],
  results: { 'Node 24': { date: '2026-11-24', seconds: 61, version: '24.21.0', outcome: OUTCOME } },
};

/** The page with another result of Node 24. */
function pageWith(result: Support['results'][string]): string {
  return supportPage({ ...SUPPORT, results: { 'Node 24': result } });
}

describe('supportPage', () => {
  it('has the ranges of peers', () => {
    expect(supportPage(SUPPORT)).toMatch(/^\| `ioredis` +\| `\^5\.11\.0 \\\|\\\| \^6\.0\.0` +\| core, express +\|$/m);
  });

  it('shows version, counts and day of each row that ran', () => {
    expect(supportPage(SUPPORT)).toMatch(/^\| Node 24 +\| 24\.21\.0 +\| 900 +\| 2026-11-24 +\|$/m);
  });

  it('says so when a row did not run, with the reason', () => {
    expect(supportPage(SUPPORT)).toMatch(/^\| Valkey 9 +\| +\| not run +\|/m);
    expect(supportPage(SUPPORT)).toContain('\n- Valkey 9: not run yet.\n');
    expect(pageWith({ date: '2026-11-24', seconds: 1, gap: 'needs apt' })).toContain('\n- Node 24: needs apt.\n');
  });

  it('names tests that failed, that passed the second time, and how many were left out', () => {
    const failed = { ...OUTCOME, failed: 1, failures: ['a.spec.ts: A fails'], unsteady: ['b.spec.ts: B'], skipped: 3 };

    const page = pageWith({ date: '2026-11-24', seconds: 1, version: '24.21.0', outcome: failed });

    expect(page).toMatch(/\| 900, 1 failed +\|/);
    expect(page).toContain('\n- Node 24: failed on 2026-11-24: `a.spec.ts: A fails`.\n');
    expect(page).toContain('\n- Node 24: failed once, and passed alone: `b.spec.ts: B`.\n');
    expect(page).toContain('\n- Node 24: 3 tests were left out.\n');
  });
});

describe('docs/reference/support.md', () => {
  it('is up to date (otherwise run `npm run tool -- matrix --page`)', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(supportPage(support()));
  });

  it('has a row for each line of each peer that a package admits', () => {
    const lines = support().peers.flatMap(({ name, range }) =>
      alternativesOf(range).map((alternative) => `${name} ${lineOf(alternative)}`),
    );

    expect(lines.length).toBeGreaterThan(8);
    expect(lines.filter((line) => !rows.some(({ name }) => name === line))).toEqual([]);
  });

  it('has rows that a name chooses', () => {
    expect(new Set(rows.map(slugOf)).size).toBe(rows.length);
  });
});
