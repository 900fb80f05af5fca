-- Sets a balance to what a ledger has, less what was spent in the hours that the ledger does not know.
--
-- KEYS  the balance.
-- ARGV  units, the first hour since 1970 that the ledger does not know, what the posting says.
-- Returns the units that it holds then, or an error text.
local key, left, since, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), floor(now_us / 1000)
local stored, _, problem = balance.fetch(key)
if problem then return { problem } end
local account, change = copy_of(stored)
bring_up_to_date(account, change, now)
local fields, before = call('HGETALL', key), sum_of(account)
for place = 1, #fields, 2 do
  local hour = tonumber(fields[place]:match('^s(%d+)$'))
  if hour and hour >= since then left = left - tonumber(fields[place + 1]) end
end
left = min(MAX_BALANCE, max(0, left))
if left < before then take_units(account, before - left) else give_back(account, left - before, 0) end
-- Marks that it falls below are told by what comes next.
account[1] = max(account[1], left)
post(change, RECONCILE, now, left - before, left, 0, 0, ARGV[3])
balance.save(key, account, change, stored, nil, { now = now })
return { left }
