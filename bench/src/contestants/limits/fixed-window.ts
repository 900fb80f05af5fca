import type { Runner, Setting } from '../contestant.js';
import { load } from './script.js';

// The least that a fixed window can do in one call. The reply has no end of the window.
const LUA = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`;

export async function open({ connect, prefix, limit, window }: Setting): Promise<Runner> {
  const client = connect();
  const sha = await load(client, LUA);
  return {
    check: (key) => client.evalsha(sha, 1, `${prefix}:${key}`, window),
    admitted: (count) => Number(count) <= limit,
  };
}
