import { createHash } from 'node:crypto';

/**
 * Wraps a script so that its last ARGV is the time. Keys that have expired by that time are deleted first. As in Redis,
 * a key lives through its last millisecond. The reply adds the deleted keys, and the expiry of each key.
 */
export function onScriptClock(source: string): { source: string; sha: string } {
  const driver = `
local fake_now = tonumber(table.remove(ARGV))
local expired = {}
for index, key in ipairs(KEYS) do
  local expires = redis.call('PEXPIRETIME', key)
  if expires >= 0 and expires < math.floor(fake_now / 1000) then
    redis.call('DEL', key)
    expired[#expired + 1] = index
  end
end
local function script(KEYS, ARGV)
${source}
end
local reply = script(KEYS, ARGV)
if type(reply) == 'table' and reply.err then return reply end
local expiry = {}
for index, key in ipairs(KEYS) do expiry[index] = redis.call('PEXPIRETIME', key) end
return { expired, reply, expiry }
`;
  return { source: driver, sha: createHash('sha1').update(driver).digest('hex') };
}
