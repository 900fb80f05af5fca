-- Lists usage that has open hours, and lets scripts that charge add to the list from now on.
--
-- KEYS  the set of such usage, by the oldest of these hours; below 0 it says that a scan has added what was open before it.
-- ARGV  how many to leave out; that key without what the client begins every key with; the name of a scan that begins or has ended,
--       or ''; for one that has ended how often it was in the set, else 0.
-- Returns 1 after such a scan, else 0; then keys of usage without that, and their hours.
local open, begin, scan, steps = KEYS[1], #KEYS[1] - #ARGV[2], ARGV[3], tonumber(ARGV[4])
call('ZADD', open, -1, 'begun')
if scan ~= '' then
  -- A server that has lost data since the scan began has not all that it has added, nor what was charged meanwhile.
  if steps > 0 and tonumber(call('ZSCORE', open, scan) or 0) == -steps then call('ZADD', open, -1, 'scanned') end
  if steps == 0 and not call('ZSCORE', open, 'scanned') then
    call('ZADD', open, -1, scan)
  else
    call('ZREM', open, scan)
  end
end
call('PEXPIREAT', open, (floor(now_us / 3600000000) + 1 + 1488) * 3600000)
local page = call('ZRANGE', open, 0, '+inf', 'BYSCORE', 'LIMIT', ARGV[1], 1000, 'WITHSCORES')
for index = 1, #page, 2 do page[index] = page[index]:sub(begin + 1) end
return { call('ZSCORE', open, 'scanned') and 1 or 0, page }
