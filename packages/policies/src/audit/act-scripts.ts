import { redisScript } from '../scripts/redis-script.js';

/** Acts beside the key of a client. */
export const CLIENT_ACTS = 50;
/** Acts of all clients of a store. */
export const STORE_ACTS = 1_000;

/**
 * What a script needs that records an act beside its change. The list has the newest act first, and expires 400 days after it. A key
 * that another program has written is replaced. `now` are milliseconds since 1970.
 */
export const ACTS = `
local function acts_in(key)
  local rows = redis.pcall('LRANGE', key, 0, ${CLIENT_ACTS - 1})
  if not rows.err then return rows end
  if not string.match(rows.err, '^WRONGTYPE') then redis.call('LRANGE', key, 0, 0) end
  redis.call('UNLINK', key)
  return {}
end
-- The act that has this id already.
local function act_of(key, id)
  local first = '{"id":"' .. id .. '",'
  for _, row in ipairs(acts_in(key)) do
    if string.sub(row, 1, #first) == first then return row end
  end
end
local function add_act(key, row, now)
  redis.call('LPUSH', key, row)
  redis.call('LTRIM', key, 0, ${CLIENT_ACTS - 1})
  redis.call('PEXPIREAT', key, string.format('%.0f', now + 34560000000))
end
`;

/** Deletes what is stored for a client, and records who does so. */
export const forgetScript = redisScript(`
-- KEYS: acts of the client, then the keys to delete
-- ARGV: the id of the act, the act as JSON that has no end
-- returns: the act, how many keys there were; the act of a known id, -1; '', 0 without a key to delete
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
${ACTS}
local known = act_of(KEYS[1], ARGV[1])
if known then return { known, -1 } end
if #KEYS == 1 then return { '', 0 } end
local count = 0
for index = 2, #KEYS do count = count + redis.call('UNLINK', KEYS[index]) end
local row = ARGV[2] .. string.format('%.0f', now) .. '}'
add_act(KEYS[1], row, now)
return { row, count }
`);

/** The acts of a client. */
export const readActsScript = redisScript(`
-- KEYS: acts of the client
-- returns: the acts, newest first
local rows = redis.pcall('LRANGE', KEYS[1], 0, ${CLIENT_ACTS - 1})
if rows.err then return {} end
return rows
`);

/** Adds acts to those of the store. One that is there stays as it is. */
export const addActsScript = redisScript(`
-- KEYS: acts of the store
-- ARGV: times and acts
-- returns: how many were new
local size = redis.pcall('ZCARD', KEYS[1])
if type(size) == 'table' then
  if not string.match(size.err, '^WRONGTYPE') then redis.call('ZCARD', KEYS[1]) end
  redis.call('UNLINK', KEYS[1])
end
local added = 0
for index = 1, #ARGV, 2 do added = added + redis.call('ZADD', KEYS[1], ARGV[index], ARGV[index + 1]) end
local more = redis.call('ZCARD', KEYS[1]) - ${STORE_ACTS}
if more > 0 then
  for _, act in ipairs(redis.call('ZRANGE', KEYS[1], 0, more - 1)) do redis.call('ZREM', KEYS[1], act) end
end
return added
`);

/** The acts of the store. */
export const storeActsScript = redisScript(`
-- KEYS: acts of the store
-- returns: the acts, oldest first
local rows = redis.pcall('ZRANGE', KEYS[1], 0, -1)
if rows.err then return {} end
return rows
`);
