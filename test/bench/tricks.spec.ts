import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copySources, programOf } from '../../bench/src/tricks/source-tree.js';
import { readTricks } from '../../bench/src/tricks/trick.js';
import { root } from '../../scripts/root.mjs';

const tricks = readTricks();
// The formatter pads cells of tables.
const ledger = readFileSync(join(root, 'docs', 'benchmarks', 'tricks.md'), 'utf8').replaceAll(/ +/g, ' ');

describe('ledger of tricks', () => {
  it.each(tricks.map(({ name }) => name))('has a line of the trick "%s"', (name) => {
    expect(ledger).toContain(`| \`${name}\` |`);
  });

  it('names no patch that is missing', () => {
    const named = [...ledger.matchAll(/\| `([\w-]+)` \|/g)].map(([, name]) => name);

    expect(named.filter((name) => !tricks.some((trick) => trick.name === name))).toEqual([]);
  });

  it('names rows that the patch is measured on', () => {
    const [kept] = ledger.split('## Tricks that are gone') as [string];
    const rows = [
      ...kept.matchAll(/\| ([a-z-]+-(?:\d+|memory|denied|redis|limiter|store|tiers|metrics|overrides)) \|/g),
    ].map(([, row]) => row);

    expect(rows.filter((row) => !tricks.some((trick) => (trick.rows as readonly string[]).includes(row!)))).toEqual([]);
  });
});

describe('patches of tricks', () => {
  it.each(tricks.map(({ name, file }) => [name, file]))('apply to the sources: %s', (_name, file) => {
    const { stderr } = spawnSync('git', ['apply', '--check', file], { cwd: root, encoding: 'utf8' });

    expect(stderr).toBe('');
  });
});

describe('copySources', () => {
  it('copies the contestants, which load the packages of the copy', () => {
    const tree = copySources({});
    const program = programOf(tree.folder, 'program.ts');
    appendFileSync(join(tree.folder, 'packages', 'core', 'src', 'index.ts'), "export const copied = 'the copy';\n");
    writeFileSync(
      program,
      `import { contestantNamed } from './contestants/index.js';
import * as core from '@sluice/core';
import * as peer from 'rate-limiter-flexible';
import * as redis from '@sluice/redis';

const { open } = await contestantNamed('Sluice fixed-window, store').load();
console.log(typeof open, typeof redis.redisStore, typeof peer.RateLimiterMemory, (core as { copied?: string }).copied);
`,
    );

    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', './test/tools/typescript.mjs', fileURLToPath(program)],
      { cwd: root, encoding: 'utf8', env: { ...process.env, SLUICE_SOURCES: tree.folder } },
    );
    tree.remove();

    expect([stdout, stderr]).toEqual(['function function function the copy\n', '']);
  });
});
