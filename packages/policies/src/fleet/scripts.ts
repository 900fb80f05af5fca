import { ACTS } from '../audit/act-scripts.js';
import { redisScript as script } from '../scripts/redis-script.js';

/**
 * What every script knows of the state. `head` is the last change: its time and a random mark. The time is that of Redis, and
 * later than that of the change before, so that of two words of operators the last one has the later time. A value that no
 * script has written counts as absent, and the next change replaces it.
 */
const STATE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function whole(text)
  if text and #text <= 15 and string.match(text, '^%d+$') then return text end
  return '0'
end
-- The reply of a command that reads, and true if its key has another type. Any other error ends the script.
local function try(command)
  local reply = redis.pcall(unpack(command))
  if type(reply) ~= 'table' or not reply.err then return reply, false end
  if not string.match(reply.err, '^WRONGTYPE') then redis.call(unpack(command)) end
  return {}, true
end
local state = try({ 'HMGET', KEYS[1], 'epoch', 'head', 'version', 'sha', 'at' })
local head = state[2] or ''
local head_at = tonumber(whole(string.match(head, '^(%d+) [%w_-]+$')))
local epoch = head_at > 0 and state[1] or ''
local version = whole(state[3])
local function next_time()
  return string.format('%.0f', math.max(now, head_at + 1))
end
-- What a script writes to must have its type.
local function own(command)
  local _, is_wrong = try(command)
  if is_wrong then redis.call('UNLINK', command[2]) end
end
local function begin()
  own({ 'HGET', KEYS[1], 'head' })
  own({ 'HGET', KEYS[2], 'head' })
  own({ 'LRANGE', KEYS[3], 0, 0 })
  own({ 'LRANGE', KEYS[4], 0, 0 })
end
-- A row of the list of changes: time, mark, name of an override; and its value, '' where it was removed.
local function add(at, mark, name, value)
  redis.call('LPUSH', KEYS[3], at .. ' ' .. mark .. ' ' .. name .. '\\n' .. value)
  redis.call('LTRIM', KEYS[3], 0, 999)
  redis.call('HSET', KEYS[1], 'head', at .. ' ' .. mark)
end
`;

/** What is new since the last reading, and a sign of life. */
export const readScript = script(`
-- KEYS: policies, overrides, changes, history, processes
-- ARGV: epoch and head that the process has, or '' for all, or '-' for no override; version and sha that it has;
--   the most overrides; its id and its facts, or ''
-- returns: now, epoch, head, version, {sha, text, by, at, reason} or false, what the rest is: 0 nothing, 1 rows, 2 all;
--   rows of changes, newest first; {name, override, …}; how many overrides there are
${STATE}
local text = false
if version .. ' ' .. (state[4] or '') ~= ARGV[2] then
  text = try({ 'HMGET', KEYS[1], 'sha', 'text', 'by', 'at', 'reason' })
