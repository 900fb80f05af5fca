import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Claim } from '@sluice/core/own-store';
import { encodeChecks } from '../../../packages/redis/src/batch/batch.js';
import { scripts } from '../../../packages/core/src/scripts/scripts.js';
import type { RedisServer } from '../../support/redis.js';
import { command } from './server-scene.js';

export interface Promotion {
  readonly server: RedisServer;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

/** Polls replicas, and resolves when one of them is a primary. */
export async function promotionOf(replicas: readonly RedisServer[]): Promise<Promotion> {
  const clients = replicas.map(({ port }) => new Redis(port).on('error', () => undefined));
  try {
    for (;;) {
      const roles = await Promise.all(clients.map((client) => client.role()));
      const index = roles.findIndex(([role]) => role === 'master');
      if (index >= 0) return { server: replicas[index]!, at: performance.now() };
      await delay(5);
    }
  } finally {
    for (const client of clients) client.disconnect();
  }
}

/** Loads all scripts that a claim alone may need into replicas, so that they need no EVAL after a promotion. */
export async function loadScripts(replicas: readonly RedisServer[], one: Claim): Promise<void> {
  const { script } = encodeChecks([{ group: [one], isPeek: false }]);
  const all = [...Object.values(scripts), script, script.packed ?? script];
  const load = command(async (client) => {
    for (const { source } of all) await client.script('LOAD', source);
  });
  await Promise.all(replicas.map(load));
}
