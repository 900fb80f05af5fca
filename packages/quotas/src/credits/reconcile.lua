-- Sets a balance to what a ledger has, less what was spent in the hours that the ledger does not know.
--
-- KEYS  the balance.
-- ARGV  units, the first hour since 1970 that the ledger does not know.
-- Returns the units that it holds then, or an error text.
local key, left, since = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local stored_left, _, problem = balance.fetch(key)
if problem then return problem end
local fields = call('HGETALL', key)
for place = 1, #fields, 2 do
  local hour = tonumber(fields[place]:match('^s(%d+)$'))
  if hour and hour >= since then left = left - tonumber(fields[place + 1]) end
end
left = min(MAX_BALANCE, max(0, left))
call('HSET', key, 'left', left)
keep(key, left, stored_left or 0, floor(now_us / 1000))
return left
