-- Changes items of a list.
--
-- KEYS  the list, as `read-list` has it.
-- ARGV  how many items it may have; for each change the item, its milliseconds (0: for good, -1: it leaves), its note.
-- Returns 1, or 0 if there would be too many items, and nothing was changed.
local added = 0
for at = 2, #ARGV, 3 do
  if ARGV[at + 1] ~= '-1' and call('HEXISTS', KEYS[1], ARGV[at]) == 0 then added = added + 1 end
end
-- The version is a field too.
if added > 0 and call('HLEN', KEYS[1]) + added > ARGV[1] + 1 then return 0 end
for at = 2, #ARGV, 3 do
  local duration = ARGV[at + 1] + 0
  if duration < 0 then
    call('HDEL', KEYS[1], ARGV[at])
  else
    local until_ = duration > 0 and floor(now_us / 1000) + duration or 0
    call('HSET', KEYS[1], ARGV[at], ('%.0f '):format(until_) .. ARGV[at + 2])
  end
end
-- A time, so that no version comes again after the server has lost its data.
call('HSET', KEYS[1], 'version', ('%.0f'):format(now_us))
return 1
