-- Takes, renews or gives back the lock of the export of usage.
--
-- KEYS  the lock; a hash of the exports: the `number` of the last holder, and for each scope when its last export began that
--       was completed.
-- ARGV  a name of the holder; the scope: a digest of its tiers; milliseconds that the lock lasts, 0 gives it back; when the
--       export began if it was completed, else 0.
-- Returns the number of the holder, higher than that of each before, or 0 while another one has the lock; when the last
-- completed export of the scope began, or 0; the time. In milliseconds.
local name, scope, lasts = ARGV[1], ARGV[2], ARGV[3]
local holder, time = redis.call('GET', KEYS[1]), redis.call('TIME')
local known = redis.call('HMGET', KEYS[2], 'number', scope)
local number, completed = tonumber(known[1] or 0), tonumber(known[2] or 0)
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if holder and holder ~= name then return { 0, completed, now } end
if lasts == '0' then
  completed = math.max(completed, tonumber(ARGV[4]))
  redis.call('UNLINK', KEYS[1])
  redis.call('HSET', KEYS[2], scope, ('%.0f'):format(completed))
  return { number, completed, now }
end
-- The time, so that a server which has lost the last number gives a higher one.
if not holder then number = math.max(number + 1, now) end
redis.call('SET', KEYS[1], name, 'PX', lasts)
redis.call('HSET', KEYS[2], 'number', ('%.0f'):format(number))
return { number, completed, now }