end
local kind, rows, overrides = 2, {}, {}
-- Fewer than a process knows: somebody has deleted the key.
local count, is_wrong = try({ 'HLEN', KEYS[2] })
if is_wrong then count = 0 end
local known = string.sub(ARGV[1], #epoch + 2)
if ARGV[1] == '-' or (head_at > 0 and ARGV[1] == epoch .. ' ' .. head) then
  kind = 0
else
  local is_near = epoch ~= '' and string.sub(ARGV[1], 1, #epoch + 1) == epoch .. ' '
  for first = 0, 999, 100 do
    local part = try({ 'LRANGE', KEYS[3], first, first + 99 })
    if #part == 0 then break end
    for _, row in ipairs(part) do
      if is_near and string.sub(row, 1, #known + 1) == known .. ' ' then
        kind = 1
        break
      end
      rows[#rows + 1] = row
    end
    if kind == 1 then break end
  end
end
if kind == 2 then
  local names = try({ 'HKEYS', KEYS[2] })
  -- A call has at most some thousand arguments.
  for first = 1, math.min(#names, tonumber(ARGV[3])), 1000 do
    local last = math.min(first + 999, #names, tonumber(ARGV[3]))
    local values = redis.call('HMGET', KEYS[2], unpack(names, first, last))
    for index = first, last do
      overrides[#overrides + 1] = names[index]
      overrides[#overrides + 1] = values[index - first + 1]
    end
  end
end
if ARGV[4] ~= '' then
  own({ 'HGET', KEYS[5], 'head' })
  redis.call('HSET', KEYS[5], ARGV[4], string.format('%.0f', now) .. ' ' .. ARGV[5])
  redis.call('PEXPIREAT', KEYS[5], string.format('%.0f', now + 86400000))
end
return { string.format('%.0f', now), epoch, head_at > 0 and head or '', version, text, kind, rows, overrides, count }
`);

/** Puts a text in force, if its author knows the version that is in force. */
export const applyScript = script(`
-- KEYS: policies, overrides, changes, history
-- ARGV: the version that the author knows, sha, text, by, reason, the last two as JSON, a mark, a new epoch
-- returns: the new version and its time, also of a repetition; or false and the version, by and reason in force
${STATE}
if version ~= ARGV[1] then
  local known = try({ 'HMGET', KEYS[1], 'by', 'reason', 'sha', 'at' })
  local is_ours = known[1] == ARGV[4] and known[2] == ARGV[5] and known[3] == ARGV[2]
  -- The author has applied it, and has got no answer.
  if is_ours and string.format('%.0f', ARGV[1] + 1) == version then return { version, known[4] } end
  return { false, version, known[1], known[2] }
end
begin()
local at = next_time()
version = string.format('%.0f', version + 1)
redis.call('HSET', KEYS[1], 'version', version, 'sha', ARGV[2], 'text', ARGV[3], 'by', ARGV[4], 'at', at, 'reason', ARGV[5])
if epoch == '' then redis.call('HSET', KEYS[1], 'epoch', ARGV[8]) end
add(at, ARGV[7], '', '')
redis.call('LPUSH', KEYS[4], version .. ' ' .. at .. ' ' .. ARGV[2] .. ' ' .. ARGV[6] .. '\\n' .. ARGV[3])
redis.call('LTRIM', KEYS[4], 0, 49)
return { version, at }
`);

/** The first lines of the last versions, and the text of one. */
export const historyScript = script(`
-- KEYS: history
-- ARGV: the version whose text is wanted, alone or with its time and sha; or ''
-- returns: its text or false, {first line, …}
local heads, text, found_at = {}, false, -1
local entries = redis.pcall('LRANGE', KEYS[1], 0, 49)
if entries.err then entries = {} end
for index, entry in ipairs(entries) do
  local head = string.match(entry, '^[^\\n]*')
  heads[index] = head
  local at = tonumber(string.match(head, '^%d+ (%d+) ')) or 0
  if string.sub(head, 1, #ARGV[1] + 1) == ARGV[1] .. ' ' and at > found_at then
    text, found_at = string.sub(entry, #head + 2), at
  end
end
return { text, heads }
`);

/** Changes one override, and records who does so. */
export const overrideScript = script(`
-- KEYS: policies, overrides, changes, history, acts on the override
-- ARGV: most overrides, name, the override as JSON that has no end, or '' to remove it; a mark, a new epoch; the id of the act and the
--   act as JSON that has no end, or '' and ''; the value that it replaces, '' for none and '*' for any; names of overrides that have ended
-- returns: {the time and mark of the change, its value, 0 for a removal that has found none, the act or ''}; {'', '', 0, the act} for
--   an id that has changed something before; {'', '', 0, ''} if it would replace another value; {} if there are too many
${STATE}
${ACTS}
local known = ARGV[6] ~= '' and act_of(KEYS[5], ARGV[6])
if known then return { '', '', 0, known } end
if ARGV[8] ~= '*' and (try({ 'HGET', KEYS[2], ARGV[2] }) or '') ~= ARGV[8] then return { '', '', 0, '' } end
begin()
local at, value, found = next_time(), '', 1
if ARGV[3] == '' then
  -- That there is to be none is noted anyway: after a loss a process may remember one.
  found = redis.call('HDEL', KEYS[2], ARGV[2])
else
  for index = 9, #ARGV do
    if redis.call('HDEL', KEYS[2], ARGV[index]) == 1 then
      add(at, ARGV[4] .. index, ARGV[index], '')
      at = string.format('%.0f', at + 1)
    end
  end
  local is_new = not redis.call('HGET', KEYS[2], ARGV[2])
  if is_new and #redis.call('HKEYS', KEYS[2]) >= tonumber(ARGV[1]) then return {} end
  value = ARGV[3] .. at .. '}'
  redis.call('HSET', KEYS[2], ARGV[2], value)
end
if epoch == '' then redis.call('HSET', KEYS[1], 'epoch', ARGV[5]) end
add(at, ARGV[4], ARGV[2], value)
local act = ''
-- A removal that has found none has changed nothing.
if ARGV[6] ~= '' and found == 1 then
  act = ARGV[7] .. at .. '}'
  add_act(KEYS[5], act, now)
end
return { at .. ' ' .. ARGV[4], value, found, act }
`);

/** What a change of an override would replace. */
export const heldScript = script(`
-- KEYS: overrides, acts on the override
-- ARGV: the name of the override, the id of the act
-- returns: the override or '', the act of the id or ''
${ACTS}
local held = redis.pcall('HGET', KEYS[1], ARGV[1])
if type(held) ~= 'string' then held = '' end
return { held, act_of(KEYS[2], ARGV[2]) or '' }
`);

/** Makes Redis equal to what a process knows, if it is still what the process has read. */
export const restoreScript = script(`
-- KEYS: policies, overrides, changes, history
-- ARGV: epoch and head that the process has read, a new epoch, a mark, the last time that the process knows,
--   version or '', sha, text, by, at, reason; then three times a count and so many arguments:
--   entries of the history, oldest first; names of overrides to remove, with the times of removals; names and overrides
-- returns: 1; 0 if something else was written meanwhile
${STATE}
if epoch .. ' ' .. (head_at > 0 and head or '') ~= ARGV[1] then return 0 end
begin()
head_at = math.max(head_at, tonumber(ARGV[4]))
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[1], 'version', ARGV[5], 'sha', ARGV[6], 'text', ARGV[7], 'by', ARGV[8], 'at', ARGV[9], 'reason', ARGV[10])
end
local place = 11
local last = place + tonumber(ARGV[place])
for index = place + 1, last do
  local is_known = false
  -- Another text may have its number, which was applied after the loss.
  local name = string.match(ARGV[index], '^%d+ %d+ %w+ ')
  for _, entry in ipairs(redis.call('LRANGE', KEYS[4], 0, 49)) do
    if string.sub(entry, 1, #name) == name then is_known = true end
  end
  if not is_known then redis.call('LPUSH', KEYS[4], ARGV[index]) end
end
redis.call('LTRIM', KEYS[4], 0, 49)
place = last + 1
last = place + tonumber(ARGV[place])
for index = place + 1, last, 2 do
  redis.call('HDEL', KEYS[2], ARGV[index])
  add(ARGV[index + 1], ARGV[3], ARGV[index], '')
end
place = last + 1
last = place + tonumber(ARGV[place])
for index = place + 1, last, 2 do redis.call('HSET', KEYS[2], ARGV[index], ARGV[index + 1]) end
redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
add(next_time(), ARGV[3], '', '')
return 1
`);

/** The processes that read the policies. */
export const processesScript = script(`
-- KEYS: processes
-- ARGV: milliseconds after which a process that was not heard is forgotten
-- returns: now, {facts, …}
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local names, alive = redis.pcall('HKEYS', KEYS[1]), {}
if names.err then names = {} end
for _, name in ipairs(names) do
  local facts = redis.call('HGET', KEYS[1], name)
  local at = facts and string.match(facts, '^%d+')
  local is_alive = at and at + ARGV[1] > tonumber(now)
  if is_alive then alive[#alive + 1] = facts else redis.call('HDEL', KEYS[1], name) end
end
return { now, alive }
`);
