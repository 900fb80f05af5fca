import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@sluice/core';
import { storeSuite } from '@sluice/testing';
import sqlite from 'node-sqlite3-wasm';
import { sqliteStore } from '../../examples/sqlite-store/src/sqlite-store.js';
import { root } from '../../scripts/root.mjs';
import { claim } from '../support/claim.js';
import { execute } from '../support/child.js';

const policy = { limit: 20, window: '1h' } as const;

describe('the SQLite store of the guide', () => {
  storeSuite({ describe, it }, () => sqliteStore());

  describe('in a file', () => {
    let folder: string;
    let file: string;
    let store: Store;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sluice-sqlite-'));
      file = join(folder, 'states.db');
      store = sqliteStore(file);
    });

    afterEach(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });

    /** What other statements answer about the file. */
    const ask = (statement: string) => {
      const database = new sqlite.Database(file);
      try {
        return database.all(statement);
      } finally {
        database.close();
      }
    };

    it('deletes at most a hundred expired states with a call, and decides by none of them', async () => {
      await store.consume([claim({ policy })]);
      const old = `WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 250)
        INSERT INTO states SELECT 'old' || n, '{"no": "state"}', n FROM numbers`;
      ask(old);

      const keys = Array.from({ length: 250 }, (_, index) => ({ ...claim({ policy }), key: `old${index + 1}` }));
      const answer = await store.peek(keys);

      expect(answer.outcomes.every(({ allowed, remaining, limit }) => allowed && remaining === limit)).toBe(true);
      expect(ask('SELECT count(*) AS count FROM states')).toEqual([{ count: 151 }]);
    });

    it('finds the recorded strings of a key by an index', () => {
      const plan = ask(`EXPLAIN QUERY PLAN SELECT id FROM records WHERE key = 'one' ORDER BY id DESC LIMIT 20`);

      expect(plan).toMatchObject([{ detail: expect.stringContaining('USING COVERING INDEX') as string }]);
    });

    it('rejects without a wait while another process writes, and decides after it', async () => {
      const other = new sqlite.Database(file);
      other.exec('BEGIN IMMEDIATE');

      expect(() => store.consume([claim({ policy })])).toThrow(
        expect.objectContaining({ code: 'STORE_UNAVAILABLE', message: 'SQLite could not answer' }),
      );
      other.exec('ROLLBACK');
      other.close();
      expect((await store.consume([claim({ policy })])).outcomes[0]!.allowed).toBe(true);
    });
  });

  it('starts in Node as it is', async () => {
    const program = `import { sqliteStore } from './examples/sqlite-store/src/sqlite-store.ts';
      sqliteStore().close();
      console.log('closed');`;
    const args = ['--import', './test/tools/typescript.mjs', '--input-type=module', '--eval', program];

    const { stdout } = await execute(process.execPath, args, { cwd: root });

    expect(stdout).toBe('closed\n');
  });

  it('charges as docs/guide/own-store.md shows', () => {
    const words = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' ');
    const [shown] = /transaction\(\(now\) => \{ .*? return answer; \}\)/.exec(words('docs/guide/own-store.md'))!;

    expect(words('examples/sqlite-store/src/sqlite-store.ts')).toContain(shown);
  });
});
