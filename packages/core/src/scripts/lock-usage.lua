-- Takes, renews or gives back the lock of the export of usage.
--
-- KEYS  the lock; a hash of the exports: the `number` of the last holder, and for each scope when its last export began that
--       was completed.
-- ARGV  a name of the holder; the scope: which tiers it exports; milliseconds that the lock lasts, 0 gives it back; when the
--       export began if it was completed, else 0.
-- Returns the number of the holder, higher than that of each before, or 0 while another one has the lock; when the last
-- completed export of the scope began, or 0; the time. In milliseconds.
local name, scope, lasts = ARGV[1], ARGV[2], ARGV[3]
local holder = call('GET', KEYS[1])
local known = call('HMGET', KEYS[2], 'number', scope)
local number, completed = tonumber(known[1] or 0), tonumber(known[2] or 0)
local now = floor(now_us / 1000)
if holder and holder ~= name then return { 0, completed, now } end
if lasts == '0' then
  completed = max(completed, tonumber(ARGV[4]))
  call('UNLINK', KEYS[1])
  call('HSET', KEYS[2], scope, ('%.0f'):format(completed))
  return { number, completed, now }
end
-- The time, so that a server which has lost the last number gives a higher one.
if not holder then number = max(number + 1, now) end
call('SET', KEYS[1], name, 'PXAT', now + lasts)
call('HSET', KEYS[2], 'number', ('%.0f'):format(number))
return { number, completed, now }
