import { createHash } from 'node:crypto';

/** A script that Redis runs. Its commands are among the rights of a limiter: docs/guide/redis.md. */
export interface FleetScript {
  readonly source: string;
  /** The SHA-1 of the source, by which Redis caches it. */
  readonly sha: string;
}

const NOW = `
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
`;

/** What is new since the last reading, and a sign of life. */
export const readScript = script(`
-- KEYS: policies, overrides, processes
-- ARGV: the version, its sha and the version of the overrides that the process has; its id and its facts, or ''
-- returns: now, version, sha, {text, by, at, reason} or false, version of the overrides, {name, override, …} or false
${NOW}
local found = redis.call('HMGET', KEYS[1], 'version', 'sha', 'overrides')
local version, sha, changes = found[1] or '0', found[2] or '', found[3] or '0'
local text, overrides = false, false
if version ~= ARGV[1] or sha ~= ARGV[2] then
  text = redis.call('HMGET', KEYS[1], 'text', 'by', 'at', 'reason')
end
if changes ~= ARGV[3] then
  overrides = {}
  local names = redis.call('HKEYS', KEYS[2])
  -- A call has at most some thousand arguments.
  for first = 1, #names, 1000 do
    local last = math.min(first + 999, #names)
    local values = redis.call('HMGET', KEYS[2], unpack(names, first, last))
    for index = first, last do
      overrides[#overrides + 1] = names[index]
      overrides[#overrides + 1] = values[index - first + 1]
    end
  end
end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[4], now .. ' ' .. ARGV[5])
  redis.call('PEXPIREAT', KEYS[3], now + 86400000)
end
return { now, version, sha, text, changes, overrides }
`);

/** Puts a text in force, if its author knows the version that is in force. */
export const applyScript = script(`
-- KEYS: policies, history
-- ARGV: the version that the author knows, sha, text, by, reason, and the last two as JSON
-- returns: the new version, or false and the version, by and reason in force
${NOW}
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[1] then
  return { false, version, redis.call('HGET', KEYS[1], 'by'), redis.call('HGET', KEYS[1], 'reason') }
end
version = string.format('%.0f', version + 1)
redis.call('HSET', KEYS[1], 'version', version, 'sha', ARGV[2], 'text', ARGV[3], 'by', ARGV[4], 'at', now, 'reason', ARGV[5])
redis.call('LPUSH', KEYS[2], version .. ' ' .. now .. ' ' .. ARGV[2] .. ' ' .. ARGV[6] .. '\\n' .. ARGV[3])
redis.call('LTRIM', KEYS[2], 0, 49)
return { version }
`);

/** The first lines of the last versions, and the text of one. */
export const historyScript = script(`
-- KEYS: history
-- ARGV: the version whose text is wanted, or ''
-- returns: its text or false, {first line, …}
local heads, text = {}, false
for index, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, 49)) do
  local head = string.match(entry, '^[^\\n]*')
  heads[index] = head
  if string.match(head, '^%d+') == ARGV[1] then text = string.sub(entry, #head + 2) end
end
return { text, heads }
`);

/** Changes one override. */
export const overrideScript = script(`
-- KEYS: policies, overrides
-- ARGV: most overrides, name, override or '' to remove it, names of overrides that have ended
-- returns: 1; 0 if there are too many, or none of this name
if ARGV[3] == '' then
  if redis.call('HDEL', KEYS[2], ARGV[2]) == 0 then return 0 end
else
  for index = 4, #ARGV do redis.call('HDEL', KEYS[2], ARGV[index]) end
  local isNew = not redis.call('HGET', KEYS[2], ARGV[2])
  if isNew and #redis.call('HKEYS', KEYS[2]) >= tonumber(ARGV[1]) then return 0 end
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
end
redis.call('HSET', KEYS[1], 'overrides', string.format('%.0f', (redis.call('HGET', KEYS[1], 'overrides') or 0) + 1))
return 1
`);

/** Writes back what Redis has lost, unless another process has written something newer. */
export const restoreScript = script(`
-- KEYS: policies, overrides
-- ARGV: version, sha, text, by, at, reason, version of the overrides, name, override, …
-- returns: nothing
local function isOlder(field, version)
  return tonumber(redis.call('HGET', KEYS[1], field) or 0) < tonumber(version)
end
if isOlder('version', ARGV[1]) then
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'sha', ARGV[2], 'text', ARGV[3], 'by', ARGV[4], 'at', ARGV[5], 'reason', ARGV[6])
end
if isOlder('overrides', ARGV[7]) then
  for index = 8, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[index], ARGV[index + 1]) end
  redis.call('HSET', KEYS[1], 'overrides', ARGV[7])
end
`);

/** The processes that read the policies. */
export const processesScript = script(`
-- KEYS: processes
-- ARGV: milliseconds after which a process that was not heard is forgotten
-- returns: now, {facts, …}
${NOW}
local names, alive = redis.call('HKEYS', KEYS[1]), {}
for _, name in ipairs(names) do
  local facts = redis.call('HGET', KEYS[1], name)
  local isAlive = facts and string.match(facts, '^%d+') + ARGV[1] > tonumber(now)
  if isAlive then alive[#alive + 1] = facts else redis.call('HDEL', KEYS[1], name) end
end
return { now, alive }
`);

function script(text: string): FleetScript {
  const source = text.trim();
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}
