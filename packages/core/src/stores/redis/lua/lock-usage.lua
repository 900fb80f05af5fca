-- Takes or renews the lock of the export of usage.
--
-- KEYS  the lock, the number of its last holder.
-- ARGV  a name of the holder, milliseconds that the lock lasts; 0 gives it back.
-- Returns the number of the holder, higher than that of each before; 0 while another one has the lock.
local holder, time = redis.call('GET', KEYS[1]), redis.call('TIME')
if holder and holder ~= ARGV[1] then return 0 end
local last = tonumber(redis.call('GET', KEYS[2]) or 0)
if ARGV[2] == '0' then
  redis.call('UNLINK', KEYS[1])
  return last
end
-- The time, so that a server which has lost the last number gives a higher one.
if not holder then last = math.max(last + 1, time[1] * 1000 + math.floor(time[2] / 1000)) end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[2], ('%.0f'):format(last))
return last
