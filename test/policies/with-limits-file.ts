import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withRedis, type RedisWithClient } from '../support/redis-store.js';
import { textOf } from './text-of.js';

/** A Redis, and a file of policies. */
export interface RedisWithLimitsFile extends RedisWithClient {
  readonly folder: string;
  readonly file: string;
}

/** Opens them for a `describe` block. Each test begins with an empty Redis, and a file with a limit of 10 units an hour. */
export function withLimitsFile(): RedisWithLimitsFile {
  const opened = withRedis() as RedisWithClient & { folder: string; file: string };

  beforeAll(() => {
    opened.folder = mkdtempSync(join(tmpdir(), 'sluice-policies-'));
    opened.file = join(opened.folder, 'limits.yaml');
  });

  beforeEach(async () => {
    await opened.client.flushall();
    writeFileSync(opened.file, textOf(10));
  });

  afterAll(() => rmSync(opened.folder, { recursive: true }));

  return opened;
}
