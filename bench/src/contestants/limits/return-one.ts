import type { Runner, Setting } from '../contestant.js';
import { load } from './script.js';

export async function open({ connect, prefix }: Setting): Promise<Runner> {
  const client = connect();
  const sha = await load(client, 'return 1');
  return { check: (key) => client.evalsha(sha, 1, `${prefix}:${key}`), admitted: (reply) => reply === 1 };
}
