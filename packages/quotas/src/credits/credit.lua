-- Adds units to a balance, once for each id.
--
-- KEYS  the balance.
-- ARGV  units, the digest of the id.
-- Returns the units that it holds then, or -1 where it would hold too much, or an error text; then 1 for an id that is new, or 0;
-- then the units that were added under the id, or -1 where an earlier version has counted it.
local MAX_CREDITS = 64
local key, units, id, now = KEYS[1], tonumber(ARGV[1]), 'i' .. ARGV[2], floor(now_us / 1000)
local left, _, problem = balance.fetch(key)
if problem then return { problem } end
-- A credit is stored as its time and its units.
local function time_of(text)
  return tonumber(text:match('^%d+'))
end

local counted, credits, fields = call('HGET', key, id), {}, call('HGETALL', key)
if counted and time_of(counted) > now - STORED_FOR then
  return { left or 0, 0, tonumber(counted:match(' (%d+)$') or -1) }
end
if (left or 0) + units > MAX_BALANCE then return { -1, 0, 0 } end
for place = 1, #fields, 2 do
  local field = fields[place]
  if field:sub(1, 1) == 'i' then
    local at = time_of(fields[place + 1])
    if at <= now - STORED_FOR then call('HDEL', key, field) else credits[#credits + 1] = { field, at } end
  end
end
-- Oldest first. The id decides within a millisecond, in both languages.
table.sort(credits, function(one, other)
  if one[2] == other[2] then return one[1] < other[1] end
  return one[2] < other[2]
end)
for place = 1, #credits - MAX_CREDITS + 1 do call('HDEL', key, credits[place][1]) end
call('HSET', key, id, ('%.0f %.0f'):format(now, units))
keep(key, (left or 0) + units, left or 0, now)
return { call('HINCRBY', key, 'left', units), 1, units }
