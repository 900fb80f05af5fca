import { createHash } from 'node:crypto';

/**
 * Puts a script on the clock of its last ARGV. Keys that would have expired by then are gone before it begins, and as in
 * Redis a key lives through its last millisecond; afterwards the driver tells which were gone, and when the others expire.
 */
export function onFakeClock(source: string): { source: string; sha: string } {
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
if reply.err then return reply end
local expiry = {}
for index, key in ipairs(KEYS) do expiry[index] = redis.call('PEXPIRETIME', key) end
return { expired, reply, expiry }
`;
  return { source: driver, sha: createHash('sha1').update(driver).digest('hex') };
}
