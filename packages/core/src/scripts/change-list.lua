-- Changes items of a list.
--
-- KEYS  the list and its log.
-- ARGV  how many items it may have; for each change the item, its milliseconds (0: for good, -1: it leaves, -2: it leaves
--       if it has ended), its note.
-- Returns the server's milliseconds, and the number before that of the first change, which has the next one. Nothing if
-- there would be too many items: then nothing was changed.
local function leaves(value, duration)
  local ends = (value:match('^%d+') or 0) + 0
  return duration == -1 or duration == -2 and ends > 0 and ends <= now_ms
end

local known, growth = {}, 0
for at = 2, #ARGV, 3 do
  local duration = ARGV[at + 1] + 0
  local value = call('HGET', list, ARGV[at])
  known[at] = value
  if duration >= 0 and not value then growth = growth + 1 end
  if duration < 0 and value and leaves(value, duration) then growth = growth - 1 end
end
-- The version is in the log too.
local size = call('ZCOUNT', log, '(0', '+inf') - 1
if growth > 0 and size + growth > ARGV[1] + 0 then return {} end

if epoch == 0 then epoch = now_us end
version = max(version, now_us)
local first = version
for at = 2, #ARGV, 3 do
  local name, duration = ARGV[at], ARGV[at + 1] + 0
  version = version + 1
  if duration >= 0 then
    local ends = duration > 0 and now_ms + duration or 0
    call('HSET', list, name, text(ends) .. ' ' .. ARGV[at + 2])
    call('ZADD', log, text(version), name)
  -- A removal counts for an unknown item too: processes remember it, and the server may have lost the item.
  elseif duration == -1 or known[at] and leaves(known[at], duration) then
    call('HDEL', list, name)
    call('ZADD', log, text(-version), name)
  end
end
forget_removals()
save()
return { text(now_ms), text(first) }
