-- Adds units to a balance, once for each id.
--
-- KEYS  the balance.
-- ARGV  units, the digest of the id.
-- Returns the units that it holds then, -1 where it would hold too much, or an error text.
local MAX_CREDITS = 64
local key, units, id, now = KEYS[1], tonumber(ARGV[1]), 'i' .. ARGV[2], floor(now_us / 1000)
local left, _, problem = balance.fetch(key)
if problem then return problem end
local counted, credits, fields = tonumber(call('HGET', key, id) or ''), {}, call('HGETALL', key)
if counted and counted > now - STORED_FOR then return left or 0 end
if (left or 0) + units > MAX_BALANCE then return -1 end
for place = 1, #fields, 2 do
  local field, at = fields[place], tonumber(fields[place + 1])
  if field:sub(1, 1) == 'i' then
    if at <= now - STORED_FOR then call('HDEL', key, field) else credits[#credits + 1] = { field, at } end
  end
end
-- Oldest first. The id decides within a millisecond, in both languages.
table.sort(credits, function(one, other)
  if one[2] == other[2] then return one[1] < other[1] end
  return one[2] < other[2]
end)
for place = 1, #credits - MAX_CREDITS + 1 do call('HDEL', key, credits[place][1]) end
call('HSET', key, id, now)
keep(key, (left or 0) + units, left or 0, now)
return call('HINCRBY', key, 'left', units)
