import type { Redis } from 'ioredis';

/** Resolves when a client is ready the next time. `once` of Node rejects at the errors of its reconnecting. */
export function readyAgain(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', () => resolve());
  });
}
