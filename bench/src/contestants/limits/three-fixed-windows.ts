import type { Runner, Setting } from '../contestant.js';
import { tenantOf, userOf, windowsOf } from '../identities.js';
import { load } from './script.js';

// All or nothing, in one call. The reply has no ends of windows.
const LUA = `
local counts = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
for tier = 1, 3 do
  if tonumber(counts[tier] or 0) >= tonumber(ARGV[1]) then return 0 end
end
for tier = 1, 3 do
  if redis.call('INCR', KEYS[tier]) == 1 then redis.call('PEXPIRE', KEYS[tier], ARGV[tier + 1]) end
end
return 1`;

export async function open(setting: Setting): Promise<Runner> {
  const { connect, prefix, limit } = setting;
  const client = connect();
  const sha = await load(client, LUA);
  const windows = windowsOf(setting);
  return {
    check: (key) =>
      client.evalsha(
        sha,
        3,
        `${prefix}:${key}`,
        `${prefix}:${userOf(key)}`,
        `${prefix}:${tenantOf(key)}`,
        limit,
        ...windows,
      ),
    admitted: (reply) => reply === 1,
  };
}
