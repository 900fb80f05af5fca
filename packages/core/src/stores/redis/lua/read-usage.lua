-- Reads the usage of keys. KEYS: those of the usage. Returns the server's microseconds, then for each key its fields with their
-- units.
local time = redis.call('TIME')
local reply = { time[1] * 1000000 + time[2] }
for index, key in ipairs(KEYS) do reply[index + 1] = redis.call('HGETALL', key) end
return reply
