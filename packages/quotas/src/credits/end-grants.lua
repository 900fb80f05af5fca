-- Writes what has ended in a balance into its postings.
--
-- KEYS  the balance.
-- ARGV  1 to tell marks.
-- Returns an error text; or the units that it holds then, those that have ended since it was written last, and down to which units
-- marks were told.
local key, now = KEYS[1], floor(now_us / 1000)
local stored, _, problem = balance.fetch(key)
if problem then return { problem } end
if not stored then return { 0, 0, 0 } end
local account, change = copy_of(stored)
bring_up_to_date(account, change, now)
local left = sum_of(account)
if ARGV[1] == '1' then account[1] = min(account[1], left) end
balance.save(key, account, change, stored, nil, { now = now })
return { left, sum_of(stored) - left, stored[1] }
