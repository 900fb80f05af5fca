-- Adds usage with open hours to the set of it.
--
-- KEYS  the set; then usage that a scan has found.
-- ARGV  the name of the scan, which is in the set below 0: its score counts these calls.
-- Returns 1 if usage of version 0.2.0 is open, which adds nothing to the set by itself, else 0.
local has_earlier, steps = 0, call('ZSCORE', KEYS[1], ARGV[1])
if steps then call('ZADD', KEYS[1], steps - 1, ARGV[1]) end
for index = 2, #KEYS do
  local usage, oldest = KEYS[index], oldest_hour(KEYS[index])
  if oldest then
    call('ZADD', KEYS[1], 'LT', oldest, usage)
    if usage:sub(-6) == ':usage' then has_earlier = 1 end
  end
end
return has_earlier
